import { type MessageKey, t } from "../../../messages/text.js";

/** Actions on documents, in the order of their columns. */
export const TYPE_ACTIONS: readonly string[] = [
  "find",
  "findOne",
  "create",
  "update",
  "delete",
  "findDrafts",
  "publish",
  "unpublish",
  "discardDraft",
];

/** The name of an action on documents for readers; that of another one as it is. */
export const actionName = (name: string): string =>
  TYPE_ACTIONS.includes(name) ? t(`matrix.${name}` as MessageKey) : name;
