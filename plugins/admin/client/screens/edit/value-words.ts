import type { RelatedEntry } from "../../../src/wire/content.js";
import type { FileView } from "../../../src/wire/files.js";
import type { AttributeKind, AttributeView } from "../../../src/wire/model.js";
import { formatNumber } from "../../fields/number/number-text.js";
import { below, type Path } from "../../form/paths.js";
import { hasItems, type ItemRef, type Leaves, type Shapes } from "../../form/shape.js";
import { formatDate } from "../../messages/formats.js";
import { language, t } from "../../messages/text.js";

/** A value of a form, where it stands, and the values beside it. */
export interface ShownValue {
  readonly attribute: AttributeView;
  readonly value: unknown;
  readonly path: Path;
  readonly leaves: Leaves;
  readonly shapes: Shapes;
}

type Words = (value: never, shown: ShownValue) => string;

const number: Words = (value: number | string, { attribute }) => formatNumber(value, attribute.kind, language());

const moment =
  (options: Intl.DateTimeFormatOptions): Words =>
  (value: string) => {
    const date = new Date(value);
    return Number.isNaN(date.getTime()) ? value : formatDate(date, options);
  };

const WORDS: Partial<Record<AttributeKind, Words>> = {
  integer: number,
  float: number,
  decimal: number,
  boolean: (value: boolean) => t(value ? "value.yes" : "value.no"),
  password: () => "••••••",
  date: moment({ dateStyle: "long", timeZone: "UTC" }),
  time: (value: string) => value.slice(0, 8),
  datetime: moment({ dateStyle: "long", timeStyle: "long" }),
  timestamp: moment({ dateStyle: "long", timeStyle: "long" }),
  blocks: (value: readonly unknown[]) => value.map(blockText).join("\n\n"),
  media: (value: FileView | readonly FileView[]) => lines([value].flat().map(({ name }) => name)),
  relation: (value: RelatedEntry | readonly RelatedEntry[]) => lines([value].flat().map(({ title }) => title)),
};

/** A value in words, as somebody reads it who chooses between two. */
export function wordsOf(shown: ShownValue): string {
  const { attribute, value } = shown;
  const isEmpty = value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
  if (isEmpty) return t("conflict.empty");
  if (hasItems(attribute)) return lines((value as readonly ItemRef[]).map((item) => itemText(item, shown)));
  const words = WORDS[attribute.kind] as ((value: unknown, shown: ShownValue) => string) | undefined;
  return words?.(value, shown) ?? String(value);
}

/** One a line; several with their numbers. */
const lines = (texts: readonly string[]): string =>
  texts.length === 1 ? (texts[0] ?? "") : texts.map((text, index) => `${index + 1}. ${text}`).join("\n");

/** The kind of a part, and the text that names it. */
function itemText({ key, component }: ItemRef, { path, leaves, shapes }: ShownValue): string {
  const { label = component, title = null } = shapes.components.get(component) ?? {};
  const text = title === null ? undefined : leaves.get(below(below(path, key), title));
  return typeof text === "string" && text !== "" ? `${label}: ${text}` : label;
}

interface Node {
  readonly type?: string;
  readonly text?: string;
  readonly children?: readonly unknown[];
  readonly image?: { readonly name?: string; readonly alternativeText?: string | null };
}

/** The text of a block; of a list its items, one a line. */
export function blockText(block: unknown): string {
  const { type, text, children = [], image } = (block ?? {}) as Node;
  if (text !== undefined) return text;
  if (image) return image.alternativeText || image.name || t("blocks.kind.image");
  if (type === "list") return children.map((item) => `• ${blockText(item)}`).join("\n");
  return children.map(blockText).join("");
}
