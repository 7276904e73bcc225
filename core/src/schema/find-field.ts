import type { Attribute, Component, ContentType, SystemId } from "./model.js";

/** Fields that every row has and no request may read, filter or write: known, but forbidden. */
const CREATOR_FIELDS: ReadonlySet<string> = new Set(["createdBy", "updatedBy"]);

/** The `id` that every stored component carries. */
export const COMPONENT_ID: SystemId = Object.freeze({
  kind: "id",
  name: "id",
  column: "id",
  required: true,
  isPrivate: false,
  isWritable: false,
  isLocalized: true,
  renamedFrom: undefined,
});

/**
 * Looks a name of a request up: an attribute, or a system field such as `documentId`; of components also `id`.
 *
 * @returns undefined for names that do not exist, and for `createdBy` and `updatedBy`: see `isCreatorField`.
 */
export function findField(shape: ContentType | Component, name: string): Attribute | SystemId | undefined {
  const attribute = shape.attributes.get(name);
  if (attribute) return attribute;
  if (shape.shape === "content-type") return shape.systemFields.get(name);
  return name === COMPONENT_ID.name ? COMPONENT_ID : undefined;
}

/** Whether a name is `createdBy` or `updatedBy`: refused like a private attribute, not like an unknown one (WIRE.md, "Details of errors"). */
export function isCreatorField(shape: ContentType | Component, name: string): boolean {
  return shape.shape === "content-type" && CREATOR_FIELDS.has(name);
}
