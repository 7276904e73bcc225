import type { ContentType } from "../schema/model.js";

/** The actions on documents with drafts beside those that can be limited; what a rule says about `update` holds for them. */
export const DRAFT_ACTIONS = ["publish", "unpublish", "discardDraft"] as const;

/** The actions on a content-type that can be granted: `find`, ... */
export function actionsOfType({ kind, hasDrafts }: ContentType): readonly string[] {
  const base = kind === "singleType" ? ["find", "update", "delete"] : ["find", "findOne", "create", "update", "delete"];
  return hasDrafts ? [...base, ...DRAFT_ACTIONS] : base;
}
