// Whether a write would leave everything as it is.
import { isDeepStrictEqual } from "node:util";
import { linkCode } from "../../database/layout/layout.js";
import type { Version } from "../../database/writes/version.js";
import type { WritePlan } from "../../database/writes/write-plan.js";
import { checkPublishable } from "../input/check-publishable.js";
import type { WriteInput } from "../input.js";
import type { Visibility } from "../params/parse-context.js";
import { buildRow, type RowChange } from "./build-row.js";
import { predictRow } from "./change-row.js";
import { changeList, keyOf, type ListChange } from "./link-list.js";
import { isReadableInput } from "./readable-input.js";
import { compareInverse } from "./write-inverse.js";
import type { WriteScope } from "./write-scope.js";

/** An update of rows that are there. */
export interface PlannedUpdate {
  readonly input: WriteInput;
  readonly visibility: Visibility;
  /** The row that the body changes, and what it changes of it. */
  readonly old: Version;
  readonly change: RowChange;
  /** All versions of the document, of other locales as well. */
  readonly versions: readonly Version[];
  /** Whether the published row gets the same change. */
  readonly alsoPublished: boolean;
  /** Whether the row is published afterwards. */
  readonly publishes: boolean;
}

/**
 * Whether an update would leave the document as it is, in all locales and versions, and its writer may know that.
 *
 * @throws as the update, for what its body names and is not there
 */
export async function changesNothing(scope: WriteScope, plan: WritePlan, update: PlannedUpdate): Promise<boolean> {
  const { input, old, change, versions, visibility, publishes } = update;
  const published = versions.find(({ id, locale, isDraft }) => locale === old.locale && !isDraft && id !== old.id);
  if (!(await leavesRow(scope, plan, old, change))) return false;
  if (change.touchesShared && !(await isShared(scope, plan, old, versions))) return false;
  const isSharedAgain = publishes || (update.alsoPublished && change.touchesShared);
  if (published && isSharedAgain && !(await isShared(scope, plan, published, versions))) return false;
  if (publishes && !(published && (await isPublishedAsItIs(scope, plan, old, published)))) return false;
  if (published && update.alsoPublished && !publishes && !(await leavesPublished(scope, plan, input, published)))
    return false;
  return await isReadableInput(scope, plan.type, { row: old, input, visibility, publishes });
}

async function leavesPublished(
  scope: WriteScope,
  plan: WritePlan,
  input: WriteInput,
  published: Version,
): Promise<boolean> {
  const change = await buildRow(scope, plan, input, [published]);
  return isPublishable(scope, plan, published) && (await leavesRow(scope, plan, published, change));
}

/** The rules of attributes may have changed since a row was published. */
const isPublishable = ({ layout }: WriteScope, { type }: WritePlan, { content }: Version): boolean =>
  checkPublishable(layout.model, type, content).length === 0;

/**
 * Whether a change leaves a row, its links, and those to it that other documents keep, as they are. The database is only
 * asked for the last, where all the rest is equal; owners that the change names are locked then.
 *
 * @throws as the change itself, for what it names and is not there
 */
async function leavesRow(scope: WriteScope, plan: WritePlan, row: Version, change: RowChange): Promise<boolean> {
  if (!isDeepStrictEqual(predictRow(plan, row, change.record).content, row.content)) return false;
  if (![...change.lists].every(([name, list]) => leavesList(plan, change, { name, list }))) return false;
  for (const [name, each] of change.inverses) {
    const inverse = plan.inverses.get(name);
    if (inverse === undefined) return false;
    const { unlinked, linked } = await compareInverse(scope, plan, row, { inverse, change: each });
    if (unlinked.length > 0 || linked.length > 0) return false;
  }
  return true;
}

/** @throws PLINTH_DOCUMENT_UNLINKED_POSITION (400) */
function leavesList(
  { table }: WritePlan,
  { links }: RowChange,
  { name, list }: { readonly name: string; readonly list: ListChange },
): boolean {
  const code = linkCode(table, name);
  const current = links.filter(({ attribute }) => attribute === code);
  return isDeepStrictEqual(changeList(current, list, name).map(keyOf), current.map(keyOf));
}

/**
 * Whether publishing a draft would leave its published row, and the rows of others that link to the document, as they
 * are. A draft that was changed later than it was published counts as changed, though it may be equal again.
 */
async function isPublishedAsItIs(
  scope: WriteScope,
  plan: WritePlan,
  draft: Version,
  published: Version,
): Promise<boolean> {
  const { db } = scope;
  const { sql } = plan;
  if (draft.updatedAt > published.updatedAt || !isPublishable(scope, plan, draft)) return false;
  const rows = { text: sql.differ, values: [draft.id, published.id], isPlan: true };
  const [row] = await db.query<{ differ: boolean }>(rows);
  if (row?.differ !== false) return false;
  if (sql.lockOwners === undefined) return true;
  const owners = { text: sql.lockOwners, values: [draft.documentId, draft.locale], isPlan: true };
  const [different] = await db.query<{ locked: unknown }>(owners);
  return Number(different?.locked) === 0;
}

/** Whether what all locales of a document share is equal in a row and the others of its version. */
async function isShared(
  { db }: WriteScope,
  { codes, shared, sql }: WritePlan,
  row: Version,
  versions: readonly Version[],
): Promise<boolean> {
  const others = versions.filter(({ id, isDraft }) => id !== row.id && isDraft === row.isDraft);
  const isEqual = ({ content }: Version) =>
    [...shared].every((name) => isDeepStrictEqual(content[name], row.content[name]));
  if (!others.every(isEqual)) return false;
  if (others.length === 0 || codes.shared.length === 0 || sql.links === undefined) return true;
  const values = [row.id, others.map(({ id }) => id), codes.shared];
  const [found] = await db.query<{ differ: boolean }>({ text: sql.links.differ, values, isPlan: true });
  return found?.differ === false;
}
