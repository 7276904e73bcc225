import type {
  DeliveryState,
  DeliveryView,
  WebhookOptions,
  WebhookTest,
  WebhookView,
  WebhookWithSecrets,
} from "../../../src/wire/operations.js";
import { api } from "../../app/api.js";
import { problemsOf } from "../../app/problems.js";

/** The action of the routes of webhooks. @source plugins/webhooks/src/routes.ts */
export const WEBHOOKS_ACTION = "plugin::admin.webhooks";

/** Names what is read of webhooks; a change of one may change all. */
export const WEBHOOKS_KEY = "webhooks";

/** What a form of a webhook says. */
export interface WebhookValues {
  readonly name: string;
  readonly url: string;
  readonly events: readonly string[];
  /** Null: all. */
  readonly types: readonly string[] | null;
  readonly format: "standard" | "strapi";
  readonly content: boolean;
  readonly coalesce: boolean;
  readonly enabled: boolean;
  /** Undefined: those that are there stay; they are never shown. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface Body<Data> {
  readonly data: Data;
}

const BASE = "/admin/webhooks";
const pathOf = (id: string, rest = ""): string => `${BASE}/${encodeURIComponent(id)}${rest}`;
const dataOf = async <Data>(answer: Promise<Body<Data>>): Promise<Data> => (await answer).data;

/** All of them, those of the configuration first. @throws ApiError */
export const listWebhooks = (signal: AbortSignal): Promise<readonly WebhookView[]> => dataOf(api(BASE, { signal }));

/** @throws ApiError */
export const readWebhook = (id: string, signal: AbortSignal): Promise<WebhookView> =>
  dataOf(api(pathOf(id), { signal }));

/** What they may ask for. @throws ApiError */
export const readOptions = (signal: AbortSignal): Promise<WebhookOptions> => dataOf(api(`${BASE}/options`, { signal }));

/** Makes one. @throws ApiError PLINTH_WEBHOOKS_INVALID with all problems */
export const createWebhook = (body: WebhookValues): Promise<WebhookWithSecrets> =>
  dataOf(api(BASE, { method: "POST", body }));

/** Changes one; with an address of another origin it gets a new secret. @throws ApiError PLINTH_WEBHOOKS_INVALID with all problems */
export const changeWebhook = (
  id: string,
  body: Partial<WebhookValues>,
): Promise<WebhookView & Partial<Pick<WebhookWithSecrets, "secrets">>> =>
  dataOf(api(pathOf(id), { method: "PUT", body }));

/** With all its deliveries. @throws ApiError */
export const deleteWebhook = (id: string): Promise<unknown> => api(pathOf(id), { method: "DELETE" });

/** Gives it a new secret beside the one before. @throws ApiError */
export const rotateSecret = (id: string): Promise<WebhookWithSecrets> =>
  dataOf(api(pathOf(id, "/secrets"), { method: "POST" }));

/** Sends a test, and waits for what the receiver answers. @throws ApiError */
export const testWebhook = (id: string): Promise<WebhookTest> => dataOf(api(pathOf(id, "/test"), { method: "POST" }));

/** The latest deliveries. @throws ApiError */
export const listDeliveries = (
  id: string,
  state: DeliveryState | undefined,
  signal: AbortSignal,
): Promise<readonly DeliveryView[]> =>
  dataOf(api(`${pathOf(id, "/deliveries")}?${new URLSearchParams(state ? { state } : {})}`, { signal }));

/** Which deliveries are sent again. */
export interface ReplayRequest {
  /** Id of an event. */
  readonly event?: string;
  /** `12h`. */
  readonly since?: string;
  readonly state: "dead" | "delivered";
}

/** Sends deliveries again. @returns how many @throws ApiError */
export const replayDeliveries = async (id: string, body: ReplayRequest): Promise<number> =>
  (await dataOf(api<Body<{ readonly deliveries: number }>>(pathOf(id, "/replay"), { method: "POST", body })))
    .deliveries;

/** What a refusal says of the fields of a form: by their names, without what is inside them. */
export function fieldProblems(error: unknown): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { path, message } of problemsOf(error)) {
    const field = String(path[0] ?? "");
    found.set(field, [...(found.get(field) ?? []), message]);
  }
  return found;
}
