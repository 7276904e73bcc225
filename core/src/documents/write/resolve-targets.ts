import type { Layout } from "../../database/layout/layout.js";
import { findTargets, type TargetRow } from "../../database/writes/target-sql.js";
import type { Attribute, RelationAttribute, Shape } from "../../schema/model.js";
import { InvalidInputError, messageOnly, TargetNotFoundError } from "../errors.js";
import { listProblems } from "../problems.js";
import type { ComponentInput, RelationChange, RelationTarget, WriteInput } from "../input.js";
import { checkFileTypes } from "./check-file-types.js";
import type { ListChange, Place, Target } from "./link-list.js";
import type { WriteScope } from "./write-scope.js";

/** The documents that a body names, looked up. */
export interface ResolvedTargets {
  /** A change of a relation with document ids in place of what the client named. */
  resolve(attribute: RelationAttribute, change: RelationChange): ListChange;
}

/** What a body names of one type. */
interface NamedDocuments {
  readonly documentIds: Set<string>;
  readonly rowIds: Set<number>;
  /** Those of the row ids that have to exist. */
  readonly required: Set<number>;
  /** Those that the app names, which the actor need not find; row ids as numbers. */
  readonly ofApp: Set<string | number>;
}

type LookUp = Pick<WriteScope, "db" | "layout" | "rules">;

/**
 * Looks up all documents that a body links to, in one statement for all types; a row id stands for the document
 * of which it is a version. What the actor may not find is not there. A row that is to be disconnected may have gone.
 *
 * @throws PLINTH_DOCUMENT_TARGET_NOT_FOUND (400) details `{}` for an unknown document id
 * @throws PLINTH_INPUT_INVALID (400) for unknown row ids, one error per target type; for files of other types than allowed
 * @source plugins/content-api/WIRE.md#errors
 */
export async function resolveTargets(scope: LookUp, type: Shape, input: WriteInput): Promise<ResolvedTargets> {
  const wanted = new Map<string, NamedDocuments>();
  collect(scope.layout, type, input, wanted);
  const found = await lookUpAll(scope, wanted);
  assertRowIds(wanted, found);
  await checkFileTypes(scope, type, input);
  return { resolve: (attribute, change) => resolveChange(attribute, change, found) };
}

/** Which of some documents exist, by type; they cannot be deleted until the transaction ends. */
export async function existingDocuments(
  { db, layout }: Pick<LookUp, "db" | "layout">,
  documents: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const wanted = [...documents].filter(([uid]) => layout.tables.has(uid));
  if (wanted.length === 0) return new Map();
  const names = wanted.map(([uid, documentIds]) => [uid, { documentIds, rowIds: new Set<number>() }] as const);
  const rows = await db.query<TargetRow>(findTargets(layout, names));
  return new Map(
    wanted.map(([uid], part) => [
      uid,
      new Set(rows.filter((row) => row.part === part).map(({ document }) => document)),
    ]),
  );
}

function collect(
  layout: Layout,
  shape: Shape,
  input: WriteInput | ComponentInput,
  wanted: Map<string, NamedDocuments>,
): void {
  for (const [name, change] of input.relations) {
    const attribute = relationOf(shape.attributes.get(name));
    const gone = "set" in change ? [] : change.disconnect;
    for (const target of [...gone, ...linkedBy(change)]) {
      const uid = uidOf(attribute, target);
      const names = wanted.get(uid) ?? newNames();
      wanted.set(uid, names);
      if ("documentId" in target) names.documentIds.add(target.documentId);
      else names.rowIds.add(target.id);
      if ("id" in target && !gone.includes(target)) names.required.add(target.id);
      if ("set" in input && input.set?.has(name)) names.ofApp.add("id" in target ? target.id : target.documentId);
    }
  }
  for (const value of input.components.values()) {
    for (const item of value === null ? [] : ([value].flat() as readonly ComponentInput[])) {
      const component = layout.model.components.get(item.component);
      if (component) collect(layout, component, item, wanted);
    }
  }
}

const newNames = (): NamedDocuments => ({
  documentIds: new Set(),
  rowIds: new Set(),
  required: new Set(),
  ofApp: new Set(),
});

/** What a change links to, or takes as a place. */
function linkedBy(change: RelationChange): readonly RelationTarget[] {
  if ("set" in change) return change.set;
  const references = change.connect.flatMap(({ position }) => {
    if (position === undefined || "start" in position || "end" in position) return [];
    return "before" in position ? [position.before] : [position.after];
  });
  return [...change.connect.map(({ target }) => target), ...references];
}

async function lookUpAll(
  scope: LookUp,
  wanted: ReadonlyMap<string, NamedDocuments>,
): Promise<ReadonlyMap<string, ReadonlyMap<string | number, string>>> {
  const known = [...wanted].filter(([uid]) => scope.layout.tables.has(uid));
  const rows = known.length === 0 ? [] : await scope.db.query<TargetRow>(findTargets(scope.layout, known));
  const found = new Map<string, ReadonlyMap<string | number, string>>();
  for (const [uid, names] of wanted) {
    const part = known.findIndex(([other]) => other === uid);
    const own = rows.filter((row) => row.part === part);
    found.set(uid, await findVisible(scope, uid, names, own));
  }
  return found;
}

async function findVisible(
  { rules }: LookUp,
  uid: string,
  { documentIds, ofApp }: NamedDocuments,
  rows: readonly TargetRow[],
): Promise<ReadonlyMap<string | number, string>> {
  const found = new Map<string | number, string>();
  const visible = await rules.found(
    uid,
    rows.map(({ id }) => id),
  );
  for (const { id, document } of rows)
    if (visible.has(id) || ofApp.has(document) || ofApp.has(Number(id)))
      found.set(document, document).set(Number(id), document);
  const missing = [...documentIds].find((documentId) => !found.has(documentId));
  if (missing !== undefined) throw new TargetNotFoundError({ [messageOnly]: { documentId: missing } });
  return found;
}

/** @throws PLINTH_INPUT_INVALID (400) */
function assertRowIds(
  wanted: ReadonlyMap<string, NamedDocuments>,
  found: ReadonlyMap<string, ReadonlyMap<string | number, string>>,
): void {
  const errors = [...wanted].flatMap(([uid, { required }]) => {
    const value = [...required].filter((id) => !found.get(uid)?.has(id));
    if (value.length === 0) return [];
    const message = `${value.length} relation(s) of type ${uid} associated with this entity do not exist`;
    return [{ path: [], message, name: "ValidationError" as const, value }];
  });
  if (errors.length > 0) throw new InvalidInputError(listProblems(errors));
}

function resolveChange(
  attribute: RelationAttribute,
  change: RelationChange,
  found: ReadonlyMap<string, ReadonlyMap<string | number, string>>,
): ListChange {
  const one = (target: RelationTarget): Target => ({
    documentId: found.get(uidOf(attribute, target))?.get("documentId" in target ? target.documentId : target.id) ?? "",
    type: attribute.isPolymorphic ? uidOf(attribute, target) : "",
  });
  if ("set" in change) return { set: change.set.map(one) };
  const connect = change.connect.map(({ target, position, isStrict }) => ({
    target: one(target),
    place: placeOf(position, one),
    isStrict,
  }));
  return { connect, disconnect: change.disconnect.map(one).filter(({ documentId }) => documentId !== "") };
}

type Position = Extract<RelationChange, { connect: unknown }>["connect"][number]["position"];

function placeOf(position: Position, one: (target: RelationTarget) => Target): Place {
  if (position === undefined || "end" in position) return { end: "end" };
  if ("start" in position) return { end: "start" };
  return "before" in position
    ? { side: "before", reference: one(position.before) }
    : { side: "after", reference: one(position.after) };
}

const uidOf = (attribute: RelationAttribute, target: RelationTarget): string => attribute.target ?? target.type ?? "";

const relationOf = (attribute: Attribute | undefined): RelationAttribute => attribute as RelationAttribute;
