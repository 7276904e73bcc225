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
 * @returns undefined for names that do not exist, and for `createdBy` and `updatedBy`: see isClosedName and withAuthors.
 */
export function findField(shape: ContentType | Component, name: string): Attribute | SystemId | undefined {
  const attribute = shape.attributes.get(name);
  if (attribute) return attribute;
  if (shape.shape === "content-type") return shape.systemFields.get(name);
  return name === COMPONENT_ID.name ? COMPONENT_ID : undefined;
}

/** Names that every content-type has and that may not be used, on types without locales the last two. */
const CLOSED_NAMES: readonly string[] = [...AUTHOR_FIELDS, "locale", "localizations"];

/**
 * Whether a name that `findField` does not know is refused like a private attribute, not like an unknown one.
 *
 * @source plugins/content-api/WIRE.md#details-of-errors
 */
export function isClosedName(shape: ContentType | Component, name: string): boolean {
  return shape.shape === "content-type" && CLOSED_NAMES.includes(name);
}

/** The attribute that a Query names, which may be `createdBy` or `updatedBy`. */
export function findStored(shape: Shape, name: string): Attribute | undefined {
  return shape.attributes.get(name) ?? (shape as Partial<ContentType>).authors?.get(name);
}
