import type { InversePlan } from "../../database/writes/inverse-plan.js";
import type { Version } from "../../database/writes/version.js";
import type { WritePlan } from "../../database/writes/write-plan.js";
import { messageOnly, TargetNotFoundError } from "../errors.js";
import { changeList, type ListChange, type Placed, placeList, type Target } from "./link-list.js";
import type { WriteScope } from "./write-scope.js";

/** A row of the type that keeps the links. */
interface OwnerRow {
  readonly id: string;
  readonly documentId: string;
  readonly isDraft: boolean;
  readonly isLinked: boolean;
  readonly position: number | null;
}

/**
 * Writes the relations of a row that the other side keeps: the rows of the owners change. A row of a type without
 * drafts changes the owners' drafts and published rows; a draft changes drafts only, and publishing it carries the
 * change on (`copyVersion`). Owners without drafts have one row, which changes at once. Two reads and at most two
 * writes per relation.
 *
 * @throws PLINTH_DOCUMENT_TARGET_NOT_FOUND (400) for an owner that has no row in the locale
 * @throws PLINTH_ACCESS_FORBIDDEN (403) for an owner that the actor's rule on updating it does not reach, before or after
 * @source plugins/content-api/WIRE.md#inverse-sides
 */
export async function writeInverses(
  scope: WriteScope,
  plan: WritePlan,
  row: Version,
  changes: ReadonlyMap<string, ListChange>,
): Promise<void> {
  for (const [name, change] of changes) {
    const inverse = plan.inverses.get(name) as InversePlan;
    const diff = await compareInverse(scope, plan, row, { inverse, change });
    await writeOwners(scope, inverse, row, { ...diff, changesPublished: !plan.type.hasDrafts });
  }
}

/** A relation that the other side keeps, and what a body changes of it. */
interface InverseChange {
  readonly inverse: InversePlan;
  readonly change: ListChange;
}

/** Locks the owners that a change is about, and says what it changes of them. @throws as writeInverses, but for rules */
export async function compareInverse(
  scope: WriteScope,
  plan: WritePlan,
  row: Version,
  { inverse, change }: InverseChange,
): Promise<OwnerDiff> {
  const locale = ownerLocale(scope, plan, inverse, row);
  const named = "set" in change ? change.set : change.connect.map(({ target }) => target);
  const values = [row.documentId, named.map(({ documentId }) => documentId), locale];
  // A statement that waits for a lock does not see the rows that were made meanwhile.
  await scope.db.query({ text: inverse.sql.lock, values, isPlan: true });
  const rows = await scope.db.query<{ owner: string }>({ text: inverse.sql.read, values, isPlan: true });
  const owners = rows.map(({ owner }) => JSON.parse(owner) as OwnerRow);
  const diffs = versionsOf(plan, inverse).map((isDraft) => {
    const version = owners.filter((owner) => owner.isDraft === isDraft);
    const isMain = isDraft === inverse.owner.hasDrafts;
    const wanted = wantedOwners(version, inverse, isMain ? change : lenient(change), scope.now);
    if (isMain) assertPresent(version, wanted, locale);
    return compareOwners(version, wanted);
  });
  return { unlinked: diffs.flatMap(({ unlinked }) => unlinked), linked: diffs.flatMap(({ linked }) => linked) };
}

/** Which rows of the owners lose the link, and which get it or another place for it. */
export interface OwnerDiff {
  readonly unlinked: readonly string[];
  readonly linked: readonly { readonly id: string; readonly position: number }[];
}

function compareOwners(rows: readonly OwnerRow[], wanted: readonly Placed[]): OwnerDiff {
  const places = new Map(wanted.map(({ documentId, position }) => [documentId, position]));
  const changed = rows.filter(({ documentId, isLinked, position }) => !isLinked || places.get(documentId) !== position);
  return {
    unlinked: rows.filter(({ documentId, isLinked }) => isLinked && !places.has(documentId)).map(({ id }) => id),
    linked: changed.flatMap(({ id, documentId }) => {
      const position = places.get(documentId);
      return position === undefined ? [] : [{ id, position }];
    }),
  };
}

/** @throws PLINTH_DOCUMENT_TARGET_NOT_FOUND (400) */
function assertPresent(rows: readonly OwnerRow[], wanted: readonly Target[], locale: string): void {
  const present = new Set(rows.map(({ documentId }) => documentId));
  const missing = wanted.find(({ documentId }) => !present.has(documentId));
  if (missing === undefined) return;
  throw new TargetNotFoundError({ [messageOnly]: { documentId: missing.documentId, ...(locale ? { locale } : {}) } });
}

/**
 * Changes rows that are the actor's to change: a link written from here must not bypass their rules on the owners.
 * Taken away first: a one-to-one may have one holder only at every moment.
 */
async function writeOwners(
  { db, now, rules }: WriteScope,
  { owner, owning, sql }: InversePlan,
  { documentId }: Version,
  { unlinked, linked, changesPublished }: OwnerDiff & { readonly changesPublished: boolean },
): Promise<void> {
  const changed = [...unlinked, ...linked.map(({ id }) => id)];
  if (changed.length === 0) return;
  rules.assertWritten(owner.uid, "update", owning.name);
  const actions = rules.asked(owner, "update", changesPublished);
  await rules.assertReached(owner.uid, actions, changed);
  if (unlinked.length > 0) await db.query({ text: sql.unlink, values: [documentId, unlinked], isPlan: true });
  if (linked.length > 0)
    await db.query({ text: sql.link, values: [documentId, JSON.stringify(linked), now], isPlan: true });
  await rules.assertReached(owner.uid, actions, changed);
}

function wantedOwners(
  rows: readonly OwnerRow[],
  inverse: InversePlan,
  change: ListChange,
  now: number,
): readonly Placed[] {
  const current = rows
    .filter((owner) => owner.isLinked)
    .map(({ documentId, position }) => ({ documentId, type: "", position: position ?? 0 }))
    .sort((a, b) => a.position - b.position);
  const replaces = !inverse.attribute.isMany && "connect" in change && change.connect.length > 0;
  return placeList(current, changeList(replaces ? [] : current, asOwners(change), inverse.attribute.name), now);
}

/** Which versions of the owners change: true is the draft. */
function versionsOf(plan: WritePlan, { owner }: InversePlan): readonly boolean[] {
  if (!owner.hasDrafts) return [false];
  return plan.type.hasDrafts ? [true] : [true, false];
}

/** The published list may lack what a position refers to; there the end is meant. */
function lenient(change: ListChange): ListChange {
  return "set" in change
    ? change
    : { ...change, connect: change.connect.map((item) => ({ ...item, isStrict: false })) };
}

/** Owners are all of one type, so their type does not matter in the list. */
function asOwners(change: ListChange): ListChange {
  const one = ({ documentId }: Target): Target => ({ documentId, type: "" });
  if ("set" in change) return { set: change.set.map(one) };
  return { connect: change.connect, disconnect: change.disconnect.map(one) };
}

/**
 * The locale of the owners' rows.
 *
 * @source plugins/content-api/WIRE.md#inverse-sides, the request's locale, else the default
 */
function ownerLocale(scope: WriteScope, plan: WritePlan, { owner }: InversePlan, row: Version): string {
  if (!owner.isLocalized) return "";
  return plan.type.isLocalized ? row.locale : scope.locale;
}
