import { type Actor, type ServiceRef, serviceRef } from "@plinth/core";

/** What an endpoint gets: that of Standard Webhooks, or that of Strapi for receivers that exist. */
export type EndpointFormat = "standard" | "strapi";

/** What somebody writes of an endpoint. */
export interface EndpointValues {
  /** Unique. */
  readonly name: string;
  /** With https, and without credentials. */
  readonly url: string;
  /** Types of events: `entry.publish`; parts of them, `entry.*`; `*` is every one. */
  readonly events: readonly string[];
  /** Content-types by uid. Default: all, and events that are about none. */
  readonly types?: readonly string[] | null | undefined;
  /** `whsec_` and 24 to 64 bytes in base64; the first is the newest, and all sign. Default: one is generated. */
  readonly secrets?: readonly string[];
  /** Sent along, such as `{ authorization: "..." }`. */
  readonly headers?: Readonly<Record<string, string>> | null | undefined;
  /** Default: `standard`. */
  readonly format?: EndpointFormat;
  /** Whether it gets what is in documents; the format `strapi` always does. Default: false. */
  readonly content?: boolean;
  /** Whether an update of a document is dropped that a newer one follows before it was sent. Default: false. */
  readonly coalesce?: boolean;
  /** Default: true. */
  readonly enabled?: boolean;
}

/** An endpoint, without what is secret. */
export interface Endpoint extends Required<Omit<EndpointValues, "secrets" | "headers">> {
  /** `config:<name>` of one that stands in config/webhooks. */
  readonly documentId: string;
  readonly source: "database" | "config";
  /** Names of its headers. */
  readonly headers: readonly string[];
  /** Since when every try has failed; null: none, or the last one succeeded. */
  readonly failingSince: string | null;
  /** Why it was disabled, and when; null where it was not, or is enabled again. */
  readonly disabled: { readonly at: string; readonly reason: string } | null;
}

/** An endpoint that was just made, or has a new secret. */
export interface EndpointWithSecrets extends Endpoint {
  /** Shown this once. */
  readonly secrets: readonly string[];
}

/** An endpoint after a change. */
export interface ChangedEndpoint extends Endpoint {
  /** Where another origin gave it a new one; shown this once. */
  readonly secrets?: readonly string[];
}

/** On whose behalf an endpoint is changed. */
export interface EndpointCaller {
  /** Default: code that the server trusts. */
  readonly actor?: Actor | undefined;
}

/** How it stands with a delivery; `dropped`: a newer update went in its place. */
export type DeliveryState = "waiting" | "delivered" | "dead" | "dropped";

/** An event on its way to an endpoint. Times are ISO 8601. */
export interface Delivery {
  readonly id: string;
  /** Id of the event. */
  readonly event: number;
  /** The header `webhook-id` of what is sent. */
  readonly message: string;
  readonly endpoint: string;
  readonly type: string;
  readonly uid: string | null;
  readonly documentId: string | null;
  /** Of the event. */
  readonly at: string;
  readonly state: DeliveryState;
  /** How often it was tried. */
  readonly attempts: number;
  /** Of the next try; null where it has ended, or an earlier event of the document goes first. */
  readonly nextAt: string | null;
  readonly triedAt: string | null;
  /** HTTP status of the last answer. */
  readonly status: number | null;
  /** Why the last try failed. */
  readonly error: string | null;
  /** The first 16 kB of the last answer. */
  readonly answer: string | null;
}

/** Which deliveries. */
export interface DeliveryFilter {
  /** Its `documentId` or its name. */
  readonly endpoint?: string | undefined;
  /** Id of an event, `1207`, or that of a message: its header `webhook-id`. */
  readonly event?: number | string | undefined;
  /** Of events since then. */
  readonly since?: Date | undefined;
  readonly state?: DeliveryState | undefined;
}

/** What a receiver answered to a test. Times are ISO 8601. */
export interface TestResult {
  /** The header `webhook-id` of what was sent. */
  readonly id: string;
  readonly at: string;
  /** Milliseconds until the answer, or until there was none. */
  readonly duration: number;
  /** HTTP status; null: there was no answer. */
  readonly status: number | null;
  /** Why it would be no delivery; null: it would be one. */
  readonly error: string | null;
  /** The first 16 kB of the answer. */
  readonly answer: string | null;
}

/** What an endpoint may ask for. */
export interface EndpointOptions {
  /** Types of events that the server writes about the content-types that there are. */
  readonly events: readonly string[];
  /** Content-types that have events. */
  readonly types: readonly { readonly uid: string; readonly name: string }[];
  /** Whether addresses may begin with `http:`. */
  readonly http: boolean;
}

/**
 * Endpoints of others, and what is delivered to them. One with content has the right to read it: a caller who has not, neither makes
 * nor changes, renews or removes it (PLINTH_ADMIN_GRANTS_MORE, 403).
 */
export interface Webhooks {
  list(): Promise<readonly Endpoint[]>;
  /** By its `documentId` or its name. */
  find(endpoint: string): Promise<Endpoint | undefined>;
  /** @throws PLINTH_WEBHOOKS_INVALID (400) */
  create(values: EndpointValues, caller?: EndpointCaller): Promise<EndpointWithSecrets>;
  /**
   * Changes what is named. One of the configuration can only be enabled, after it was disabled. With another `url` headers have to be
   * given again, and with another origin, the endpoint gets a new secret in place of the others, unless the change has `secrets`.
   *
   * @returns undefined where there is none
   * @throws PLINTH_WEBHOOKS_INVALID (400), PLINTH_WEBHOOKS_IN_CONFIG (409)
   */
  update(
    documentId: string,
    changes: Partial<EndpointValues>,
    caller?: EndpointCaller,
  ): Promise<ChangedEndpoint | undefined>;
  /** Adds a new secret, and shows it; the one before signs as well, until the next call. @throws PLINTH_WEBHOOKS_IN_CONFIG (409) */
  rotate(documentId: string, caller?: EndpointCaller): Promise<EndpointWithSecrets | undefined>;
  /**
   * Sends a signed `test.ping` to an endpoint at once, also to one that is disabled, and waits for the answer. It is no delivery: it is
   * sent once, is in no list, and changes nothing about the endpoint.
   *
   * @returns undefined where there is none
   */
  test(documentId: string): Promise<TestResult | undefined>;
  /** What endpoints may ask for in this app. */
  options(): EndpointOptions;
  /** With its deliveries. @returns false where there is none @throws PLINTH_WEBHOOKS_IN_CONFIG (409) */
  remove(documentId: string, caller?: EndpointCaller): Promise<boolean>;
  /** The latest first. @param limit - default: 100 @throws PLINTH_WEBHOOKS_SELECTION_INVALID (400), PLINTH_WEBHOOKS_UNKNOWN (404) */
  deliveries(filter?: DeliveryFilter, limit?: number): Promise<readonly Delivery[]>;
  /**
   * Sends again what was given up; with `state: "delivered"`, what arrived, and with `"waiting"` at once what waits for its next
   * try. It needs one member of the filter at least, beside the state.
   *
   * @returns how many
   * @throws PLINTH_WEBHOOKS_SELECTION_INVALID (400), PLINTH_WEBHOOKS_UNKNOWN (404)
   */
  replay(filter: DeliveryFilter): Promise<number>;
  /**
   * Forgets what was given up, or what is in another `state`: it is in no list any more, and is not sent. It needs one member of the
   * filter at least, beside the state.
   *
   * @returns how many
   * @throws PLINTH_WEBHOOKS_SELECTION_INVALID (400), PLINTH_WEBHOOKS_UNKNOWN (404)
   */
  drop(filter: DeliveryFilter): Promise<number>;
}

/** The service behind webhooks. */
export const webhooks: ServiceRef<Webhooks> = serviceRef<Webhooks>("plugin::webhooks.webhooks");

declare module "@plinth/core" {
  interface Services {
    "plugin::webhooks.webhooks": Webhooks;
  }
}
