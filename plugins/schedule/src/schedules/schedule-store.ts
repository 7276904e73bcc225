import type { App, Statement, WriteActor } from "@plinth/core";
import type { StoredAction } from "../act.js";
import type { PlannedAction, Problem, Schedule } from "../contract.js";
import type { StoredPlace } from "../places.js";

/** A plan as it is kept. */
export interface StoredSchedule extends StoredAction {
  readonly id: number;
  readonly at: Date;
  readonly actor: WriteActor | null;
  readonly hasFailed: boolean;
  readonly problems: readonly Problem[];
}

const COLUMNS = `id::float8 as id, uid, document_id as "documentId", locale, action, at, actor, failed_at is not null as "hasFailed", problems`;
const PLAN = `insert into plinth_schedule (uid, document_id, locale, action, at, actor) values ($1, $2, $3, $4, $5, $6::jsonb)
  on conflict (uid, document_id, locale, action) do update set at = excluded.at, actor = excluded.actor, failed_at = null, problems = '[]'
  returning id::float8 as id`;
const CANCEL =
  "delete from plinth_schedule where uid = $1 and document_id = $2 and locale = $3 and action = any($4::text[]) returning id::float8 as id, action";
const FORGET = "delete from plinth_schedule where uid = $1 and document_id = $2 and locale = any($3::text[])";
const OF = `select ${COLUMNS} from plinth_schedule where uid = $1 and document_id = $2 and ($3::text is null or locale = $3) order by locale, action`;
const FIND = `select ${COLUMNS} from plinth_schedule where id = $1`;
/** Locks it. By the clock of the database when the transaction began; a plan that has failed, or was moved, is not due. */
const TAKE = `update plinth_schedule set at = at where id = $1 and failed_at is null and at <= now() returning ${COLUMNS}`;
const OVERDUE = `select ${COLUMNS} from plinth_schedule where failed_at is null and at < clock_timestamp() - interval '10 s' order by at limit 1000`;

const KEPT = "uid, document_id, locale, action, at, actor";
const DONE = `with done as (delete from plinth_schedule where id = $1 returning ${KEPT})
  insert into plinth_schedule_past (${KEPT}) select ${KEPT} from done`;
const FAILED = `with failed as (update plinth_schedule set failed_at = $3::timestamptz, problems = $2::jsonb where id = $1
    returning ${KEPT}, problems)
  insert into plinth_schedule_past (${KEPT}, problems) select ${KEPT}, problems from failed`;
const FORGET_PAST = "delete from plinth_schedule_past where uid = $1 and document_id = $2 and locale = any($3::text[])";
const FORGET_OLD = "delete from plinth_schedule_past where at < now() - $1 * interval '1 day'";

/** The plans in the database. */
export class ScheduleStore {
  constructor(private readonly app: App) {}

  /** @returns the id of the plan, which takes the place of one that is there */
  async plan({ uid, documentId, locale, action }: StoredAction, at: Date, actor: WriteActor | null): Promise<number> {
    const values = [uid, documentId, locale, action, at, actor && JSON.stringify(actor)];
    const [row] = await this.app.db.query<{ id: number }>({ text: PLAN, values, isPlan: true });
    return row?.id ?? 0;
  }

  /** @returns those that were planned */
  async cancel(
    { uid, documentId, locale }: StoredPlace,
    actions: readonly PlannedAction[],
  ): Promise<readonly Pick<StoredSchedule, "id" | "action">[]> {
    const values = [uid, documentId, locale, actions];
    return await this.app.db.query<Pick<StoredSchedule, "id" | "action"> & object>({
      text: CANCEL,
      values,
      isPlan: true,
    });
  }

  /** Those of a document in one locale; null: in all. */
  of({ uid, documentId, locale }: Omit<StoredPlace, "locale"> & { readonly locale: string | null }) {
    return this.#read(OF, [uid, documentId, locale]);
  }

  async find(id: number): Promise<StoredSchedule | undefined> {
    return (await this.#read(FIND, [id]))[0];
  }

  /** Locks a plan that is due, until the transaction ends. */
  async take(id: number): Promise<StoredSchedule | undefined> {
    return (await this.#read(TAKE, [id]))[0];
  }

  /** Those that were due a while ago. */
  overdue(): Promise<readonly StoredSchedule[]> {
    return this.#read(OVERDUE, []);
  }

  /** What was planned is done: it is no plan any more. */
  async done(id: number): Promise<void> {
    await this.app.db.query({ text: DONE, values: [id], isPlan: true });
  }

  async failed(id: number, problems: readonly Problem[]): Promise<void> {
    const values = [id, JSON.stringify(problems), new Date(this.app.clock.now())];
    await this.app.db.query({ text: FAILED, values, isPlan: true });
  }

  /** Forgets what came of plans that were due so many days ago. */
  async forget(days: number): Promise<void> {
    await this.app.db.query({ text: FORGET_OLD, values: [days] });
  }

  async #read(text: string, values: readonly unknown[]): Promise<readonly StoredSchedule[]> {
    return await this.app.db.query<StoredSchedule & object>({ text, values, isPlan: true });
  }
}

/** Go along with a deletion: what is deleted has no plans, and what came of them is not read. */
export const forgetStatements = (uid: string, documentId: string, locales: readonly string[]): readonly Statement[] =>
  [FORGET, FORGET_PAST].map((text) => ({ text, values: [uid, documentId, locales], isPlan: true }));

/** A plan as callers see it. */
export const viewOf = ({ action, locale, at, hasFailed, problems }: StoredSchedule): Schedule => ({
  action,
  locale: locale === "" ? null : locale,
  at: at.toISOString(),
  state: hasFailed ? "failed" : "waiting",
  problems,
});
