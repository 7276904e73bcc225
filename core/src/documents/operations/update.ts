import { readVersions, timeText, type Version } from "../../database/writes/version.js";
import type { Document, Precondition, UpdateParams } from "../documents.js";
import type { WriteInput } from "../input.js";
import { buildRow, type RowChange } from "../write/build-row.js";
import { updateRow } from "../write/change-row.js";
import { checkVersion } from "../write/check-version.js";
import { assertPublishable, copyVersion } from "../write/copy-version.js";
import { copySharedLinks, shareWithLocales, startLocale, writeLocale } from "../write/locales.js";
import { numberUids } from "../write/number-uids.js";
import { runWrite } from "../write/run-write.js";
import { changesNothing } from "../write/unchanged.js";
import type { WriteScope } from "../write/write-scope.js";
import { presetLocale } from "./preset-locale.js";
import {
  answerWrite,
  besides,
  callOf,
  idOf,
  lockVersions,
  openScope,
  parseBody,
  publishing,
  publishWritten,
  type WriteParts,
} from "./write-steps.js";

/** @returns null when there is no such document, or the ability's rule does not reach it. @throws as `create`, and as checkVersion */
export async function update(parts: WriteParts, params: UpdateParams): Promise<Document | null> {
  const { layout, listeners, plan, reads, runner } = parts;
  const { type } = plan;
  // JavaScript may pass undefined; no document has an empty id.
  const { documentId = "", alsoPublished = false, ability, author } = params;
  const locale = writeLocale(layout.model, type, params.locale);
  const publishes = params.status === "published";
  const isPublished = publishes && type.hasDrafts;
  const answer = reads.answerTo(params, documentId);
  const body = await parseBody(parts, params, { operation: "update", action: "update", documentId });
  return await runWrite(runner, type.uid, async (attempts) => {
    const versions = await lockVersions(parts, documentId);
    if (versions.length === 0) return absent(params);
    const own = versions.filter((version) => version.locale === locale.row);
    const scope = openScope(parts, { attempts, versions, locale: locale.relations, ability, author });
    const target: Target = { locale: locale.row, own, versions };
    const reached = rowsToReach(parts, target, publishes || alsoPublished);
    if (!(await scope.rules.reachesAll(type.uid, "update", reached))) return absent(params);
    const actions = scope.rules.asked(type, "update", publishes || alsoPublished);
    await scope.rules.assertReached(type.uid, actions, reached);
    checkVersion(params, own, scope.rules.readsDrafts(type));
    const write = own.length === 0 ? "create" : "update";
    const { data, input } = write === "create" ? await presetLocale(parts, params, body) : body;
    const event = { ...eventOf(parts, params, target), data, ...publishing(isPublished) };
    await listeners.before(write, event);
    const planned = await planPresentRow(parts, scope, target, input);
    const change = { input, alsoPublished, publishes: isPublished, visibility: params.visibility ?? "code" };
    const isEmpty = planned !== undefined && (await changesNothing(scope, plan, { ...planned, ...change, versions }));
    const isAsked = isEmpty && isPublished;
    if (isAsked) await listeners.before("publish", event);
    if (isEmpty && (await areAsRead(parts, target))) return (await answerWrite(parts, answer, event, [])) ?? null;
    await listeners.ahead(write, event);
    const { row, others } = await changeDocument(parts, scope, target, { input, alsoPublished, planned });
    const written = { row, versions, actions, event, isAsked };
    const published = isPublished ? await publishWritten(parts, scope, written) : [];
    await scope.rules.assertReached(type.uid, actions, [row, ...others, ...published].map(idOf));
    return (await answerWrite(parts, answer, event, isPublished ? [write, "publish"] : [write])) ?? null;
  });
}

/** The answer where there is no document to change. @throws PLINTH_DOCUMENT_VERSION_MISMATCH (412) where one is expected */
function absent(precondition: Precondition): null {
  checkVersion(precondition, [], true);
  return null;
}

/** The event of an update, but for its data and whether it publishes. */
function eventOf({ plan: { type } }: WriteParts, params: UpdateParams, { locale, own, versions }: Target) {
  const locales = [locale];
  const changes = params.alsoPublished && type.hasDrafts && own.some(({ isDraft }) => !isDraft);
  return {
    ...{ uid: type.uid, documentId: params.documentId, locales, ...besides(versions, locales), ...callOf(params) },
    ...(changes ? { changesPublished: true as const } : {}),
  };
}

/** What of a document is changed. */
interface Target {
  /** `""` on types that are not localised. */
  readonly locale: string;
  /** Its versions in the locale; none where the update starts it. */
  readonly own: readonly Version[];
  readonly versions: readonly Version[];
}

/**
 * The rows that have to be reached before an update: those that it changes, or, where it starts a locale, the one that
 * the locale starts from.
 */
function rowsToReach(parts: WriteParts, { own, versions }: Target, publishes: boolean): readonly string[] {
  if (own.length === 0) return [modelOf(parts, versions).id];
  const draft = own.find(({ isDraft }) => isDraft);
  return (draft && !publishes ? [draft] : own).map(idOf);
}

/** A row of the document, and what the body changes of it. */
interface PlannedRow {
  readonly old: Version;
  readonly change: RowChange;
}

/** Whether no handler of `before` has written the document since it was read. */
async function areAsRead({ db, listeners, plan }: WriteParts, { versions }: Target): Promise<boolean> {
  const { uid } = plan.type;
  if (!listeners.hasBefore("update", uid) && !listeners.hasBefore("publish", uid)) return true;
  const now = await readVersions(db, { text: plan.sql.versions, values: [versions[0]?.documentId] });
  const stampsOf = (some: readonly Version[]) => some.map(({ stamp }) => stamp).join();
  return stampsOf(now) === stampsOf(versions);
}

/** What a body changes of the row that it is about; undefined where that is not there yet. */
async function planPresentRow(
  parts: WriteParts,
  scope: WriteScope,
  target: Target,
  input: WriteInput,
): Promise<PlannedRow | undefined> {
  const old = target.own.find(({ isDraft }) => isDraft === parts.plan.type.hasDrafts);
  return old && (await planRow(parts, scope, target, { input, old }));
}

async function planRow(
  { plan }: WriteParts,
  scope: WriteScope,
  { own }: Target,
  { input, old }: { readonly input: WriteInput; readonly old: Version },
): Promise<PlannedRow> {
  const published = own.filter(({ id, isDraft }) => id !== old.id && !isDraft);
  const numbered = await numberUids(scope, plan, input, old);
  return { old, change: await buildRow(scope, plan, numbered, [old, ...published]) };
}

/** What a body changes, and whether the published row gets the same. */
interface Change {
  readonly input: WriteInput;
  readonly alsoPublished: boolean;
  /** Undefined where the row has to be made. */
  readonly planned: PlannedRow | undefined;
}

/** Changes the row of the locale, what other locales share with it, and the published row if asked to. */
async function changeDocument(
  parts: WriteParts,
  scope: WriteScope,
  target: Target,
  { input: given, alsoPublished, planned }: Change,
): Promise<{ readonly row: Version; readonly others: readonly Version[] }> {
  const { plan } = parts;
  const { own, versions, locale } = target;
  const isNew = own.length === 0;
  const input = isNew ? startLocale(plan.type, given, modelOf(parts, versions)) : given;
  const makeRow = () => (isNew ? addLocale(parts, scope, target) : addDraft(parts, scope, target));
  const { old, change } = planned ?? (await planRow(parts, scope, target, { input, old: await makeRow() }));
  const published = own.filter(({ id, isDraft }) => id !== old.id && !isDraft);
  const row = await updateRow(scope, plan, old, change);
  if (isNew && !plan.type.hasDrafts) assertPublishable(scope, plan, [row]);
  if (change.touchesShared) await shareWithLocales(scope, plan, row, versions);
  for (const other of alsoPublished ? published : []) {
    // A draft with unpublished changes has to stay the later one of the two.
    const now = old.updatedAt > other.updatedAt ? scope.now - 1 : scope.now;
    await changePublished(parts, { ...scope, now }, input, { old: other, versions });
  }
  const others = change.touchesShared ? versions.filter((version) => version.locale !== locale) : [];
  return { row, others };
}

/** Makes a change in a published row that has been made in its draft. */
async function changePublished(
  { plan }: WriteParts,
  scope: WriteScope,
  input: WriteInput,
  { old, versions }: { readonly old: Version; readonly versions: readonly Version[] },
): Promise<void> {
  const change = await buildRow(scope, plan, input, [old]);
  const row = await updateRow(scope, plan, old, change);
  assertPublishable(scope, plan, [row]);
  if (change.touchesShared) await shareWithLocales(scope, plan, row, versions);
}

/** Makes the draft, which is missing, from the published row. */
async function addDraft({ plan }: WriteParts, scope: WriteScope, { own, versions }: Target): Promise<Version> {
  return await copyVersion(scope, plan, own[0] as Version, versions);
}

/** Starts a locale of the document with what all locales share. */
async function addLocale(parts: WriteParts, scope: WriteScope, { locale, versions }: Target): Promise<Version> {
  const { db, plan } = parts;
  const model = modelOf(parts, versions);
  const time = timeText(scope.now);
  const values = [model.id, locale, time, plan.type.hasDrafts ? null : time, scope.author];
  const [row] = (await readVersions(db, { text: plan.sql.newLocale, values })) as [Version];
  await copySharedLinks(scope, plan, model, [row.id]);
  return row;
}

/** The row that a new locale starts from. */
function modelOf({ layout, plan }: WriteParts, versions: readonly Version[]): Version {
  const rank = (version: Version) =>
    (version.isDraft === plan.type.hasDrafts ? 0 : 2) + (version.locale === layout.model.defaultLocale ? 0 : 1);
  const [model] = [...versions].sort((a, b) => rank(a) - rank(b)) as [Version];
  return model;
}
