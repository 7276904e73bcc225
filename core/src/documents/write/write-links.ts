import { linkCode } from "../../database/layout/layout.js";
import type { Version } from "../../database/writes/version.js";
import type { WritePlan } from "../../database/writes/write-plan.js";
import type { RelationAttribute } from "../../schema/model.js";
import type { RowChange } from "./build-row.js";
import { embeddedLinks } from "./embedded-links.js";
import { changeList, type ListChange, placeList } from "./link-list.js";
import type { Link } from "./present-links.js";
import { existingDocuments } from "./resolve-targets.js";
import type { WriteScope } from "./write-scope.js";

/** The link rows that a new row starts with, without its id. */
export function newLinks(
  scope: WriteScope,
  plan: WritePlan,
  { lists, record }: Pick<RowChange, "lists" | "record">,
): readonly object[] {
  const derived = derivedLinks(scope, plan, ({ column }) => record[column]);
  return [...wantedLists(scope, plan, lists, []), ...derived].map((link) => toWritten(link, scope));
}

/**
 * Brings the link rows of a row that was there before up to date: one write of the differences, for any number of
 * relations and links.
 */
export async function writeLinks(
  scope: WriteScope,
  plan: WritePlan,
  row: Version,
  changes: Pick<RowChange, "lists" | "links" | "touchesComponents">,
): Promise<void> {
  const sql = plan.sql.links;
  const isDerived = changes.touchesComponents && plan.codes.embedded.size > 0;
  if (sql === undefined || !(isDerived || changes.lists.size > 0)) return;
  const current = changes.links;
  const present = new Map(current.map((link) => [linkKey(link), link.position]));
  const held = isDerived ? derivedLinks(scope, plan, ({ name }) => row.content[name]) : [];
  const added = held.filter((link) => !present.has(linkKey(link)));
  const dead = await withoutTarget(scope, plan, added);
  const wanted = [
    ...wantedLists(scope, plan, changes.lists, current),
    ...held.filter((link) => !dead.has(linkKey(link))),
  ];
  const kept = new Set(wanted.map(linkKey));
  const written = wanted.filter((link) => present.get(linkKey(link)) !== link.position);
  const isSurplus = (link: Link) => !kept.has(linkKey(link)) && !plan.codes.unexplained?.includes(link.attribute);
  const gone = current.filter(isSurplus);
  if (written.length === 0 && gone.length === 0) return;
  const rows = written.map((link) => toWritten(link, scope));
  await scope.db.query({
    text: sql.set,
    values: [row.id, JSON.stringify(rows), JSON.stringify(gone.map(toRow))],
    isPlan: true,
  });
}

function wantedLists(
  scope: WriteScope,
  plan: WritePlan,
  lists: ReadonlyMap<string, ListChange>,
  current: readonly Link[],
): readonly Link[] {
  return [...lists].flatMap(([name, change]) => {
    const attribute = linkCode(plan.table, name);
    const list = current.filter((link) => link.attribute === attribute);
    return placeList(list, changeList(list, change, name), scope.now).map((link) => ({ attribute, ...link }));
  });
}

/** The links that a row's components hold, each once; they have no order. */
function derivedLinks(
  scope: WriteScope,
  plan: WritePlan,
  stored: (attribute: WritePlan["components"][number]) => unknown,
): readonly Link[] {
  if (plan.codes.embedded.size === 0) return [];
  const links = plan.components.flatMap((attribute) => embeddedLinks(scope.layout.model, attribute, stored(attribute)));
  const rows = links.map(({ key, documentId, type }) => ({
    attribute: linkCode(plan.table, key),
    documentId,
    type,
    position: 0,
  }));
  return [...new Map(rows.map((link) => [linkKey(link), link])).values()];
}

/** Of links that components hold, those to documents that were deleted: components keep the ids of such. */
async function withoutTarget(scope: WriteScope, plan: WritePlan, links: readonly Link[]): Promise<ReadonlySet<string>> {
  if (links.length === 0) return new Set();
  const uids = new Map([...plan.codes.embedded].map(([key, code]) => [code, targetOf(scope, key)]));
  const uidOf = ({ attribute, type }: Link): string => type || (uids.get(attribute) ?? "");
  const documents = new Map<string, Set<string>>();
  for (const link of links) documents.set(uidOf(link), (documents.get(uidOf(link)) ?? new Set()).add(link.documentId));
  const existing = await existingDocuments(scope, documents);
  return new Set(links.filter((link) => !existing.get(uidOf(link))?.has(link.documentId)).map(linkKey));
}

/** The type that a relation of a component leads to; empty where it is polymorphic. @param key - `<component uid>#<attribute>` */
function targetOf({ layout }: WriteScope, key: string): string {
  const [component = "", attribute = ""] = key.split("#");
  const relation = layout.model.components.get(component)?.attributes.get(attribute);
  return (relation as RelationAttribute | undefined)?.target ?? "";
}

const linkKey = ({ attribute, type, documentId }: Link): string => `${attribute} ${type} ${documentId}`;

const toWritten = (link: Link, { now }: WriteScope) => ({
  position: link.position,
  inverse_position: now,
  ...toRow(link),
});

const toRow = ({ attribute, documentId, type }: Link) => ({ attribute, target: documentId, target_type: type });
