import type { PageAction, RoleType, RoleView } from "../../../src/wire/roles.js";
import { readTree } from "../../app/filter-tree.js";
import { isGroup, type Part } from "../../app/filter-tree.js";
import type { Session } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { conditionText } from "../list/filter-words.js";
import { type Cell, cellOf } from "./grant-model.js";
import { readRows } from "./rule-rows.js";

/** What a role may do with one type, in words. */
export interface TypeWords {
  readonly label: string;
  readonly lines: readonly string[];
}

/** The name of an action of content: `Change`. */
export const actionWord = (name: string): string => t(`action.of.${name}` as "action.of.find");

type Granted = Pick<RoleView, "byCode" | "grant">;

/** What a role may do, in words: by type, and with the page. */
export function wordsOf(session: Session, role: Granted, types: readonly RoleType[]): readonly TypeWords[] {
  return types.flatMap((type) => {
    const lines = linesOf(session, role, type);
    return lines.length === 0 ? [] : [{ label: type.label, lines }];
  });
}

/** Actions that are allowed alike are one line. */
function linesOf(session: Session, role: Granted, type: RoleType): readonly string[] {
  const byLimit = new Map<string, string[]>();
  for (const name of type.actions) {
    const cell = cellOf(role, `${type.uid}.${name}`);
    if (cell.state === "no") continue;
    const limit = limitWords(session, type, cell);
    byLimit.set(limit, [...(byLimit.get(limit) ?? []), actionWord(name)]);
  }
  return [...byLimit].map(([limit, names]) => (limit === "" ? names.join(", ") : `${names.join(", ")}: ${limit}`));
}

/** What limits a cell, in words; empty: nothing does. */
export function limitWords(session: Session, { uid, fields }: RoleType, { rule }: Cell): string {
  if (!rule) return "";
  const { isOwn, locales, tree, kept } = readRows(rule.where);
  const type = session.types.get(uid);
  const labelOf = (name: string) => fields.find((field) => field.name === name)?.label ?? name;
  const conditions = (part: Part): string =>
    isGroup(part)
      ? `(${part.parts.map(conditions).join(` ${t(part.join === "$and" ? "filter.and" : "filter.or")} `)})`
      : type
        ? conditionText(session, type, part, (id) => id)
        : part.field.join(".");
  const words = [
    ...(isOwn ? [t("roles.words.own")] : []),
    ...(locales ? [t("roles.words.locales", { locales: locales.join(", ") })] : []),
    ...(tree ? [t("roles.words.where", { filter: conditions(readTree(tree)).replace(/^\((.*)\)$/, "$1") })] : []),
    ...(kept.length > 0 ? [t("roles.words.kept")] : []),
    ...(rule.fields ? [t("roles.words.fields", { fields: rule.fields.map(labelOf).join(", ") || "–" })] : []),
    ...(rule.set ? [t("roles.words.set", { fields: Object.keys(rule.set).map(labelOf).join(", ") })] : []),
  ];
  return words.join("; ");
}

/** The actions of the page that a role has, in words. */
export const pageWords = (role: Granted, actions: readonly PageAction[]): readonly string[] =>
  actions.filter(({ name }) => cellOf(role, name).state !== "no").map(({ text }) => text);
