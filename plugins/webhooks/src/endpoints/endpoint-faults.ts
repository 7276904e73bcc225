import type { App } from "@plinth/core";
import { events } from "@plinth/plugin-events";
import { ENDPOINT_TYPE } from "../content-types.js";
import { STATES } from "../tables.js";
import { isOfConfig, type KnownEndpoint } from "./known-endpoint.js";
import { CHANNEL, type LiveEndpoints } from "./live-endpoints.js";

/** After so long without a success an endpoint is disabled. */
const DAYS = 3;

const FAILED = `with noted as (insert into ${STATES} (endpoint, failing_since) values ($1, now())
    on conflict (endpoint) do update set failing_since = coalesce(${STATES}.failing_since, excluded.failing_since)
    returning failing_since)
  select failing_since < now() - interval '${DAYS} days' as is_long from noted`;

const SUCCEEDED = `update ${STATES} set failing_since = null where endpoint = $1 and failing_since is not null`;

const DISABLED = `insert into ${STATES} (endpoint, disabled_at, reason) values ($1, now(), $2)
  on conflict (endpoint) do update set disabled_at = excluded.disabled_at, reason = excluded.reason, failing_since = null`;

/** What came of a try, as far as it is about the endpoint. */
interface Fault {
  readonly error?: string;
  readonly isGone: boolean;
}

/** Name of the lock under which an endpoint is changed or disabled. */
export const lockOf = (endpoint: string): string => `webhooks ${endpoint}`;

/** Ends what has failed for three days, or wants no more. */
export class EndpointFaults {
  /** Those whose latest try succeeded, as far as this process knows. */
  readonly #well = new Set<string>();

  constructor(
    private readonly app: App,
    private readonly live: LiveEndpoints,
  ) {}

  /** Knows of no success any more: another process may have sent meanwhile, and failed. */
  forget(): void {
    this.#well.clear();
  }

  /** Notes that an endpoint took something. */
  async succeeded({ id }: KnownEndpoint): Promise<void> {
    if (this.#well.has(id)) return;
    // Before it is written: a failure that is noted meanwhile takes it away again.
    this.#well.add(id);
    try {
      await this.app.db.query({ text: SUCCEEDED, values: [id], isPlan: true });
    } catch (error) {
      this.#well.delete(id);
      throw error;
    }
  }

  /** Notes that it did not; and disables it, where that has gone on for three days or it said that it is gone. */
  async failed(endpoint: KnownEndpoint, { error = "", isGone }: Fault): Promise<void> {
    if (isGone) return await this.#disable(endpoint, "it answered 410");
    const failed = { text: FAILED, values: [endpoint.id], isPlan: true };
    // Not before: of a success that is noted at the same time it is not known which was written last.
    const [row] = await this.app.db.query<{ is_long: boolean }>(failed).finally(() => this.#well.delete(endpoint.id));
    if (row?.is_long)
      await this.#disable(endpoint, `every try has failed for ${DAYS} days, the last one because: ${error}`);
  }

  async #disable({ id, name }: KnownEndpoint, reason: string): Promise<void> {
    const { db, log } = this.app;
    const isDone = await db.transaction(async () => {
      await db.lock(lockOf(id));
      if (!this.live.get(id)?.isEnabled || !(await this.#lock(id))) return false;
      await db.query({ text: DISABLED, values: [id, reason] });
      if (!isOfConfig(id)) await this.app.documents(ENDPOINT_TYPE).update({ documentId: id, data: { enabled: false } });
      await this.app.service(events).publish("webhooks.endpoint-disabled", {}, { endpoint: id, name, reason });
      await db.messages.publish(CHANNEL, "changed");
      return true;
    });
    if (!isDone) return;
    log.warn({ endpoint: id, reason }, `The endpoint "${name}" of webhooks was disabled: ${reason}`);
    await this.live.read();
  }

  /** Whether it is there; another process may just have deleted it. */
  async #lock(id: string): Promise<boolean> {
    return isOfConfig(id) || (await this.app.documents(ENDPOINT_TYPE).lock(id));
  }
}
