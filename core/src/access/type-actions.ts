import type { ContentType } from "../schema/model.js";
import { LIMITABLE } from "./rule.js";

/** The actions on documents with drafts beside those that can be limited; what a rule says about `update` holds for them. */
export const DRAFT_ACTIONS = ["publish", "unpublish", "discardDraft"] as const;

/** The actions on a content-type that can be granted: `find`, ... */
export function actionsOfType({ kind, hasDrafts }: ContentType): readonly string[] {
  const base = kind === "singleType" ? ["find", "update", "delete"] : ["find", "findOne", "create", "update", "delete"];
  return hasDrafts ? [...base, ...DRAFT_ACTIONS] : base;
}

/**
 * The actions on a content-type that rules can limit: all, unless its `options.limitable` lists those whose rules are
 * kept. Plugins say so of types whose routes ask for other actions.
 */
export function limitableActions({ options }: ContentType): readonly string[] {
  const listed = options["limitable"];
  return Array.isArray(listed) ? LIMITABLE.filter((action) => listed.includes(action)) : LIMITABLE;
}
