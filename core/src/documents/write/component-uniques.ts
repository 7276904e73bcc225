import { createHash } from "node:crypto";
import { isScalarKind, isUnique } from "../../schema/attribute.js";
import type { Component, ComponentAttribute, ContentModel, ZoneAttribute } from "../../schema/model.js";
import { itemsOf } from "./embedded-links.js";
import { CLAIM_COMPONENT_UNIQUES, CLEAR_COMPONENT_UNIQUES } from "../../database/writes/component-sql.js";
import { NotUniqueError } from "../errors.js";
import { listProblems } from "../problems.js";
import type { Version } from "../../database/writes/version.js";
import type { WritePlan } from "../../database/writes/write-plan.js";
import type { WriteScope } from "./write-scope.js";

/**
 * Claims the unique values in the components of a published row; the table's unique index decides, across processes.
 *
 * @throws PLINTH_DOCUMENT_NOT_UNIQUE (400) with all values that are taken or that the row has twice
 * @source plugins/content-api/WIRE.md#unique-values
 */
export async function writeComponentUniques(scope: WriteScope, plan: WritePlan, row: Version): Promise<void> {
  if (!plan.hasComponentUniques) return;
  const { uid } = plan.type;
  const values = plan.components.flatMap((attribute) =>
    uniqueValues(scope.layout.model, attribute, row.content[attribute.name]),
  );
  const isTwice = (value: UniqueValue) => values.some((other) => other !== value && keyOf(other) === keyOf(value));
  assertFree(values.filter(isTwice));
  await clearComponentUniques(scope, plan, row.documentId, [row.locale]);
  if (values.length === 0) return;
  const claims = JSON.stringify(values.map(({ attribute, hash }) => ({ path: attribute, hash })));
  const rows = await scope.db.query<{ key: string }>({
    text: CLAIM_COMPONENT_UNIQUES,
    values: [uid, row.documentId, row.locale, claims],
    isPlan: true,
  });
  const claimed = new Set(rows.map(({ key }) => key));
  assertFree(values.filter((value) => !claimed.has(keyOf(value))));
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

function assertFree(taken: readonly UniqueValue[]): void {
  const errors = taken.map(({ path, value }) => ({
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

interface Place {
  readonly path: readonly string[];
  readonly attribute: string;
}

/** The unique values in the stored components of one attribute; null and empty text are never duplicates. */
export function uniqueValues(
  model: ContentModel,
  attribute: Structured,
  stored: unknown,
  parent?: Place,
): readonly UniqueValue[] {
  const isList = Array.isArray(stored);
  return itemsOf(stored).flatMap((item, index) => {
    const uid = attribute.kind === "component" ? attribute.component : String(item["__component"]);
    const component = model.components.get(uid);
    if (!component) return [];
    const path = [...(parent?.path ?? []), attribute.name, ...(isList ? [String(index)] : [])];
    const name = `${parent ? `${parent.attribute}.` : ""}${attribute.name}${attribute.kind === "dynamiczone" ? `:${uid}` : ""}`;
    return valuesOf(model, component, item, { path, attribute: name });
  });
}

function valuesOf(
  model: ContentModel,
  component: Component,
  item: Readonly<Record<string, unknown>>,
  place: Place,
): readonly UniqueValue[] {
  return [...component.attributes.values()].flatMap((attribute) => {
    const value = item[attribute.name] ?? null;
    if (attribute.kind === "component" || attribute.kind === "dynamiczone")
      return uniqueValues(model, attribute, value, place);
    if (!isScalarKind(attribute.kind) || !isUnique(attribute) || value === null || value === "") return [];
    const hash = createHash("sha256").update(JSON.stringify(value)).digest("hex");
    return [{ path: [...place.path, attribute.name], attribute: `${place.attribute}.${attribute.name}`, value, hash }];
  });
}
