import type { Component, ContentModel, ContentType } from "@plinth/core/schema";
import { type NameTable, typeName } from "../names.js";
import type { Resolvers, ShadowRules } from "../plan.js";

/** What everything that makes types of one model shares. */
export interface Generation {
  readonly model: ContentModel;
  readonly rules: ShadowRules;
  readonly resolvers: Resolvers;
  /** Finds names that two types would have. */
  readonly names: NameTable;
  /**
   * Uids of types that drafts consist of: content-types with drafts, and the components in them. A draft may lack what
   * is required.
   */
  readonly draftable: ReadonlySet<string>;
  /** Uids of types and components that filters reach through a list: a relation to many, or a repeatable component. */
  readonly listed: ReadonlySet<string>;
}

/** Uids of the content-types with drafts, and of the components that are in them or in their components. */
export function listDraftable({ contentTypes, components }: ContentModel): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (shape: ContentType | Component | undefined): void => {
    if (!shape || found.has(shape.uid)) return;
    found.add(shape.uid);
    for (const attribute of shape.attributes.values()) {
      if (attribute.kind === "component") visit(components.get(attribute.component));
      if (attribute.kind === "dynamiczone") for (const uid of attribute.components) visit(components.get(uid));
    }
  };
  for (const type of contentTypes.values()) if (type.hasDrafts) visit(type);
  return found;
}

/** The content-type or component behind a uid, when the schema has it. */
export function enabledShape(
  { model, rules }: Pick<Generation, "model" | "rules">,
  uid: string,
): ContentType | Component | undefined {
  const shape = model.contentTypes.get(uid) ?? model.components.get(uid);
  return shape && rules.type(uid).isEnabled ? shape : undefined;
}

/** All content-types that the schema has. */
export function enabledTypes({ model, rules }: Pick<Generation, "model" | "rules">): readonly ContentType[] {
  return [...model.contentTypes.values()].filter(({ uid }) => rules.type(uid).isEnabled);
}

/** All components that the schema has. */
export function enabledComponents({ model, rules }: Pick<Generation, "model" | "rules">): readonly Component[] {
  return [...model.components.values()].filter(({ uid }) => rules.type(uid).isEnabled);
}

/** Name of the type of a uid, when the schema has it. */
export function enabledName(generation: Generation, uid: string | undefined): string | undefined {
  const shape = uid === undefined ? undefined : enabledShape(generation, uid);
  return shape && typeName(shape);
}
