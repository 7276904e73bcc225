import type { Version } from "../../database/writes/version.js";
import type { Document, VersionParams, VersionsResult } from "../documents.js";
import { NoDraftsError } from "../errors.js";
import type { WriteEvent } from "../hooks.js";
import { InvalidOptionError } from "../params/errors.js";
import { checkVersion } from "../write/check-version.js";
import { versionLocales } from "../write/locales.js";
import type { WriteAction } from "../write/row-rules.js";
import { runWrite } from "../write/run-write.js";
import type { WriteScope } from "../write/write-scope.js";
import { besides, callOf, idOf, lockVersions, openScope, type WriteParts } from "./write-steps.js";

/** An operation on versions that are there. */
export interface VersionOperation {
  readonly kind: Exclude<WriteAction, "create" | "update">;
  /** Which of the versions it is about. */
  chooses(version: Version): boolean;
  /** What it does between its hooks. */
  run(parts: WriteParts, run: VersionRun): Promise<Done>;
}

/** One run of an operation: what it found, and what it works with. */
export interface VersionRun {
  readonly scope: WriteScope;
  readonly params: VersionParams;
  /** The rows that the operation is about. */
  readonly chosen: readonly Version[];
  /** All rows of the document. */
  readonly versions: readonly Version[];
  /** To be called before its last statements: what goes along is sent with them. */
  readonly goAlong: () => Promise<void>;
}

/** What an operation did. */
export interface Done {
  /** The rows that it wrote. */
  readonly written: readonly Version[];
  /** What it returns. */
  readonly entries: readonly Document[];
}

/** Finds and locks a document in one, several or all locales, and runs an operation on it between its hooks. */
export async function runOnVersions(
  parts: WriteParts,
  { kind, chooses, run }: VersionOperation,
  params: VersionParams,
): Promise<VersionsResult> {
  const { layout, listeners, plan, runner } = parts;
  const { type } = plan;
  // JavaScript may pass undefined; no document has an empty id.
  const { documentId = "", ability, author } = params;
  if (kind !== "delete" && !type.hasDrafts) throw new NoDraftsError({ uid: type.uid, operation: kind });
  assertFilters(kind, params);
  checkAnswer(parts, params);
  const locales = versionLocales(layout.model, type, params.locale);
  return await runWrite(runner, type.uid, async (attempts) => {
    const versions = await lockVersions(parts, documentId, kind === "delete" ? "lockToRemove" : "lock");
    const scope = openScope(parts, { attempts, versions, ability, author });
    const inLocales = versions.filter((version) => locales?.has(version.locale) ?? true);
    const reached = await localesReached(scope, type.uid, kind, inLocales);
    const inReach = inLocales.filter(({ locale }) => reached.has(locale));
    checkVersion(params, inReach, scope.rules.readsDrafts(type));
    const chosen = await fulfilling(parts, params, inReach.filter(chooses));
    if (chosen.length === 0) return { documentId, entries: [] };
    const changed = [...new Set(chosen.map(({ locale }) => locale))];
    const event = {
      ...{ uid: type.uid, documentId, locales: changed, ...besides(versions, changed) },
      ...callOf(params),
      ...goneOf(kind, chosen),
    };
    await listeners.before(kind, event);
    await listeners.ahead(kind, event);
    const { written, entries } = await run(parts, {
      ...{ scope, params, chosen, versions },
      goAlong: () => listeners.along(kind, event),
    });
    await scope.rules.assertReached(type.uid, [kind], written.map(idOf));
    await listeners.after(kind, { ...event, documents: entries });
    return { documentId, entries };
  });
}

/** The rows of those locales in which all of them fulfil the filters. */
async function fulfilling(
  { reads }: WriteParts,
  params: VersionParams,
  rows: readonly Version[],
): Promise<readonly Version[]> {
  if (params.filters === undefined) return rows;
  const right = await reads.fulfilling(params, rows.map(idOf));
  const wrong = new Set(rows.filter((row) => !right.has(idOf(row))).map(({ locale }) => locale));
  return rows.filter(({ locale }) => !wrong.has(locale));
}

/**
 * The filters of a caller would be compared with rows that they may not see, for as long as that takes, while the document
 * is locked. A filter that is null would choose everything.
 *
 * @throws PLINTH_QUERY_INVALID_OPTION (400)
 */
function assertFilters(operation: VersionOperation["kind"], { filters, visibility = "code" }: VersionParams): void {
  if (filters === undefined) return;
  const key = "filters";
  if (visibility === "public")
    throw new InvalidOptionError({
      key,
      operation,
      expected: 'left out beside `visibility: "public"`: read the document with them first',
    });
  if (filters === null) throw new InvalidOptionError({ key, operation, expected: "an object of conditions" });
}

/** What the event of a delete says beside. */
function goneOf(
  kind: VersionOperation["kind"],
  chosen: readonly Version[],
): Pick<WriteEvent, "wasPublished" | "publishedLocales"> {
  if (kind !== "delete") return {};
  const publishedLocales = chosen.filter(({ isDraft }) => !isDraft).map(({ locale }) => locale);
  return { wasPublished: publishedLocales.length > 0, publishedLocales };
}

/** A wrong name in what is to be returned changes nothing. @throws PLINTH_QUERY_* (400) */
function checkAnswer(
  { reads }: WriteParts,
  { documentId = "", fields, populate, selection, ability, visibility, withPrivate = false }: VersionParams,
): void {
  const reader = { withPrivate, ...(ability ? { ability } : {}), ...(visibility ? { visibility } : {}) };
  reads.answerTo({ fields, populate, ...(selection ? { selection } : {}), ...reader }, documentId);
}

/** The locales of which every row is reached: a locale's draft and published row go together. */
async function localesReached(
  { rules }: WriteScope,
  uid: string,
  action: WriteAction,
  versions: readonly Version[],
): Promise<ReadonlySet<string>> {
  const rows = await rules.reached(
    uid,
    action,
    versions.map(({ id }) => id),
  );
  const outside = new Set(versions.filter(({ id }) => !rows.has(id)).map(({ locale }) => locale));
  return new Set(versions.map(({ locale }) => locale).filter((locale) => !outside.has(locale)));
}
