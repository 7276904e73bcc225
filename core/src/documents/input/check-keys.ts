import { isVirtual } from "../../schema/build-relation.js";
import { findField, isClosedName } from "../../schema/find-field.js";
import type {
  Attribute,
  Component,
  ComponentAttribute,
  ContentModel,
  ContentType,
  RelationAttribute,
  ZoneAttribute,
} from "../../schema/model.js";
import { TooManyPartsError, UnknownKeyError } from "../errors.js";
import type { Visibility } from "../params/parse-context.js";
import { isRecord, ownValue } from "./is-record.js";
import { CHANGE_KEYS, OPTION_KEYS, isChange, positionKeys, targetKeys, toList } from "./relation-keys.js";

/** Keys of a body that are accepted without effect. */
const IGNORED_KEYS: ReadonlySet<string> = new Set(["locale", "publishedAt"]);

/** The origin of a body, and what it may write and link to. */
export interface Writer {
  /** `code` may write attributes that are not writable, and bodies of any size; people may not. */
  readonly visibility: Visibility;
  /** The names of attributes that may be written; default: all. */
  readonly fields?: ReadonlySet<string> | undefined;
  /** Whether the documents of a type may be linked to at all; default: of every type. */
  readonly canFind?: (uid: string) => boolean;
  /** Names of attributes whose values are the app's, by a rule of the writer. */
  readonly set?: ReadonlySet<string> | undefined;
}

const APP: Writer = { visibility: "code" };

interface KeyContext {
  readonly model: ContentModel;
  readonly writer: Writer;
  /** Components and targets of relations so far, in the whole body. */
  parts: number;
}

/**
 * Components and targets of relations in one body of a client: more than any page needs, and still written within a
 * second.
 */
const MAX_PARTS = 10_000;

/** @throws PLINTH_INPUT_TOO_MANY_PARTS (400) */
function countParts(count: number, context: KeyContext): void {
  context.parts += count;
  if (context.parts > MAX_PARTS && context.writer.visibility !== "code")
    throw new TooManyPartsError({ max: MAX_PARTS });
}

type Body = Readonly<Record<string, unknown>>;

/**
 * Rejects the first key, depth first in the order of the body, that the schema does not have or that may not be
 * written; `__proto__` and `constructor` are such keys. What is not an object where one belongs is left to the check of
 * values.
 *
 * @throws PLINTH_INPUT_UNKNOWN_KEY (400) details `{ key, path, source: "body" }`
 * @throws PLINTH_INPUT_TOO_MANY_PARTS (400) details `{ max }`
 * @source plugins/content-api/WIRE.md#details-of-errors
 * @source plugins/content-api/WIRE.md#writes
 * @source plugins/content-api/WIRE.md#relations-in-bodies
 */
export function checkKeys(model: ContentModel, type: ContentType, data: Body, writer: Writer): void {
  const context = { model, writer, parts: 0 };
  const ofApp = { ...context, writer: APP };
  for (const key of Object.keys(data)) {
    if (writer.set?.has(key)) {
      checkAttributeKey(type, { key, path: null }, data, ofApp);
      continue;
    }
    if (key === "id" || key === "documentId") throw new UnknownKeyError({ key, source: "body" });
    if (writer.fields?.has(key) === false && type.attributes.has(key))
      throw new UnknownKeyError({ key, path: key, source: "body" });
    if (!IGNORED_KEYS.has(key)) checkAttributeKey(type, { key, path: null }, data, context);
  }
}

/** `path` is that of the object with the key; null is the root. */
interface KeyPlace {
  readonly key: string;
  readonly path: string | null;
}

function checkAttributeKey(shape: ContentType | Component, place: KeyPlace, data: Body, context: KeyContext): void {
  const { key, path } = place;
  const ownPath = path === null ? key : `${path}.${key}`;
  const attribute = shape.attributes.get(key);
  if (!attribute || !canWrite(attribute, context.writer)) {
    const isKnown = findField(shape, key) !== undefined || isClosedName(shape, key);
    throw new UnknownKeyError({ key, path: isKnown ? ownPath : path, source: "body" });
  }
  checkInside(attribute, ownPath, ownValue(data, key), context);
}

/**
 * A relation to what the writer may not find is rejected as a whole, so that the answer does not reveal which documents
 * exist.
 */
function canWrite(attribute: Attribute, { visibility, canFind }: Writer): boolean {
  if (isVirtual(attribute)) return false;
  if (attribute.kind === "relation" && attribute.target !== undefined && canFind?.(attribute.target) === false)
    return false;
  return attribute.isWritable || visibility === "code";
}

function checkInside(attribute: Attribute, path: string, value: unknown, context: KeyContext): void {
  if (attribute.kind === "relation" || attribute.kind === "media") checkRelation(attribute, path, value, context);
  if (attribute.kind === "component" || attribute.kind === "dynamiczone") checkItems(attribute, path, value, context);
}

function checkItems(
  attribute: ComponentAttribute | ZoneAttribute,
  path: string,
  value: unknown,
  context: KeyContext,
): void {
  const isZone = attribute.kind === "dynamiczone";
  const items = toList(value);
  countParts(items.length, context);
  for (const item of items.filter(isRecord)) {
    const component = context.model.components.get(isZone ? zoneComponent(attribute, item) : attribute.component);
    if (component) checkComponent(component, { path, isZone }, item, context);
  }
}

/** The component that an item of a zone names; empty when the zone does not have it. */
function zoneComponent(zone: ZoneAttribute, item: Body): string {
  const uid = ownValue(item, "__component");
  return typeof uid === "string" && zone.components.includes(uid) ? uid : "";
}

function checkComponent(
  component: Component,
  place: { path: string; isZone: boolean },
  item: Body,
  context: KeyContext,
): void {
  for (const key of Object.keys(item)) {
    if (key === "id" || (place.isZone && key === "__component")) continue;
    checkAttributeKey(component, { key, path: place.path }, item, context);
  }
}

function checkRelation(attribute: RelationAttribute, path: string, value: unknown, context: KeyContext): void {
  if (isChange(value)) checkChange(attribute, path, value, context);
  else checkTargets(attribute, path, value, context);
}

function checkChange(attribute: RelationAttribute, path: string, value: Body, context: KeyContext): void {
  for (const key of Object.keys(value)) {
    const inside = ownValue(value, key);
    assertKnown(CHANGE_KEYS, key, path);
    if (key === "connect") checkConnects(attribute, `${path}.connect`, inside, context);
    else if (key === "options") assertKeys(OPTION_KEYS, inside, `${path}.options`);
    else checkTargets(attribute, `${path}.${key}`, inside, context);
  }
}

function checkTargets(attribute: RelationAttribute, path: string, value: unknown, context: KeyContext): void {
  const items = toList(value);
  countParts(items.length, context);
  for (const item of items) assertKeys(targetKeys(attribute), item, path);
}

function checkConnects(attribute: RelationAttribute, path: string, value: unknown, context: KeyContext): void {
  const items = toList(value);
  countParts(items.length, context);
  for (const item of items.filter(isRecord)) {
    assertKeys([...targetKeys(attribute), "position"], item, path);
    const position = ownValue(item, "position");
    assertKeys(positionKeys(attribute), position, `${path}.position`);
    if (!isRecord(position)) continue;
    assertKeys(targetKeys(attribute), ownValue(position, "before"), `${path}.position.before`);
    assertKeys(targetKeys(attribute), ownValue(position, "after"), `${path}.position.after`);
  }
}

function assertKeys(known: readonly string[], value: unknown, path: string): void {
  if (isRecord(value)) for (const key of Object.keys(value)) assertKnown(known, key, path);
}

function assertKnown(known: readonly string[], key: string, path: string): void {
  if (!known.includes(key)) throw new UnknownKeyError({ key, path, source: "body" });
}
