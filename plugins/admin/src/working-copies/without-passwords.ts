import type { Attribute, ContentModel, ContentType } from "@plinth/core/schema";

type Shape = Pick<ContentType, "attributes">;

/** Where a path leads: to a password, or to what may be below it. */
type Place = "password" | readonly Shape[];

/**
 * The changes of a form without its passwords, those in components included: a working copy is kept as it is, and a
 * password is kept as a hash only.
 *
 * @param changes - by path: `title`, `sections.k3.heading`; the key of an item does not say which component of a zone it is
 */
export function withoutPasswords(
  model: ContentModel,
  type: ContentType,
  changes: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return stripObject(model, [type], changes);
}

function stripObject(model: ContentModel, shapes: readonly Shape[], values: object): Readonly<Record<string, unknown>> {
  const kept = Object.entries(values).flatMap(([path, value]): [string, unknown][] => {
    const place = follow(model, shapes, path);
    return place === "password" ? [] : [[path, strip(model, place, value)]];
  });
  return Object.fromEntries(kept);
}

function strip(model: ContentModel, shapes: readonly Shape[], value: unknown): unknown {
  if (shapes.length === 0 || typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? value.map((item) => strip(model, shapes, item)) : stripObject(model, shapes, value);
}

/** A step that names no attribute is the key of an item. */
function follow(model: ContentModel, from: readonly Shape[], path: string): Place {
  let shapes = from;
  for (const step of path.split(".")) {
    const named = shapes.flatMap(({ attributes }) => attributes.get(step) ?? []);
    if (named.some(({ kind }) => kind === "password")) return "password";
    if (named.length > 0) shapes = [...new Set(named.flatMap((attribute) => shapesBelow(model, attribute)))];
  }
  return shapes;
}

function shapesBelow({ components }: ContentModel, attribute: Attribute): readonly Shape[] {
  const uids =
    attribute.kind === "component"
      ? [attribute.component]
      : attribute.kind === "dynamiczone"
        ? attribute.components
        : [];
  return uids.flatMap((uid) => components.get(uid) ?? []);
}
