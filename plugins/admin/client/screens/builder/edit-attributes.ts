import {
  type Attributes,
  attributesOf,
  type Draft,
  getAt,
  PAGE,
  type RawAttribute,
  setAt,
  setKey,
  shapeOf,
  shapesOf,
  storedName,
  withAttributes,
  withSchema,
} from "./draft.js";
import type { RawSchema } from "../../../src/wire/builder.js";
import { renamedIn } from "./rename-in-condition.js";

/** The form that the other side of a two-way relation has. */
const OTHER_SIDE: Readonly<Record<string, string>> = {
  oneToOne: "oneToOne",
  oneToMany: "manyToOne",
  manyToOne: "oneToMany",
  manyToMany: "manyToMany",
};

/** Whether a relation can be seen from its target as well. */
export const isTwoWayKind = (relation: unknown): boolean =>
  typeof relation === "string" && Object.hasOwn(OTHER_SIDE, relation);

/** The attribute of the target that is the other side of a relation; undefined: there is none. */
export function otherSideOf(attribute: RawAttribute): string | undefined {
  const name = attribute["inversedBy"] ?? attribute["mappedBy"];
  return typeof name === "string" && name !== "" ? name : undefined;
}

/**
 * Gives an attribute another name, wherever its schema and the other side of a relation name it. What is stored is kept: the
 * file says which name it had.
 */
export function renamedAttribute(draft: Draft, uid: string, from: string, to: string): Draft {
  const shape = shapeOf(draft, uid);
  const attribute = shape && attributesOf(shape)[from];
  if (!shape || !attribute || from === to) return draft;
  const stored = storedName(draft, uid, from, attribute);
  const own = (draft.views.get(uid)?.schema["attributes"] ?? {}) as Attributes;
  const former = stored === to ? own[to]?.["renamedFrom"] : (stored ?? attribute["renamedFrom"]);
  const next = setKey(attribute, "renamedFrom", former);
  const attributes = Object.fromEntries(
    Object.entries(attributesOf(shape)).map(([name, value]) =>
      name === from ? [to, next] : [name, renamedNeighbour(value, from, to)],
    ),
  );
  const renamed = withSchema(draft, uid, renamedOptions({ ...shape.schema, attributes }, from, to));
  return renamedOtherSide(renamed, attribute, to);
}

function renamedNeighbour(attribute: RawAttribute, from: string, to: string): RawAttribute {
  const target = attribute["targetField"] === from ? setKey(attribute, "targetField", to) : attribute;
  return target["conditions"] === undefined
    ? target
    : setKey(target, "conditions", renamedIn(target["conditions"], from, to));
}

function renamedOptions(schema: RawSchema, from: string, to: string): RawSchema {
  return mapNames(schema, (name) => (name === from ? to : name));
}

/** Title, columns and rows that a schema says to the page, with names changed or left out. */
function mapNames(schema: RawSchema, map: (name: string) => string | undefined): RawSchema {
  const options = getAt(schema, PAGE) as RawSchema | undefined;
  if (!options) return schema;
  const { title, list, layout } = options;
  const names = (all: unknown) => (all as readonly string[]).flatMap((name) => map(name) ?? []);
  const next = {
    ...options,
    ...(typeof title === "string" ? { title: map(title) } : {}),
    ...(Array.isArray(list) ? { list: names(list) } : {}),
    ...(Array.isArray(layout) ? { layout: layout.map(names).filter((row) => row.length > 0) } : {}),
  };
  return setAt(schema, PAGE, next.title === undefined ? setKey(next, "title", undefined) : next);
}

function renamedOtherSide(draft: Draft, attribute: RawAttribute, to: string): Draft {
  const other = otherSideOf(attribute);
  const target = shapeOf(draft, String(attribute["target"]));
  const value = target && other !== undefined ? attributesOf(target)[other] : undefined;
  if (!target?.isChangeable || other === undefined || !value) return draft;
  const key = value["mappedBy"] === undefined ? "inversedBy" : "mappedBy";
  return withAttributes(draft, target.uid, { ...attributesOf(target), [other]: setKey(value, key, to) });
}

/** Removes an attribute, what names it, and the other side of its relation. */
export function removedAttribute(draft: Draft, uid: string, name: string): Draft {
  const shape = shapeOf(draft, uid);
  const attribute = shape && attributesOf(shape)[name];
  if (!shape || !attribute) return draft;
  const { [name]: _gone, ...rest } = attributesOf(shape);
  const attributes = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      value["targetField"] === name ? setKey(value, "targetField", undefined) : value,
    ]),
  );
  const schema = mapNames({ ...shape.schema, attributes }, (other) => (other === name ? undefined : other));
  return withoutOtherSide(withSchema(draft, uid, schema), attribute);
}

function withoutOtherSide(draft: Draft, attribute: RawAttribute): Draft {
  const other = otherSideOf(attribute);
  const target = shapeOf(draft, String(attribute["target"]));
  if (attribute["type"] !== "relation" || other === undefined || !target?.isChangeable) return draft;
  return removedPlainly(draft, target.uid, other);
}

/** Without looking at what is on the other side. */
function removedPlainly(draft: Draft, uid: string, name: string): Draft {
  const shape = shapeOf(draft, uid);
  if (!shape) return draft;
  const { [name]: _gone, ...attributes } = attributesOf(shape);
  const schema = mapNames({ ...shape.schema, attributes }, (other) => (other === name ? undefined : other));
  return withSchema(draft, uid, schema);
}

/** What a relation leads to, and how the other side is called. */
export interface RelationChange {
  readonly relation: string;
  readonly target: string;
  /** Name of the attribute in the target; undefined: one-way. */
  readonly other: string | undefined;
}

/** Sets both sides of a relation: the other one is added, changed or removed. */
export function withRelation(draft: Draft, uid: string, name: string, change: RelationChange): Draft {
  const shape = shapeOf(draft, uid);
  const last = (shape && attributesOf(shape)[name]) ?? { type: "relation" };
  if (!shape) return draft;
  const { relation, target, other } = change;
  const isTwoWay = other !== undefined && isTwoWayKind(relation);
  const former = otherSideOf(last);
  const isKept = isTwoWay && former !== undefined && last["target"] === target;
  const start = isKept ? renamedAttribute(draft, target, former, other) : withoutOtherSide(draft, last);
  const isMirror = relation === "oneToMany" || (last["mappedBy"] !== undefined && relation !== "manyToOne");
  const key = isMirror ? "mappedBy" : "inversedBy";
  const { inversedBy: _i, mappedBy: _m, morphBy, target: _t, relation: _r, ...rest } = last;
  const own = {
    ...rest,
    ...{ type: "relation", relation },
    ...(target === "" ? {} : { target }),
    ...(isTwoWay ? { [key]: other } : {}),
    ...(morphBy !== undefined && /^morph(One|Many)$/.test(relation) ? { morphBy } : {}),
  };
  const current = shapeOf(start, uid);
  const set = withAttributes(start, uid, { ...(current ? attributesOf(current) : {}), [name]: own });
  if (!isTwoWay) return set;
  const there = shapeOf(set, target);
  if (!there?.isChangeable) return set;
  const { inversedBy: _oi, mappedBy: _om, ...before } = attributesOf(there)[other] ?? {};
  const value = {
    ...before,
    ...{ type: "relation", relation: OTHER_SIDE[relation], target: uid },
    [isMirror ? "inversedBy" : "mappedBy"]: name,
  };
  return withAttributes(set, target, { ...attributesOf(there), [other]: value });
}

/** Removes a schema, and the relations and components of others that lead to it. */
export function removedShape(draft: Draft, uid: string): Draft {
  const leadsThere = (attribute: RawAttribute) => attribute["target"] === uid || attribute["component"] === uid;
  let next = draft;
  for (const shape of shapesOf(draft).filter((each) => each.isChangeable && each.uid !== uid)) {
    for (const [name, attribute] of Object.entries(attributesOf(shape))) {
      if (leadsThere(attribute)) next = removedPlainly(next, shape.uid, name);
      else next = withoutComponent(next, shape.uid, name, uid);
    }
  }
  return withSchema(next, uid, null);
}

/** Of a dynamic zone; one that has none left goes as a whole. */
function withoutComponent(draft: Draft, uid: string, name: string, component: string): Draft {
  const shape = shapeOf(draft, uid);
  const attribute = shape && attributesOf(shape)[name];
  const components = attribute?.["components"];
  if (!shape || !attribute || !Array.isArray(components) || !components.includes(component)) return draft;
  const left = components.filter((each) => each !== component);
  if (left.length === 0) return removedPlainly(draft, uid, name);
  return withAttributes(draft, uid, { ...attributesOf(shape), [name]: setKey(attribute, "components", left) });
}
