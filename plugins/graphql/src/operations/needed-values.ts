import {
  type Attribute,
  type Component,
  type ContentModel,
  type ContentType,
  isScalarKind,
  type Wanted,
  type WantedPopulate,
} from "@plinth/core";
import type { GraphQLField } from "graphql";

type Shape = ContentType | Component;

/** What a resolver of the app's own reads of its parent: what an extension declared, else all values of the row. */
export function neededBy({ extensions }: GraphQLField<unknown, unknown>, shape: Shape | undefined): readonly string[] {
  return (extensions["plinthNeeds"] as readonly string[] | undefined) ?? valuesOf(shape);
}

/** Adds what such resolvers read to what a client asked for: values, and whatever holds values with all of them. */
export function addNeeded(
  model: ContentModel,
  shape: Shape | undefined,
  wanted: Wanted,
  needed: ReadonlySet<string>,
): Wanted {
  if (needed.size === 0) return wanted;
  const names = [...needed];
  const attributeOf = (name: string) => shape?.attributes.get(name);
  const isValue = (name: string) => isScalarKind(attributeOf(name)?.kind ?? "string");
  const fields = names.filter(isValue).map((name) => ({ name }));
  const populate = names.filter((name) => !isValue(name)).map((name) => wholeOf(model, attributeOf(name) as Attribute));
  return unite(wanted, { fields, populate });
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
