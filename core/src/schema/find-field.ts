import type { Attribute, Component, ContentType, Shape, SystemId } from "./model.js";

/** The authors of a row: known names that administrators alone may read and filter by, and no request may write. */
export const AUTHOR_FIELDS = ["createdBy", "updatedBy"] as const;

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
 * @returns undefined for names that do not exist, and for `createdBy` and `updatedBy`: see isAuthorField and withAuthors.
 */
export function findField(shape: ContentType | Component, name: string): Attribute | SystemId | undefined {
  const attribute = shape.attributes.get(name);
  if (attribute) return attribute;
  if (shape.shape === "content-type") return shape.systemFields.get(name);
  return name === COMPONENT_ID.name ? COMPONENT_ID : undefined;
}

/** Whether a name is `createdBy` or `updatedBy`: refused like a private attribute, not like an unknown one (WIRE.md, "Details of errors"). */
export function isAuthorField(shape: ContentType | Component, name: string): boolean {
  return shape.shape === "content-type" && (AUTHOR_FIELDS as readonly string[]).includes(name);
}

/** The attribute that a Query names, which may be `createdBy` or `updatedBy`. */
export function findStored(shape: Shape, name: string): Attribute | undefined {
  return shape.attributes.get(name) ?? (shape as Partial<ContentType>).authors?.get(name);
}
