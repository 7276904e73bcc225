import type { ContentTypes, ContentTypeUid } from "../schema/declared-types.js";

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
