import type { DeletedView, VersionView } from "../../../src/wire/history.js";
import type { TypeView } from "../../../src/wire/model.js";
import { formatDate } from "../../messages/formats.js";
import { language, t } from "../../messages/text.js";

/** Who wrote a version. */
export function authorOf({ who, origin }: Pick<VersionView | DeletedView, "who" | "origin">): string {
  if (who) return who.name;
  const kind = origin?.actor?.kind;
  if (kind === "token") return t("history.by.token");
  if (kind === "user") return t("history.by.user");
  return t(origin ? "history.by.server" : "history.by.unknown");
}

/** What was done. */
export function actionOf({ action, status, restoredFrom }: VersionView): string {
  if (restoredFrom !== null) return t("history.action.restored");
  const isPublishing = status === "published" && (action === "create" || action === "update");
  return t(isPublishing ? "history.action.savedAndPublished" : `history.action.${action}`);
}

/** When, with the day. */
export const timeOf = (at: string): string => formatDate(new Date(at), { dateStyle: "medium", timeStyle: "short" });

/** Labels of the attributes that a write changed. */
export function changedIn({ changed }: VersionView, { attributes }: TypeView): string {
  const labels = (changed ?? []).flatMap((name) => attributes[name]?.label ?? []);
  return new Intl.ListFormat(language(), { type: "unit", style: "short" }).format(labels);
}
