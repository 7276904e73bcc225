import { createHash } from "node:crypto";
import type { UniqueHolder, UniquePlaces } from "../../database/layout/carried.js";
import { isUnique } from "../../schema/attribute.js";
import type { Attribute, ComponentAttribute, ContentModel, ZoneAttribute } from "../../schema/model.js";
import { itemsOf } from "./embedded-links.js";
import { CLEAR_COMPONENT_UNIQUES, RELEASE_COMPONENT_UNIQUES } from "../../database/writes/component-sql.js";
import { NotUniqueError } from "../errors.js";
import { listProblems } from "../problems.js";
import type { Version } from "../../database/writes/version.js";
import type { WritePlan } from "../../database/writes/write-plan.js";
import type { WriteScope } from "./write-scope.js";

/**
 * Claims the unique values in the components of a published row, those that all locales share in each locale that is
 * published; the table's unique index decides, across processes.
 *
 * @throws PLINTH_DOCUMENT_NOT_UNIQUE (400) with all values that are taken or that the row has twice
 * @source plugins/content-api/WIRE.md#unique-values
 */
export async function writeComponentUniques(scope: WriteScope, plan: WritePlan, row: Version): Promise<void> {
  if (!plan.hasComponentUniques) return;
  const { db } = scope;
  const values = await valuesIn(scope, plan, row);
  const isTwice = (value: UniqueValue) => values.some((other) => other !== value && keyOf(other) === keyOf(value));
  assertFree(values.filter(isTwice));
  const shared = sharedHolders(scope, plan);
  const place = [plan.type.uid, row.documentId, row.locale];
  await db.query({ text: RELEASE_COMPONENT_UNIQUES, values: [...place, shared], isPlan: true });
  if (values.length === 0) return;
  const claims = values.map(({ attribute, hash, path: [holder = ""] }) => ({
    path: attribute,
    hash,
    shared: shared.includes(holder),
  }));
  const text = plan.sql.claimUniques;
  const rows = await db.query<TakenValue>({ text, values: [...place, JSON.stringify(claims)], isPlan: true });
  assertFree(takenOf(values, rows, row));
}

/** A value that another document has. */
interface TakenValue {
  readonly locale: string;
  readonly key: string;
}

/** The values that are taken, with the locale where it is another one than the row's. */
function takenOf(values: readonly UniqueValue[], taken: readonly TakenValue[], row: Version) {
  return values.flatMap((value) => {
    const locales = taken.flatMap(({ key, locale }) => (key === keyOf(value) ? [locale] : []));
    const [first] = locales;
    if (first === undefined) return [];
    return [locales.includes(row.locale) ? value : { ...value, locale: first }];
  });
}

/** Names of the attributes with components that all locales share, those that the model lacks included. */
function sharedHolders({ layout }: WriteScope, plan: WritePlan): readonly string[] {
  const { uniques, shared: columns = [] } = layout.carried?.of(plan.type.table) ?? {};
  const carried = (uniques?.holders ?? []).filter(({ column }) => columns.includes(column));
  const own = plan.components.filter(({ name }) => plan.shared.has(name));
  return [...new Set([...own, ...carried].map(({ name }) => name))];
}

/** Releases the values of a document's published rows. */
export async function clearComponentUniques(
  scope: WriteScope,
  plan: WritePlan,
  documentId: string,
  locales: readonly string[],
): Promise<void> {
  if (plan.hasComponentUniques)
    await scope.db.query({ text: CLEAR_COMPONENT_UNIQUES, values: [plan.type.uid, documentId, locales], isPlan: true });
}

function assertFree(taken: readonly (UniqueValue & { readonly locale?: string })[]): void {
  const errors = taken.map(({ path, value, locale }) => ({
    ...(locale === undefined ? {} : { locale }),
    path,
    message: "This attribute must be unique",
    name: "ValidationError" as const,
    value,
  }));
  if (errors.length > 0) throw new NotUniqueError(listProblems(errors));
}

const keyOf = ({ attribute, hash }: UniqueValue): string => `${attribute} ${hash}`;

/** A value inside a component that may exist once among the published rows of a locale. */
export interface UniqueValue {
  /** Attribute names and indexes: `["links", "1", "label"]`. */
  readonly path: readonly string[];
  /** The path without indexes; in zones with the component: `sections.hero:title`. */
  readonly attribute: string;
  readonly value: unknown;
  /** Equal for equal values of one attribute. */
  readonly hash: string;
}

type Structured = ComponentAttribute | ZoneAttribute;

/** The unique values of a row, those of attributes that another version of the app has added included. */
async function valuesIn({ db, layout }: WriteScope, plan: WritePlan, row: Version): Promise<readonly UniqueValue[]> {
  const carried = layout.carried?.of(plan.type.table).uniques;
  if (!carried)
    return plan.components.flatMap((attribute) => uniqueValues(layout.model, attribute, row.content[attribute.name]));
  const [stored = {}] = await db.query({ text: plan.sql.components, values: [row.id], isPlan: true });
  return carried.holders.flatMap((holder) => valuesOf(carried.places, holder, stored[holder.column]));
}

interface Place {
  readonly path: readonly string[];
  readonly attribute: string;
}

/** The unique values in the stored components of one attribute; null and empty text are never duplicates. */
export function uniqueValues(model: ContentModel, attribute: Structured, stored: unknown): readonly UniqueValue[] {
  return valuesOf(placesOf(model), holderOf(attribute), stored);
}

function valuesOf(
  places: UniquePlaces,
  { name, component }: UniqueHolder,
  stored: unknown,
  parent?: Place,
): readonly UniqueValue[] {
  const isList = Array.isArray(stored);
  const isZone = component === "";
  return itemsOf(stored).flatMap((item, index) => {
    const uid = isZone ? String(item["__component"]) : component;
    const found = places.get(uid);
    if (!found) return [];
    const path = [...(parent?.path ?? []), name, ...(isList ? [String(index)] : [])];
    const attribute = `${parent ? `${parent.attribute}.` : ""}${name}${isZone ? `:${uid}` : ""}`;
    const place = { path, attribute };
    const own = found.uniques.flatMap((unique) => valueAt(place, unique, item[unique] ?? null));
    return [...own, ...found.holders.flatMap((holder) => valuesOf(places, holder, item[holder.name] ?? null, place))];
  });
}

function valueAt(place: Place, name: string, value: unknown): readonly UniqueValue[] {
  if (value === null || value === "") return [];
  const hash = createHash("sha256").update(JSON.stringify(value)).digest("hex");
  return [{ path: [...place.path, name], attribute: `${place.attribute}.${name}`, value, hash }];
}

const PLACES = new WeakMap<ContentModel, UniquePlaces>();

/** Where a model's unique attributes are in components: found once. */
function placesOf(model: ContentModel): UniquePlaces {
  const known = PLACES.get(model);
  if (known) return known;
  const places: UniquePlaces = new Map(
    [...model.components.values()].map(({ uid, attributes }) => {
      const all = [...attributes.values()];
      const uniques = all.filter(isUnique).map(({ name }) => name);
      return [uid, { uniques, holders: all.filter(isStructured).map(holderOf) }];
    }),
  );
  PLACES.set(model, places);
  return places;
}

const isStructured = (attribute: Attribute): attribute is Structured =>
  attribute.kind === "component" || attribute.kind === "dynamiczone";

const holderOf = (attribute: Structured): UniqueHolder => ({
  name: attribute.name,
  component: attribute.kind === "component" ? attribute.component : "",
});
