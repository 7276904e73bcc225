import type { ContentTypes, ContentTypeUid } from "../schema/declared-types.js";
import type { ContentType } from "../schema/model.js";

/** The draft actions; a rule on `update` holds for them too. */
export const DRAFT_ACTIONS = ["publish", "unpublish", "discardDraft"] as const;

/** The action for reading drafts; `find` and `findOne` decide which documents and attributes. */
export const FIND_DRAFTS = "findDrafts";

/** The actions that read or write attributes; the others are about documents as a whole. */
export const WITH_FIELDS = ["find", "findOne", "create", "update"] as const;

/** The actions whose rows can be limited; of those of WITH_FIELDS the attributes as well. */
export const LIMITABLE = [...WITH_FIELDS, "delete", FIND_DRAFTS, ...DRAFT_ACTIONS] as const;

const ABOUT_DRAFTS: readonly string[] = [FIND_DRAFTS, ...DRAFT_ACTIONS];

/** The actions on a content-type that can be granted: `find`, ... */
export function actionsOfType({ kind, hasDrafts }: ContentType): readonly string[] {
  const base = kind === "singleType" ? ["find", "update", "delete"] : ["find", "findOne", "create", "update", "delete"];
  return hasDrafts ? [...base, FIND_DRAFTS, ...DRAFT_ACTIONS] : base;
}

/**
 * The actions on a content-type that rules can limit: all, unless its `options.limitable` lists those whose rules are
 * kept. Plugins set it for types whose routes require other actions.
 */
export function limitableActions({ options, hasDrafts }: ContentType): readonly string[] {
  const listed = options["limitable"];
  const possible = hasDrafts ? LIMITABLE : LIMITABLE.filter((action) => !ABOUT_DRAFTS.includes(action));
  return Array.isArray(listed) ? possible.filter((action) => listed.includes(action)) : possible;
}

/** The actions that routes name beside those of content-types. Empty here: `plinth types` writes those of an app. */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged into
export interface Actions {}

/** An action that can be limited to some rows and attributes, and the content-type that it is about. */
export type LimitableAction<Uid extends ContentTypeUid> =
  | `${Uid}.${ContentTypes[Uid] extends { readonly kind: "singleType" } ? "find" | "update" | "delete" : "find" | "findOne" | "create" | "update" | "delete"}`
  | DraftAction<Uid>;

type DraftAction<Uid extends ContentTypeUid> = ContentTypes[Uid] extends { readonly drafts: true }
  ? `${Uid}.${"findDrafts" | "publish" | "unpublish" | "discardDraft"}`
  : never;

type TypeAction = { [Uid in ContentTypeUid]: LimitableAction<Uid> }[ContentTypeUid];

/** Every action that can be granted; any text where nothing was generated. */
export type ActionName = [ContentTypeUid] extends [never] ? string : TypeAction | (keyof Actions & string);
