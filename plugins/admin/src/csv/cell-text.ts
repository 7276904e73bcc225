import type { Attribute } from "@plinth/core/schema";
import type { RelationValue } from "../wire/content.js";
import type { FileView } from "../wire/files.js";

/** Between several titles in one cell. */
const BETWEEN = "; ";

/** A value of a list as a cell of a file: relations by titles, files by names, dates as ISO 8601. */
export function cellText(kind: Attribute["kind"] | undefined, value: unknown): string {
  if (value === null || value === undefined) return "";
  switch (kind) {
    case "relation":
      return relationText(value as RelationValue);
    case "media":
      return ([value].flat() as unknown as readonly FileView[]).map(({ name }) => name).join(BETWEEN);
    case "blocks":
      return blocksText(value);
    case "json":
      return JSON.stringify(value);
    default:
      return typeof value === "object" ? JSON.stringify(value) : String(value);
  }
}

function relationText({ total, items }: RelationValue): string {
  const titles = items.map(({ title }) => title);
  const more = total > items.length ? [`(+${total - items.length})`] : [];
  return [...titles, ...more].join(BETWEEN);
}

/** The words of a blocks document, a line for each block. */
function blocksText(value: unknown): string {
  if (!Array.isArray(value)) return inlineText(value);
  return value.map(inlineText).join("\n");
}

function inlineText(node: unknown): string {
  const { text, children } = Object(node) as { readonly text?: unknown; readonly children?: unknown };
  if (typeof text === "string") return text;
  return Array.isArray(children) ? children.map(inlineText).join("") : "";
}
