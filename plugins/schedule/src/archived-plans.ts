import type { ArchivedRows } from "@plinth/core/archive";
import type { App, Database, WriteActor } from "@plinth/core";
import * as v from "@plinth/core/valibot";
import { jobs } from "@plinth/plugin-jobs";
import { enqueueRelease, enqueueSchedule } from "./jobs.js";
import { ScheduleStore } from "./schedules/schedule-store.js";
import { timeText } from "./time-text.js";

/** How many plans, and how many releases of up to 1,000 documents, one statement reads. */
const [PLANS_PAGE, RELEASES_PAGE] = [500, 20];

const ACTIONS = `select json_agg(json_build_object('uid', uid, 'documentId', document_id, 'locale', locale, 'action', action,
  'isDone', a.state = 'done') order by place) from plinth_release_action a where release = r.id`;
const PLANS = `select id::float8 as id, json_build_object('plan', json_build_object('uid', uid, 'documentId', document_id,
  'locale', locale, 'action', action, 'at', at, 'actor', actor)) as line
  from plinth_schedule where failed_at is null and id > $1 order by id limit ${PLANS_PAGE}`;
const RELEASES = `select id::float8 as id, json_build_object('release', json_build_object('name', name, 'transaction', transaction,
  'at', at, 'createdAt', created_at, 'creator', creator, 'actor', actor, 'actions', coalesce((${ACTIONS}), '[]'))) as line
  from plinth_release r where state in ('open', 'scheduled', 'running') and id > $1 order by id limit ${RELEASES_PAGE}`;

const PRESENT = `select place from jsonb_to_recordset($1::jsonb) as line(place int, plan jsonb, release jsonb)
  where exists (select 1 from plinth_schedule where uid = plan ->> 'uid' and document_id = plan ->> 'documentId'
    and locale = plan ->> 'locale' and action = plan ->> 'action')
  or exists (select 1 from plinth_release where name = release ->> 'name'
    and created_at = (release ->> 'createdAt')::timestamptz)`;
const INSERT = `with made as (insert into plinth_release (name, transaction, state, at, created_at, creator, actor)
    values ($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb) returning id),
  added as (insert into plinth_release_action (release, place, uid, document_id, locale, action, state)
    select made.id, item.place, item.uid, item."documentId", item.locale, item.action, case when item."isDone" then 'done' else 'waiting' end
    from made, jsonb_to_recordset($8::jsonb) as item(place int, uid text, "documentId" text, locale text, action text, "isDone" boolean))
  select id::float8 as id from made`;

const text = v.pipe(
  v.string(),
  v.maxLength(255),
  v.check((given) => !given.includes("\0")),
);
const actor = v.nullable(v.strictObject({ kind: text, id: v.optional(text) }));
const action = v.picklist(["publish", "unpublish"]);
const subject = { uid: v.string(), documentId: text, locale: text, action };
const plan = v.strictObject({ ...subject, at: timeText, actor });
const storedAction = v.strictObject({ ...subject, isDone: v.boolean() });
const release = v.strictObject({
  ...{ name: text, transaction: v.boolean(), at: v.nullable(timeText), createdAt: timeText },
  ...{ creator: actor, actor },
  actions: v.pipe(
    v.array(storedAction),
    v.maxLength(1_000),
    v.check(
      (all) => new Set(all.map((each) => [each.uid, each.documentId, each.locale].join(" "))).size === all.length,
    ),
  ),
});
const line = v.union([v.strictObject({ plan }), v.strictObject({ release })]);

type Plan = v.InferOutput<typeof plan>;
type ArchivedRelease = v.InferOutput<typeof release>;
type Line = v.InferOutput<typeof line>;

/**
 * What archives carry: plans that wait, and releases that have not ended. What has failed or is done stays behind, and so does
 * what no import takes: about a type that is gone or has no drafts any more, or a plan of a year beyond 9999.
 */
export const archivedPlans = (app: App): ArchivedRows => ({
  async *read(db) {
    for await (const each of linesOf(db, PLANS, PLANS_PAGE)) if (!faultOf(app, each)) yield each;
    for await (const each of linesOf(db, RELEASES, RELEASES_PAGE)) {
      const portable = portableRelease(app, each as StoredLine);
      if (portable && !faultOf(app, portable)) yield portable;
    }
  },

  faultOf,

  async missing({ db }, values) {
    const lines = (values as readonly Line[]).map((each, place) => ({ place, ...each }));
    const found = await db.query<{ place: number }>({ text: PRESENT, values: [JSON.stringify(lines)] });
    const present = new Set(found.map(({ place }) => place));
    return values.filter((_, place) => !present.has(place));
  },

  async write(app, values) {
    for (const each of values as readonly Line[])
      await ("plan" in each ? writePlan(app, each.plan) : writeRelease(app, each.release));
  },
});

function faultOf({ model }: App, value: unknown): string | undefined {
  const { success, output, issues } = v.safeParse(line, value);
  if (!success) return `is no plan and no release that waits (${issues[0].message})`;
  const subjects = "plan" in output ? [output.plan] : output.release.actions;
  const wrong = subjects.find(({ uid }) => !model.contentTypes.get(uid)?.hasDrafts);
  return wrong && `is about ${wrong.uid}, which is no content-type with drafts here`;
}

/** A release as the database has it. */
interface StoredLine {
  readonly release: Pick<ArchivedRelease, "actions">;
}

/** A release with those of its actions that can be done; undefined where none of them can. */
function portableRelease({ model }: App, { release: stored }: StoredLine): object | undefined {
  const actions = stored.actions.filter(
    (each) => model.contentTypes.get(each.uid)?.hasDrafts && v.is(storedAction, each),
  );
  return actions.length === 0 ? undefined : { release: { ...stored, actions } };
}

async function* linesOf(db: Database, statement: string, limit: number): AsyncIterable<object> {
  let [after, isLast] = [0, false];
  while (!isLast) {
    const rows = await db.query<{ id: number; line: object }>({ text: statement, values: [after] });
    for (const row of rows) yield row.line;
    after = rows.at(-1)?.id ?? after;
    isLast = rows.length < limit;
  }
}

async function writePlan(app: App, { at: text, actor: planner, ...what }: Plan): Promise<void> {
  const at = new Date(text);
  const id = await new ScheduleStore(app).plan(what, at, planner as WriteActor | null);
  await enqueueSchedule(app.extension(jobs), id, at);
}

async function writeRelease(app: App, given: ArchivedRelease): Promise<void> {
  const { name, transaction, createdAt, creator, actor: runner, actions } = given;
  const at = given.at === null ? null : new Date(given.at);
  const placed = actions.map((each, place) => ({ place, ...each }));
  const people = [creator, runner].map((each) => each && JSON.stringify(each));
  const values = [name, transaction, at ? "scheduled" : "open", at, createdAt, ...people, JSON.stringify(placed)];
  const [made] = await app.db.query<{ id: number }>({ text: INSERT, values });
  if (made && at) await enqueueRelease(app.extension(jobs), made.id, at);
}
