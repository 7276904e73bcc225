import type { App, WriteActor } from "@plinth/core";
import type { Outcome, StoredAction } from "../act.js";
import type { PlannedAction, Problem, Release, ReleaseFilter, ReleaseState } from "../contract.js";
import { versionOf } from "./release-version.js";

/** An action of a release as it is kept. */
export interface StoredReleaseAction extends StoredAction {
  readonly state: "waiting" | "done" | "failed";
  readonly problems: readonly Problem[];
}

/** A release as it is kept. */
export interface StoredRelease extends Pick<Release, "id" | "name" | "state" | "transaction"> {
  readonly at: Date | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  /** Who made it; null: code. */
  readonly creator: WriteActor | null;
  /** As whom it is run; null: code. */
  readonly actor: WriteActor | null;
  /** In the order in which they were given. */
  readonly actions: readonly StoredReleaseAction[];
}

/** What came of a release once it was run. */
export interface StoredRun {
  readonly state: "done" | "failed";
  readonly actor: WriteActor | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date;
  /** How many it held. */
  readonly documents: number;
  /** Those that were refused. */
  readonly outcomes: readonly (StoredAction & {
    readonly action: PlannedAction;
    readonly problems: readonly Problem[];
  })[];
}

const ACTIONS = `coalesce((select json_agg(json_build_object('uid', uid, 'documentId', document_id, 'locale', locale, 'action', action,
  'state', a.state, 'problems', problems) order by place) from plinth_release_action a where release = r.id), '[]') as actions`;
const COLUMNS = `r.id::float8 as id, name, state, transaction, at, created_at as "createdAt", started_at as "startedAt", ended_at as "endedAt", creator, actor`;
const WITH_ACTIONS = `select ${COLUMNS}, ${ACTIONS} from plinth_release r`;
const INSERT = `with made as (insert into plinth_release (name, transaction, creator) values ($1, $2, $3::jsonb) returning id),
  added as (insert into plinth_release_action (release, place, uid, document_id, locale, action)
    select made.id, item.place, item.uid, item."documentId", item.locale, item.action from made, jsonb_to_recordset($4::jsonb)
      as item(place int, uid text, "documentId" text, locale text, action text))
  select id::float8 as id from made`;
const GIVEN = `jsonb_to_recordset($2::jsonb) as item(place int, uid text, "documentId" text, locale text, action text)`;
const LEAVE_OUT = `delete from plinth_release_action a where release = $1 and not exists (select from ${GIVEN}
  where item.uid = a.uid and item."documentId" = a.document_id and item.locale = a.locale and item.action = a.action)`;
const ADD = `insert into plinth_release_action (release, place, uid, document_id, locale, action)
  select $1, place, uid, "documentId", locale, action from ${GIVEN}
  on conflict (release, uid, document_id, locale) do update set place = excluded.place`;
const MARK = `update plinth_release_action a set state = item.state, problems = item.problems from jsonb_to_recordset($2::jsonb)
  as item(uid text, "documentId" text, locale text, state text, problems jsonb)
  where a.release = $1 and a.uid = item.uid and a.document_id = item."documentId" and a.locale = item.locale`;
const LIST = `${WITH_ACTIONS} where ($1::text is null or state = $1) and ($2::bigint is null or id < $2)
  and ($3::text is null or exists (select from plinth_release_action d where d.release = r.id and d.uid = $3 and d.document_id = $4))
  order by id desc limit $5`;
const NEXT = `${WITH_ACTIONS} where state = 'scheduled' order by at, id limit $1 offset $2`;
const END = `with ended as (update plinth_release set state = $2, ended_at = greatest(started_at, $3::timestamptz) where id = $1
    returning id, state, actor, started_at, ended_at)
  insert into plinth_release_run (release, state, actor, started_at, ended_at, documents, outcomes)
  select id, state, actor, started_at, ended_at, (select count(*) from plinth_release_action where release = id), coalesce((
    select json_agg(json_build_object('uid', a.uid, 'documentId', document_id, 'locale', locale, 'action', action, 'problems', problems)
      order by place) from plinth_release_action a where a.release = id and a.state = 'failed'), '[]') from ended`;
const RUNS = `select state, actor, started_at as "startedAt", ended_at as "endedAt", documents, outcomes
  from plinth_release_run where release = $1 order by id desc limit $2`;
const OVERDUE = `select id::float8 as id, at from plinth_release where state in ('scheduled', 'running') and at < clock_timestamp() - interval '10 s'
  order by at limit 100`;

/** The releases in the database. */
export class ReleaseStore {
  constructor(private readonly app: App) {}

  /** The newest first. */
  list({ state, before, document }: ReleaseFilter, limit: number): Promise<readonly StoredRelease[]> {
    const { type = null, documentId = null } = document ?? {};
    return this.#read(LIST, [state ?? null, before ?? null, type, documentId, limit]);
  }

  /** Those that are run next, by their times. */
  next(limit: number, offset: number): Promise<readonly StoredRelease[]> {
    return this.#read(NEXT, [limit, offset]);
  }

  async find(id: number): Promise<StoredRelease | undefined> {
    return (await this.#read(`${WITH_ACTIONS} where id = $1`, [id]))[0];
  }

  /** Locks a release until the transaction ends, and reads it then. */
  async lock(id: number): Promise<StoredRelease | undefined> {
    await this.#write("update plinth_release set name = name where id = $1", [id]);
    return await this.find(id);
  }

  /** The same for one that is not locked; undefined where it is. */
  async lockIdle(id: number): Promise<StoredRelease | undefined> {
    const text = "select 1 from plinth_release where id = $1 for update skip locked";
    const locked = await this.app.db.query({ text, values: [id], isPlan: true });
    return locked.length === 0 ? undefined : await this.find(id);
  }

  /** Locks an action that waits, until the transaction ends; not one that somebody else has. */
  async takeAction(id: number, { uid, documentId, locale }: StoredAction): Promise<boolean> {
    const text = `select 1 from plinth_release_action where release = $1 and uid = $2 and document_id = $3 and locale = $4 and state = 'waiting'
      for update skip locked`;
    const taken = await this.app.db.query({ text, values: [id, uid, documentId, locale], isPlan: true });
    return taken.length > 0;
  }

  async insert(name: string, isWhole: boolean, creator: WriteActor | null, actions: readonly StoredAction[]) {
    const values = [name, isWhole, creator && JSON.stringify(creator), placed(actions)];
    const [made] = await this.app.db.query<{ id: number }>({ text: INSERT, values, isPlan: true });
    return made?.id ?? 0;
  }

  async change(id: number, { name, transaction }: Pick<StoredRelease, "name" | "transaction">): Promise<void> {
    await this.#write("update plinth_release set name = $2, transaction = $3 where id = $1", [id, name, transaction]);
    await this.resetFailed(id);
    await this.setState(id, "open", { at: null });
  }

  /** What stays has the state that it had: what is done is not done again. */
  async replaceActions(id: number, actions: readonly StoredAction[]): Promise<void> {
    const given = [id, placed(actions)];
    await this.#write(LEAVE_OUT, given);
    await this.#write(ADD, given);
  }

  async remove(id: number): Promise<void> {
    await this.#write("delete from plinth_release where id = $1", [id]);
  }

  /** Puts it into a state; `at` and `actor` stay where they are undefined. */
  async setState(
    id: number,
    state: Exclude<ReleaseState, "done" | "failed">,
    { at, actor }: { readonly at?: Date | null; readonly actor?: WriteActor | null } = {},
  ): Promise<void> {
    const text = `update plinth_release set state = $2, at = case when $3 then $4::timestamptz else at end,
      actor = case when $5 then $6::jsonb else actor end,
      started_at = case when $2 = 'running' then $7::timestamptz when $2 in ('open', 'scheduled') then null else started_at end,
      ended_at = null where id = $1`;
    const given = [at !== undefined, at ?? null, actor !== undefined, actor ? JSON.stringify(actor) : null];
    const values = [id, state, ...given, this.#now()];
    await this.#write(text, values);
  }

  /** It was run: whole or not. What came of it is kept also when it is changed and run again. */
  async end(id: number, state: "done" | "failed"): Promise<void> {
    await this.#write(END, [id, state, this.#now()]);
  }

  /** What came of each time that it was run, the latest first. */
  async runs(id: number, limit: number): Promise<readonly StoredRun[]> {
    return await this.app.db.query<StoredRun & object>({ text: RUNS, values: [id, limit] });
  }

  /** Keeps what came of actions; one without problems is done, unless `undone`. */
  async mark(id: number, outcomes: readonly Outcome<StoredAction>[], undone = false): Promise<void> {
    const items = outcomes.map(({ of: { uid, documentId, locale }, problems }) => ({
      ...{ uid, documentId, locale, problems },
      state: problems.length > 0 ? "failed" : undone ? "waiting" : "done",
    }));
    await this.#write(MARK, [id, JSON.stringify(items)]);
  }

  /** What failed is tried again. */
  async resetFailed(id: number): Promise<void> {
    const text =
      "update plinth_release_action set state = 'waiting', problems = '[]' where release = $1 and state = 'failed'";
    await this.#write(text, [id]);
  }

  /** Those that were due a while ago. */
  async overdue(): Promise<readonly { readonly id: number; readonly at: Date }[]> {
    return await this.app.db.query<{ id: number; at: Date }>({ text: OVERDUE, values: [] });
  }

  /** By the clock of the database, as of this moment and not as of the start of the transaction, which may run a whole release. */
  #now(): Date {
    return new Date(this.app.clock.now());
  }

  async #read(text: string, values: readonly unknown[]): Promise<readonly StoredRelease[]> {
    return await this.app.db.query<StoredRelease & object>({ text, values, isPlan: true });
  }

  async #write(text: string, values: readonly unknown[]): Promise<void> {
    await this.app.db.query({ text, values, isPlan: true });
  }
}

const placed = (actions: readonly StoredAction[]): string =>
  JSON.stringify(
    actions.map(({ uid, documentId, locale, action }, place) => ({ place, uid, documentId, locale, action })),
  );

/** A release as callers see it. */
export function viewOf(release: StoredRelease): Release {
  const { id, name, state, transaction, at, createdAt, startedAt, endedAt, actions } = release;
  return {
    ...{ id, name, state, transaction, version: versionOf(release) },
    at: timeOf(at),
    createdAt: createdAt.toISOString(),
    startedAt: timeOf(startedAt),
    endedAt: timeOf(endedAt),
    actions: actions.map(({ state: own, problems, ...action }) => ({ ...viewOfAction(action), state: own, problems })),
  };
}

/** A document of a release as callers see it. */
export const viewOfAction = ({ uid, documentId, locale, action }: StoredAction) => ({
  ...{ type: uid, documentId, action },
  locale: locale === "" ? null : locale,
});

const timeOf = (time: Date | null): string | null => time?.toISOString() ?? null;
