import type { Ability } from "../../access/ability.js";
import { isScalarKind, SCALAR_TRAITS } from "../../schema/attribute.js";
import { findField, isClosedName } from "../../schema/find-field.js";
import type {
  Attribute,
  Component,
  ContentModel,
  ContentType,
  RelationAttribute,
  ScalarAttribute,
  SystemId,
} from "../../schema/model.js";
import { hasNul, wellFormed } from "../../schema/parse-json.js";
import type { Filter } from "../../database/reads/query.js";
import {
  InvalidKeyError,
  InvalidShapeError,
  type KeyDetails,
  type ParamName,
  PrivateFieldError,
  TooDeepError,
  unseen,
  type WholeParam,
} from "./errors.js";
import type { ReadMeter } from "./read-budget.js";
import type { ValueSlots } from "./value-slots.js";

/**
 * The kind of caller: `public` is the content API, which never sees private attributes; `code` is trusted, and sees them
 * where it says `withPrivate`; `admin` is the admin page, which sees them, and who wrote content: `createdBy` and `updatedBy`.
 */
export type Visibility = "public" | "code" | "admin";

/** The context of parsing one read. */
export interface ParseContext {
  readonly model: ContentModel;
  readonly ability: Ability;
  readonly visibility: Visibility;
  /** Whether private attributes may be shown, filtered and sorted by. */
  readonly withPrivate: boolean;
  readonly values: ValueSlots;
  /** Whether the documents of the list may be filtered by their state. */
  readonly withState?: boolean;
  /** What the actor sees of a type where it is the target of a relation. */
  readonly visibleTypeOf: (type: ContentType) => VisibleType;
  /** Counts the parts of the read. */
  readonly meter: ReadMeter;
  /** The parameter that is being parsed; what lies inside a populate counts as populate. */
  readonly param: ParamName;
}

/** What an actor sees of a content-type: by its rule for an action, or all of it. */
export interface VisibleType {
  /** The type, without the attributes that the rule leaves out. */
  readonly shape: ContentType;
  /** The condition for rows of the version that is read to be visible to the actor. */
  readonly visible: Filter | undefined;
  /**
   * The same for rows of either version: a condition or an order that starts from a type without drafts looks at drafts
   * and published rows alike.
   */
  readonly tested: Filter | undefined;
}

/** A content-type or component whose names are being looked up. */
export type ReadShape = ContentType | Component;

/** Anything that a name in a parameter can stand for. */
export type Field = Attribute | SystemId;

/** Names above a key. */
export type Path = readonly string[];

/** How deep filters and populate may go; brackets of a query string end at the same depth. */
export const MAX_DEPTH = 20;

/**
 * Looks up a name that may be read.
 *
 * @throws PLINTH_QUERY_INVALID_KEY (400): `path` names the parent of an unknown name, and the name itself when it is
 * known and may not be read: private, a password, left out by the actor's rule, createdBy, updatedBy
 * @throws PLINTH_QUERY_PRIVATE (400) where code would have to say `withPrivate`
 * @source plugins/content-api/WIRE.md#details-of-errors
 */
export function lookUp(reading: ParseContext, shape: ReadShape, name: string, path: Path): Field {
  const field = findField(shape, name);
  if (field && isReadable(field, reading.withPrivate)) return field;
  if (field) assertShown(reading, field, path);
  const isKnown = findField(wholeOf(reading, shape), name) !== undefined || isClosedName(shape, name);
  throw invalidKey(reading, name, isKnown ? [...path, name] : path);
}

/** Whether an attribute may be shown, filtered or sorted by at all. */
export function isReadable(field: Field, withPrivate: boolean): boolean {
  if (field.isPrivate && !withPrivate) return false;
  return !isScalar(field) || SCALAR_TRAITS[field.kind].isReadable;
}

/** Tells code that names a private attribute how it would get it. @throws PLINTH_QUERY_PRIVATE (400) */
export function assertShown(reading: ParseContext, field: Field, path: Path): void {
  if (reading.visibility !== "code" || !isReadable(field, true) || isReadable(field, reading.withPrivate)) return;
  throw new PrivateFieldError(unseen({ param: reading.param, field: [...path, field.name].join(".") }));
}

/** Whether a field holds one value: a scalar attribute, a system field or the row id. */
export function isScalar(field: Field): field is ScalarAttribute | SystemId {
  return field.kind === "id" || isScalarKind(field.kind);
}

/** Whether a field is a relation to, or media of, any number of entries. */
export function isToMany(field: Field): boolean {
  return (field.kind === "relation" || field.kind === "media") && field.isMany;
}

/**
 * Whether the actor may find what a relation points to. Media needs no permission, and neither do authors, of whom not
 * more can be seen than who they are.
 *
 * @source plugins/content-api/WIRE.md#filters-through-relations
 */
export function canFindTarget(reading: ParseContext, relation: RelationAttribute): boolean {
  const isFree = relation.kind === "media" || relation.storage === "author" || relation.target === undefined;
  return isFree || reading.ability.can(`${relation.target}.find`);
}

/**
 * What the actor sees of the type that a relation points to; undefined for polymorphic ones, and for media as long as no
 * plugin brings the file type.
 */
export function targetOf(reading: ParseContext, relation: RelationAttribute): VisibleType | undefined {
  const type = relation.target === undefined ? undefined : reading.model.contentTypes.get(relation.target);
  if (type && relation.storage === "author") return { shape: personOf(type), visible: undefined, tested: undefined };
  return type && reading.visibleTypeOf(type);
}

const people = new WeakMap<ContentType, ContentType>();

/** A content-type of authors with the attributes that say who somebody is. The same object for the same type. */
function personOf(type: ContentType): ContentType {
  const { attributes, personFields = [] } = type;
  const person = people.get(type) ?? {
    ...type,
    attributes: new Map([...attributes].filter(([name]) => personFields.includes(name))),
  };
  people.set(type, person);
  return person;
}

/** A shape with all of its attributes, without regard to permissions. */
export function wholeOf({ model }: ParseContext, shape: ReadShape): ReadShape {
  return shape.shape === "content-type" ? (model.contentTypes.get(shape.uid) ?? shape) : shape;
}

/** The component of an attribute or zone. */
export function componentOf(reading: ParseContext, uid: string): Component | undefined {
  return reading.model.components.get(uid);
}

/** Most entries of a list that is read without a page. */
export function mostOf({ meter: { budget } }: ParseContext, isMany: boolean): { readonly most?: number } {
  return isMany && Number.isFinite(budget.nestedLimit) ? { most: budget.nestedLimit } : {};
}

/** The error of a name that cannot be used, to be thrown. */
export function invalidKey(reading: ParseContext, key: string, path: Path): Error {
  return new InvalidKeyError(detailsOf(reading, key, path));
}

/** The error of a value of the wrong form, to be thrown. `expected` completes "expected ...". */
export function invalidShape(reading: Pick<ParseContext, "param">, key: string, path: Path, expected: string): Error {
  return new InvalidShapeError({ ...detailsOf(reading, key, path), expected });
}

/** The error of a parameter, or of an option of `populate`, that as a whole has the wrong form, to be thrown. */
export function invalidForm(param: WholeParam): Error {
  return new InvalidShapeError(unseen({ key: param, path: null, source: "query", param, expected: "", whole: param }));
}

/** Where something is wrong, for the details of an error. */
export function detailsOf(reading: Pick<ParseContext, "param">, key: string, path: Path): KeyDetails {
  return { key, path: path.length > 0 ? path.join(".") : null, source: "query", param: reading.param };
}

/** @throws PLINTH_QUERY_TOO_DEEP (400) */
export function assertDepth(reading: ParseContext, depth: number, limit = MAX_DEPTH): void {
  if (depth > limit) throw new TooDeepError({ param: reading.param, limit });
}

/** Whether a value has keys of its own to look up; lists and dates have not. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** Reads one text. @throws PLINTH_QUERY_INVALID_SHAPE (400) */
export function parseText(reading: Pick<ParseContext, "param">, key: string, input: unknown): string {
  if (typeof input !== "string" || hasNul(input))
    throw invalidShape(reading, key, [], "one text without NUL characters");
  return wellFormed(input);
}

/** Reads true, false and the texts t, true, 1, f, false, 0; undefined for anything else. */
export function readBoolean(value: unknown): boolean | undefined {
  if (value === true || value === "true" || value === "t" || value === "1" || value === 1) return true;
  if (value === false || value === "false" || value === "f" || value === "0" || value === 0) return false;
  return undefined;
}
