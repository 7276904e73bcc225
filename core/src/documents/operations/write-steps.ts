import { type Ability, type FieldNames, type Reach, type SetValues, unlimited } from "../../access/ability.js";
import { currentOrigin } from "../../access/origin.js";
import { traceparentOf } from "../../base/tracing.js";
import type { Clock } from "../../database/clock.js";
import type { Database } from "../../database/driver/database.js";
import type { Layout } from "../../database/layout/layout.js";
import type { PreparedQuery } from "../../database/reads/query.js";
import type { Reader } from "../../database/reads/read.js";
import type { ComponentIds } from "../../database/writes/component-sql.js";
import { UnitOfWork } from "../../database/writes/unit-of-work.js";
import { toVersions, type Version, type VersionRow } from "../../database/writes/version.js";
import type { WritePlan } from "../../database/writes/write-plan.js";
import { hasNul } from "../../schema/parse-json.js";
import type { Author, CreateParams, Document } from "../documents.js";
import { transformInput, type WriteEvent, type writeHooks } from "../hooks.js";
import { isRecord } from "../input/is-record.js";
import { type HashPassword, parseInput } from "../input/parse-input.js";
import type { WriteInput } from "../input.js";
import type { Listeners } from "../listeners.js";
import type { Reads } from "../reads.js";
import { publishRow } from "../write/copy-version.js";
import { RowRules, type WriteAction } from "../write/row-rules.js";
import type { WriteRunner } from "../write/run-write.js";
import type { Attempt, WriteScope } from "../write/write-scope.js";

/** The origin of the body, and the rule for it. */
interface BodyOf {
  readonly operation: "create" | "update";
  readonly action: "create" | "update";
  readonly documentId: string | undefined;
}

/** The body of a write, as hooks see it, and checked. */
export interface ParsedBody {
  readonly data: CreateParams["data"];
  readonly input: WriteInput;
}

/** Checks the body of a write: all problems at once. @throws PLINTH_INPUT_* (400) */
export async function parseBody(
  parts: WriteParts,
  params: CreateParams,
  { operation, action, documentId }: BodyOf,
): Promise<ParsedBody> {
  const { listeners, layout, plan, hashPassword } = parts;
  const { uid } = plan.type;
  const { ability = unlimited } = params;
  const reach = ability.reachOf(`${uid}.${action}`);
  const set = setOf(reach);
  // JavaScript may leave the data out.
  const given = withSet(params.data ?? {}, set);
  const data = listeners.has(transformInput, uid)
    ? await listeners.bus.waterfall(transformInput, given, { uid, operation, documentId, origin: currentOrigin() })
    : given;
  const input = await parseInput(layout.model, plan.type, data, {
    mode: operation,
    hashPassword,
    visibility: params.visibility ?? "code",
    fields: fieldsOf(reach),
    set: set && new Set(Object.keys(set)),
    canFind: (target) => ability.can(`${target}.find`),
  });
  return { data, input };
}

/** The attributes that may be written; where no row may be written, the rows are checked. */
const fieldsOf = (reach: Reach): FieldNames | undefined => (reach.rows === "nothing" ? undefined : reach.fields);

/** What the rule of a writer sets. */
export const setOf = (reach: Reach): SetValues | undefined => (reach.rows === "nothing" ? undefined : reach.set);

/** A body with what the writer's rule sets in place of what it says of that; what is not an object is refused later. */
const withSet = (data: CreateParams["data"], set: SetValues | undefined): CreateParams["data"] =>
  set && isRecord(data) ? { ...data, ...set } : data;

/** What the event of a write says of locales that it is not made in. */
export function besides(versions: readonly Version[], locales: readonly string[]): Pick<WriteEvent, "otherLocales"> {
  const others = versions.filter(({ locale }) => !locales.includes(locale)).map(({ locale }) => locale);
  return others.length > 0 ? { otherLocales: [...new Set(others)] } : {};
}

/** What the event of a write says of its call. */
export function callOf({
  ability,
  author,
  isTrial = false,
}: Call): Pick<WriteEvent, "ability" | "author" | "origin" | "isTrial"> {
  const origin = currentOrigin();
  const traceparent = traceparentOf({ traceparent: origin.traceparent });
  return {
    ...(ability ? { ability } : {}),
    ...(author ? { author } : {}),
    origin: traceparent === undefined ? origin : { ...origin, traceparent },
    ...(isTrial ? { isTrial } : {}),
  };
}

type Call = Pick<CreateParams, "ability" | "author" | "isTrial">;

/** What the event of a create or update says of publishing. */
export const publishing = (isPublished: boolean): Pick<WriteEvent, "publishes"> =>
  isPublished ? { publishes: true } : {};

/** A row that was written, to be published. */
interface Written {
  readonly row: Version;
  /** All versions of the document as they were, or the new one. */
  readonly versions: readonly Version[];
  /** Whose rules hold. */
  readonly actions: readonly WriteAction[];
  readonly event: WriteEvent;
  /** Whether the handlers of `before` have been asked already. */
  readonly isAsked?: boolean;
}

/** Publishes the row that a write has written, within the hooks of publishing. @returns the published row where it is known already */
export async function publishWritten(
  { listeners, plan }: WriteParts,
  scope: WriteScope,
  { row, versions, actions, event, isAsked = false }: Written,
): Promise<readonly Version[]> {
  // Handlers see what was written.
  if (!isAsked && listeners.hasBefore("publish", event.uid)) await scope.unit.flush();
  if (!isAsked) await listeners.before("publish", event);
  await listeners.ahead("publish", event);
  return await publishRow(scope, plan, row, { versions, actions });
}

/**
 * Reads what a write returns, with what goes along, and runs the hooks after it. The transaction ends with the read where none of them is in
 * it.
 */
export async function answerWrite(
  { listeners, reads }: WriteParts,
  answer: PreparedQuery,
  event: WriteEvent,
  hooks: readonly (keyof typeof writeHooks)[],
): Promise<Document | undefined> {
  for (const each of hooks) await listeners.along(each, event);
  const isLast = !hooks.some((each) => listeners.hasAfter(each, event.uid));
  const documents = await reads.answer(answer, isLast);
  for (const each of hooks) await listeners.after(each, { documents, ...event });
  return documents[0];
}

/** The id of a row. */
export const idOf = ({ id }: Version): string => id;

/** What the writes of one content-type work with. */
export interface WriteParts {
  readonly db: Database;
  readonly runner: WriteRunner;
  readonly layout: Layout;
  readonly reader: Reader;
  readonly listeners: Listeners;
  readonly reads: Reads;
  readonly componentIds: ComponentIds;
  readonly hashPassword: HashPassword;
  /** Whether any role or token is granted an action by its name; see Permissions. */
  readonly isNamed: (action: string) => boolean;
  readonly plan: WritePlan;
  readonly clock: Clock;
}

/**
 * All rows of a document, locked until the transaction ends; none when there is no such document. They are read by a
 * second statement of the same round trip: one that waits for a lock does not see the rows that were made meanwhile. Nor
 * does it lock them, so both run again until all that are read are locked.
 *
 * @param lock - `lockToRemove` where rows are going to be deleted: waits for writers that link to the document. `lockToKeep`
 * where they must not be deleted: waits for those who do.
 */
export async function lockVersions(
  { db, plan }: WriteParts,
  documentId: string,
  lock: "lock" | "lockToRemove" | "lockToKeep" = "lock",
): Promise<readonly Version[]> {
  if (hasNul(documentId)) return [];
  const of = (text: string) => ({ text, values: [documentId], isPlan: true });
  for (;;) {
    const [rows, found] = await db.queryAll([of(plan.sql[lock]), of(plan.sql.versions)]);
    const locked = new Set((rows as { readonly id: string }[]).map(({ id }) => id));
    const versions = toVersions(found as VersionRow[]);
    if (versions.every(({ id }) => locked.has(id))) return versions;
  }
}

/** The id of the document of a single type, with any version. */
export async function singleId({ db, plan }: Pick<WriteParts, "db" | "plan">): Promise<string | undefined> {
  const [found] = await db.query<{ documentId: string }>({ text: plan.sql.anyDocument, values: [], isPlan: true });
  return found?.documentId;
}

/** The state of a write when it starts. */
interface ScopeStart {
  readonly attempts: Attempt[];
  /** Of the document; the write's time is later than every change of them. */
  readonly versions: readonly Version[];
  /** Default: the default one. */
  readonly locale?: string;
  /** Default: everything. */
  readonly ability: Ability | undefined;
  readonly author: Author | undefined;
}

/** What the steps of a run of a write share. */
export function openScope(parts: WriteParts, { attempts, versions, locale, ability, author }: ScopeStart): WriteScope {
  const { db, layout, componentIds, clock } = parts;
  const now = Math.max(clock.now(), ...versions.map(({ updatedAt }) => Math.round(updatedAt) + 1));
  const rules = new RowRules(parts, ability);
  return {
    db,
    unit: new UnitOfWork(db),
    layout,
    componentIds,
    rules,
    locale: locale ?? layout.model.defaultLocale,
    now,
    author: author?.id ?? null,
    attempts,
    generated: new Set(),
  };
}
