import { isRelation } from "../../database/layout/layout.js";
import { readVersions, timeText, type Version } from "../../database/writes/version.js";
import type { WritePlan } from "../../database/writes/write-plan.js";
import type { RowChange } from "./build-row.js";
import { writeComponentUniques } from "./component-uniques.js";
import { releasePreviousOwner } from "./release-previous-owner.js";
import { writeInverses } from "./write-inverse.js";
import { newLinks, writeLinks } from "./write-links.js";
import type { WriteScope } from "./write-scope.js";

/** A document that is to be made. */
export interface NewRow {
  readonly documentId: string;
  /** `""` on types that are not localised. */
  readonly locale: string;
}

/**
 * Inserts the first row of a document: its draft, or its only row on types without drafts. A row that is not needed
 * afterwards is written with the next statement; until then the given row has neither id nor stamp.
 */
export async function insertRow(
  scope: WriteScope,
  plan: WritePlan,
  { documentId, locale }: NewRow,
  change: RowChange,
): Promise<Version> {
  const time = timeText(scope.now);
  const isDraft = plan.type.hasDrafts;
  const system = {
    document_id: documentId,
    locale,
    published_at: isDraft ? null : time,
    created_at: time,
    updated_at: time,
    created_by_id: scope.author,
    updated_by_id: scope.author,
  };
  await prepare(scope, plan, { documentId, locale, isDraft, content: {} }, change);
  // One hidden class for all of them: decision 11.
  const record = Object.assign({}, plan.emptyLists, change.record, system);
  const links = plan.sql.links ? [JSON.stringify(newLinks(scope, plan, change))] : [];
  const values = [JSON.stringify(record), ...links];
  const nothing = { id: "", stamp: "", updatedAt: scope.now, content: {} };
  const foreseen = predictRow(plan, { documentId, locale, isDraft, ...nothing }, record);
  if (isDeferrable(scope, plan, foreseen, change)) {
    scope.unit.insert(plan, values);
    return foreseen;
  }
  const [row] = (await readVersions(scope.db, { text: plan.sql.insert, values })) as [Version];
  await writeOutside(scope, plan, row, change);
  return row;
}

/**
 * Changes a row in place: a draft, or the only row on types without drafts. Every change sets `updated_at`, and its
 * author: null where that is not known, because it was not the last one. As `insertRow`.
 */
export async function updateRow(scope: WriteScope, plan: WritePlan, old: Version, change: RowChange): Promise<Version> {
  await prepare(scope, plan, old, change);
  const record = { updated_at: timeText(scope.now), updated_by_id: scope.author, ...change.record };
  if (!touchesLinks(plan, change) && isDeferrable(scope, plan, old, change)) {
    scope.unit.update(plan, old.id, record);
    return predictRow(plan, old, record);
  }
  const values = [old.id, JSON.stringify(record)];
  const text = `${plan.sql.update(Object.keys(record))} ${plan.sql.returning}`;
  const [row] = (await readVersions(scope.db, { text, values })) as [Version];
  await writeLinks(scope, plan, row, change);
  await writeOutside(scope, plan, row, change);
  return canLeadToItself(plan, change) ? await readAgain(scope, plan, row) : row;
}

/** Whether a row can be written later: nothing else is written because of it, and no rule asks which row it is. */
function isDeferrable({ rules }: WriteScope, plan: WritePlan, { isDraft }: Version, { inverses }: RowChange): boolean {
  const { uid } = plan.type;
  if (inverses.size > 0 || (plan.hasComponentUniques && !isDraft)) return false;
  return !rules.hasRule(uid, ["create", "update", "publish"]);
}

const touchesLinks = (plan: WritePlan, { lists, touchesComponents }: RowChange): boolean =>
  lists.size > 0 || (touchesComponents && plan.codes.embedded.size > 0);

/** The row that a record makes of another one. What `parseInput` gives has the form that is read back. */
export function predictRow({ type }: WritePlan, row: Version, record: Readonly<Record<string, unknown>>): Version {
  const content: Record<string, unknown> = { ...row.content };
  for (const attribute of type.attributes.values()) {
    const { column, name } = attribute;
    if (column === undefined || !(column in record)) continue;
    const value = record[column];
    const isLink = isRelation(attribute) && value !== null;
    content[name] = isLink ? { documentId: value, type: record[`${column}_type`] ?? "" } : value;
  }
  return { ...row, content };
}

/** The other side of a relation of a type to itself may be kept in the very row that is changed. */
function canLeadToItself({ type, inverses }: WritePlan, change: RowChange): boolean {
  return [...change.inverses.keys()].some((name) => inverses.get(name)?.owner.uid === type.uid);
}

async function readAgain({ db }: WriteScope, { sql }: WritePlan, row: Version): Promise<Version> {
  const versions = await readVersions(db, { text: sql.versions, values: [row.documentId] });
  return versions.find(({ id }) => id === row.id) as Version;
}

/** What has to happen before the row itself is written. */
async function prepare(
  scope: WriteScope,
  plan: WritePlan,
  row: Pick<Version, "documentId" | "locale" | "isDraft" | "content">,
  change: RowChange,
): Promise<void> {
  const { documentId, locale, isDraft } = row;
  for (const exclusive of plan.exclusives) {
    const target = change.record[exclusive.attribute.column ?? ""];
    if (typeof target === "string")
      await releasePreviousOwner(scope, plan, exclusive, { target, locale, isDraft, documentId });
  }
  if (isDraft) return;
  const given = plan.uniques.flatMap(({ name, column }) =>
    column in change.record ? [[name, change.record[column]]] : [],
  );
  const content = { ...row.content, ...Object.fromEntries(given) };
  scope.attempts.push({ plan, documentId, locale, content, generated: scope.generated });
}

/** The effects of a change on rows of other documents. */
async function writeOutside(scope: WriteScope, plan: WritePlan, row: Version, { inverses }: RowChange): Promise<void> {
  await writeInverses(scope, plan, row, inverses);
  if (!row.isDraft) await writeComponentUniques(scope, plan, row);
}
