import type { Ability } from "@plinth/core";
import { shapeOf } from "@plinth/core/reads";
import type { ContentType } from "@plinth/core/schema";

/** Whether a list may show an attribute to somebody: their rules let them read it, and find what it leads to. */
export function isReadableColumn(type: ContentType, ability: Ability, name: string): boolean {
  const attribute = shapeOf(type, ability.reachOf(`${type.uid}.find`)).attributes.get(name);
  if (attribute === undefined || attribute.kind === "password") return false;
  return attribute.kind !== "relation" || attribute.target === undefined || ability.can(`${attribute.target}.find`);
}
