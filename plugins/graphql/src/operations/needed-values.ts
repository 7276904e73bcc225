import type { FieldRequest, PopulateNode, SelectionRequest } from "@plinth/core/reads";
import { type Attribute, type Component, type ContentModel, type ContentType, isScalarKind } from "@plinth/core/schema";
import type { GraphQLField } from "graphql";

type Shape = ContentType | Component;

type Field = GraphQLField<unknown, unknown>;

/** The attributes of its parent that a resolver of the app reads. */
export interface Need {
  readonly name: string;
  /** Declared by an extension, which may need a private attribute. */
  readonly isDeclared: boolean;
}

/** What an extension declared for a field. */
export function declaredNeeds({ extensions }: Field): readonly Need[] | undefined {
  const names = extensions["plinthNeeds"] as readonly string[] | undefined;
  return names?.map((name) => ({ name, isDeclared: true }));
}

/** What the resolver of a field without a plan reads: what was declared, else all values of the row. */
export function neededBy(field: Field, shape: Shape | undefined): readonly Need[] {
  return declaredNeeds(field) ?? valuesOf(shape).map((name) => ({ name, isDeclared: false }));
}

/**
 * Adds what such resolvers read to what a client asked for: values, and relations and components with all of their
 * values.
 */
export function addNeeded(
  model: ContentModel,
  shape: Shape | undefined,
  request: SelectionRequest,
  needs: readonly Need[],
): SelectionRequest {
  if (needs.length === 0) return request;
  const attributeOf = ({ name }: Need) => shape?.attributes.get(name);
  const isValue = (need: Need) => isScalarKind(attributeOf(need)?.kind ?? "string");
  const fields = new Map<string, FieldRequest>();
  for (const { name, isDeclared } of needs.filter(isValue))
    if (isDeclared || !fields.has(name)) fields.set(name, isDeclared ? { name, isForCode: true } : { name });
  const populate = new Map<string, PopulateNode>();
  for (const need of needs) if (!isValue(need)) populate.set(need.name, wholeOf(model, attributeOf(need) as Attribute));
  return unite(request, { fields: [...fields.values()], populate: [...populate.values()] });
}

/** Everything of a row that holds a value of its own, and that the public may see. */
function valuesOf(shape: Shape | undefined): readonly string[] {
  if (!shape) return [];
  const own = [...shape.attributes.values()].filter(
    ({ kind, isPrivate }) => isScalarKind(kind) && kind !== "password" && !isPrivate,
  );
  return [...own.map(({ name }) => name), ...(shape.shape === "content-type" ? shape.systemFields.keys() : ["id"])];
}

function wholeOf({ contentTypes, components }: ContentModel, attribute: Attribute): PopulateNode {
  const { name } = attribute;
  const whole = (shape: Shape | undefined): SelectionRequest => ({
    fields: valuesOf(shape).map((field) => ({ name: field })),
    populate: [],
  });
  if (attribute.kind === "component") return { name, ...whole(components.get(attribute.component)) };
  if ("target" in attribute && attribute.target !== undefined)
    return { name, ...whole(contentTypes.get(attribute.target)) };
  const uids = attribute.kind === "dynamiczone" ? attribute.components : [...contentTypes.keys()];
  const on = uids.map((uid) => [uid, whole(components.get(uid) ?? contentTypes.get(uid))] as const);
  return { name, ...whole(undefined), on: new Map(on) };
}

/** The union of both. */
export function unite(first: SelectionRequest, second: SelectionRequest): SelectionRequest {
  const known = new Set(first.fields.map((field) => ("name" in field ? field.name : field.alias)));
  const more = second.fields.filter((field) => !("name" in field && known.has(field.name)));
  const rest = new Map(second.populate.map((item) => [keyOf(item), item]));
  const populate = first.populate.map((item) => {
    const other = rest.get(keyOf(item));
    rest.delete(keyOf(item));
    return other ? uniteNodes(item, other) : item;
  });
  return { fields: [...first.fields, ...more], populate: [...populate, ...rest.values()] };
}

const keyOf = ({ name, alias = name }: PopulateNode) => alias;

/** Two that are one list: the same attribute with the same arguments. */
export function uniteNodes(first: PopulateNode, second: PopulateNode): PopulateNode {
  return { ...first, ...unite(first, second), ...(first.on ? { on: uniteAll(first.on, second.on) } : {}) };
}

function uniteAll(
  first: ReadonlyMap<string, SelectionRequest>,
  second: ReadonlyMap<string, SelectionRequest> = new Map(),
): ReadonlyMap<string, SelectionRequest> {
  const united = new Map(first);
  for (const [uid, request] of second) {
    const known = united.get(uid);
    united.set(uid, known ? unite(known, request) : request);
  }
  return united;
}
