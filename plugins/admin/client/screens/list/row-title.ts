import type { TypeView } from "../../../src/wire/model.js";
import { t } from "../../messages/text.js";

/** What names a row: its title, or its documentId where it has none. */
export function titleOf({ title }: Pick<TypeView, "title">, row: Readonly<Record<string, unknown>>): string {
  const text = row[title];
  return typeof text === "string" && text.trim() !== "" ? text : String(row["documentId"] ?? t("edit.untitled"));
}
