import type { App } from "@plinth/core";
import { type ConsumerBacklog, channels } from "@plinth/core/telemetry";
import type { EventFilter } from "./contract.js";
import { typePatterns } from "./event-types.js";
import { CONSUMERS, EVENTS } from "./tables.js";

/** Milliseconds between two looks. */
const LOOK = 5_000;
/** Events that are looked at for each consumer, so that one that stands still costs little. */
const MOST = 10_000;

const PENDING = `select w.name as consumer, before.pending, before.oldest
  from jsonb_to_recordset($1::jsonb) as w(name text, types text[], uids text[]) join ${CONSUMERS} c using (name),
  lateral (select count(*)::int as pending, (extract(epoch from min(e.at)) * 1000)::float8 as oldest
    from (select type, uid, at from ${EVENTS} where id > c.place order by id limit ${MOST}) e
    where (w.types is null or e.type like any(w.types)) and (w.uids is null or e.uid = any(w.uids))) before`;

/* In every database of the server: a snapshot waits for all. Of other roles, it is known with pg_read_all_stats. */
const WRITING = `select (extract(epoch from min(since)) * 1000)::float8 as since from (
    select xact_start as since from pg_stat_activity where backend_xid is not null and pid <> pg_backend_pid()
    union all select prepared from pg_prepared_xacts) writers`;

/** What consumers of this process want, by their names. */
type Wanted = ReadonlyMap<string, EventFilter>;

/** Reports by `plinth:event:backlog` what consumers have before them. Nothing is asked where no code listens. */
export class Backlog {
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly app: App,
    private readonly wanted: () => Wanted,
  ) {}

  open(): void {
    this.#timer = setInterval(() => {
      if (channels.eventBacklog.hasSubscribers) void this.report();
    }, LOOK).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Looks, and reports. A look that fails is left out: the next one comes soon, and metrics of the database say why. */
  async report(): Promise<void> {
    const { app } = this;
    try {
      const consumers = await this.#consumers();
      const [row] = await app.db.query<{ since: number | null }>({ text: WRITING, values: [], isPlan: true });
      channels.eventBacklog.publish({ app, consumers, writingSince: row?.since ?? undefined });
    } catch (err) {
      app.log.debug({ err }, "It is not known what consumers of events have before them");
    }
  }

  async #consumers(): Promise<readonly ConsumerBacklog[]> {
    const wanted = [...this.wanted()].map(([name, { types, uids }]) => ({
      ...{ name, types: typePatterns(types), uids: uids ?? null },
    }));
    if (wanted.length === 0) return [];
    const values = [JSON.stringify(wanted)];
    const rows = await this.app.db.query<Omit<ConsumerBacklog, "oldest"> & { readonly oldest: number | null }>({
      ...{ text: PENDING, values, isPlan: true },
    });
    return rows.map(({ consumer, pending, oldest }) => ({ consumer, pending, oldest: oldest ?? undefined }));
  }
}
