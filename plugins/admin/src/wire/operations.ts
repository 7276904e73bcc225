/** An endpoint of webhooks. @source plugins/webhooks/src/contract.ts */
export interface WebhookView {
  readonly documentId: string;
  readonly source: "database" | "config";
  readonly name: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly types: readonly string[] | null;
  /** Names; values are never shown. */
  readonly headers: readonly string[];
  readonly format: "standard" | "strapi";
  readonly content: boolean;
  readonly coalesce: boolean;
  readonly enabled: boolean;
  readonly failingSince: string | null;
  readonly disabled: { readonly at: string; readonly reason: string } | null;
}

/** One that was just made, or has a new secret: they are shown this once, the newest first. */
export interface WebhookWithSecrets extends WebhookView {
  readonly secrets: readonly string[];
}

/** What webhooks may ask for. */
export interface WebhookOptions {
  readonly events: readonly string[];
  readonly types: readonly { readonly uid: string; readonly name: string }[];
  readonly http: boolean;
}

/** What a receiver answered to a test. */
export interface WebhookTest {
  readonly id: string;
  readonly at: string;
  readonly duration: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
}

/** How it stands with a delivery. */
export type DeliveryState = "waiting" | "delivered" | "dead" | "dropped";

/** An event on its way to an endpoint. */
export interface DeliveryView {
  readonly id: string;
  readonly event: number;
  /** The header `webhook-id` of what is sent. */
  readonly message: string;
  readonly type: string;
  readonly uid: string | null;
  readonly documentId: string | null;
  readonly at: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly nextAt: string | null;
  readonly triedAt: string | null;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
}

/** Jobs of one name. @source plugins/jobs/src/rest/read-queues.ts */
export interface QueueView {
  readonly name: string;
  readonly isDeclared: boolean;
  readonly waiting: number;
  readonly running: number;
  readonly dead: number;
  readonly nextAt: string | null;
  readonly cron: {
    readonly expression: string;
    readonly timezone: string;
    readonly lastAt: string | null;
    readonly nextAt: string | null;
  } | null;
}

/** All queues. */
export interface QueueList {
  readonly data: readonly QueueView[];
  /** `works`: whether processes that take requests run jobs; `counted`: the highest count, which means as many or more. */
  readonly meta: { readonly works: boolean; readonly counted: number };
}

/** What a job may be in. */
export type JobState = "waiting" | "running" | "dead";

/** A job. */
export interface JobView {
  readonly id: string;
  readonly job: string;
  readonly state: JobState;
  readonly key: string | null;
  readonly attempts: number;
  readonly createdAt: string;
  readonly at: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly reason: string | null;
  /** JSON text, without what is secret. */
  readonly data: string | null;
}

/** The oldest jobs. */
export interface JobList {
  readonly data: readonly JobView[];
  readonly meta: { readonly isCut: boolean };
}
