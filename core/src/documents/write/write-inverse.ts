import { messageOnly, TargetNotFoundError } from "../errors.js";
import type { InversePlan } from "./inverse-plan.js";
import { changeList, type ListChange, type Placed, placeList, type Target } from "./link-list.js";
import type { Version } from "./version.js";
import type { WritePlan } from "./write-plan.js";
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
 * Writes a relation from the side that does not keep it: the rows of the owners change. A row of a type without drafts
 * changes the owners' drafts and published rows; a draft changes drafts only, and publishing it carries the change on
 * (`copyVersion`). Owners without drafts have one row, which changes at once.
 *
 * @throws PLINTH_DOCUMENT_TARGET_NOT_FOUND (400) for an owner that has no row in the locale
 * @source wire.md, section 0
 */
export async function writeInverse(scope: WriteScope, plan: WritePlan, row: Version, name: string, change: ListChange): Promise<void> {
  const inverse = plan.inverses.get(name) as InversePlan;
  const locale = ownerLocale(scope, plan, inverse, row);
  const named = "set" in change ? change.set : change.connect.map(({ target }) => target);
  const values = [row.documentId, named.map(({ documentId }) => documentId), locale];
  const rows = await scope.db.query<{ owner: string }>({ text: inverse.sql.read, values, isPlan: true });
  const owners = rows.map(({ owner }) => JSON.parse(owner) as OwnerRow);
  const unlinked: string[] = [];
  const linked: { id: string; position: number }[] = [];
  for (const isDraft of versionsOf(plan, inverse)) {
    const isMain = isDraft === inverse.owner.hasDrafts;
    const version = owners.filter((owner) => owner.isDraft === isDraft);
    const wanted = wantedOwners(version, inverse, isMain ? change : lenient(change), scope.now);
    const rowOf = new Map(version.map((owner) => [owner.documentId, owner]));
    const missing = wanted.find(({ documentId }) => !rowOf.has(documentId));
    if (missing && isMain) throw new TargetNotFoundError({ [messageOnly]: { documentId: missing.documentId, ...(locale ? { locale } : {}) } });
    const kept = new Set(wanted.map(({ documentId }) => documentId));
    unlinked.push(...version.filter((owner) => owner.isLinked && !kept.has(owner.documentId)).map(({ id }) => id));
    for (const { documentId, position } of wanted) {
      const owner = rowOf.get(documentId);
      if (owner && !(owner.isLinked && owner.position === position)) linked.push({ id: owner.id, position });
    }
  }
  await writeOwners(scope, inverse, row, { unlinked, linked });
}

/** Taken away first: a one-to-one may have one holder only at every moment. */
async function writeOwners(
  { db, now }: WriteScope,
  { sql }: InversePlan,
  { documentId }: Version,
  { unlinked, linked }: { readonly unlinked: readonly string[]; readonly linked: readonly { id: string; position: number }[] },
): Promise<void> {
  if (unlinked.length > 0) await db.query({ text: sql.unlink, values: [documentId, unlinked], isPlan: true });
  if (linked.length > 0) await db.query({ text: sql.link, values: [documentId, JSON.stringify(linked), now], isPlan: true });
}

function wantedOwners(rows: readonly OwnerRow[], inverse: InversePlan, change: ListChange, now: number): readonly Placed[] {
  const current = rows.filter((owner) => owner.isLinked).map(({ documentId, position }) => ({ documentId, type: "", position: position ?? 0 }));
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
  return "set" in change ? change : { ...change, connect: change.connect.map((item) => ({ ...item, isStrict: false })) };
}

/** Owners are all of one type, so their type does not matter in the list. */
function asOwners(change: ListChange): ListChange {
  const one = ({ documentId }: Target): Target => ({ documentId, type: "" });
  if ("set" in change) return { set: change.set.map(one) };
  return { connect: change.connect, disconnect: change.disconnect.map(one) };
}

/** The locale of the owners' rows. @source wire.md, section 0: the request's, else the default */
function ownerLocale(scope: WriteScope, plan: WritePlan, { owner }: InversePlan, row: Version): string {
  if (!owner.isLocalized) return "";
  return plan.type.isLocalized ? row.locale : scope.locale;
}
