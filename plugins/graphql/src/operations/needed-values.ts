import type { Wanted, WantedField, WantedPopulate } from "@plinth/core/reads";
import { type Attribute, type Component, type ContentModel, type ContentType, isScalarKind } from "@plinth/core/schema";
import type { GraphQLField } from "graphql";

type Shape = ContentType | Component;

type Field = GraphQLField<unknown, unknown>;

/** What a resolver of the app's own reads of its parent. */
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

/** Adds what such resolvers read to what a client asked for: values, and whatever holds values with all of them. */
export function addNeeded(
  model: ContentModel,
  shape: Shape | undefined,
  wanted: Wanted,
  needs: readonly Need[],
): Wanted {
  if (needs.length === 0) return wanted;
  const attributeOf = ({ name }: Need) => shape?.attributes.get(name);
  const isValue = (need: Need) => isScalarKind(attributeOf(need)?.kind ?? "string");
  const fields = new Map<string, WantedField>();
  for (const { name, isDeclared } of needs.filter(isValue))
    if (isDeclared || !fields.has(name)) fields.set(name, isDeclared ? { name, isForCode: true } : { name });
  const populate = new Map<string, WantedPopulate>();
  for (const need of needs) if (!isValue(need)) populate.set(need.name, wholeOf(model, attributeOf(need) as Attribute));
  return unite(wanted, { fields: [...fields.values()], populate: [...populate.values()] });
}

/** Everything of a row that holds a value of its own, and that the public may see. */
function valuesOf(shape: Shape | undefined): readonly string[] {
  if (!shape) return [];
  const own = [...shape.attributes.values()].filter(
    ({ kind, isPrivate }) => isScalarKind(kind) && kind !== "password" && !isPrivate,
  );
  return [...own.map(({ name }) => name), ...(shape.shape === "content-type" ? shape.systemFields.keys() : ["id"])];
}

function wholeOf({ contentTypes, components }: ContentModel, attribute: Attribute): WantedPopulate {
  const { name } = attribute;
  const whole = (shape: Shape | undefined): Wanted => ({
    fields: valuesOf(shape).map((field) => ({ name: field })),
    populate: [],
  });
  if (attribute.kind === "component") return { name, wanted: whole(components.get(attribute.component)) };
  if ("target" in attribute && attribute.target !== undefined)
    return { name, wanted: whole(contentTypes.get(attribute.target)) };
  const uids = attribute.kind === "dynamiczone" ? attribute.components : [...contentTypes.keys()];
  const on = uids.map((uid) => [uid, whole(components.get(uid) ?? contentTypes.get(uid))] as const);
  return { name, wanted: whole(undefined), on: new Map(on) };
}

/** Both together; what both have once. */
function unite(first: Wanted, second: Wanted): Wanted {
  const known = new Set(first.fields.map((field) => ("name" in field ? field.name : field.alias)));
  const more = second.fields.filter((field) => !("name" in field && known.has(field.name)));
  const rest = new Map(second.populate.map((item) => [item.name, item]));
  const populate = first.populate.map((item) => {
    const other = item.alias === undefined ? rest.get(item.name) : undefined;
    if (!other) return item;
    rest.delete(item.name);
    return {
      ...item,
      wanted: unite(item.wanted, other.wanted),
      ...(item.on ? { on: uniteAll(item.on, other.on) } : {}),
    };
  });
  return { fields: [...first.fields, ...more], populate: [...populate, ...rest.values()] };
}

function uniteAll(
  first: ReadonlyMap<string, Wanted>,
  second: ReadonlyMap<string, Wanted> = new Map(),
): ReadonlyMap<string, Wanted> {
  const united = new Map(first);
  for (const [uid, wanted] of second) {
    const known = united.get(uid);
    united.set(uid, known ? unite(known, wanted) : wanted);
  }
  return united;
}
