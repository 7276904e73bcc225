import type { RelationValue } from "../../../src/wire/content.js";
import type { FileView } from "../../../src/wire/files.js";
import type { AttributeView } from "../../../src/wire/model.js";
import { formatDate, formatGrouped } from "../../messages/formats.js";
import { t } from "../../messages/text.js";
import { Icon } from "../../ui/icon.js";
import styles from "./list.module.css";

/** How much of a text a cell shows. */
const MAX_TEXT = 90;

interface CellProps {
  readonly attribute: AttributeView;
  readonly value: unknown;
}

/** A value in a list. */
export function Cell({ attribute: { kind }, value }: CellProps) {
  if (value === null || value === undefined) return <span className={styles.soft}>–</span>;
  if (kind === "media") return <Thumbnail value={value} />;
  if (kind === "boolean") return value ? <Icon name="check" size={1} /> : <span className={styles.soft}>–</span>;
  if (kind === "datetime" || kind === "timestamp") return <Moment value={String(value)} />;
  if (kind === "date") return <>{dateText(String(value))}</>;
  if (kind === "relation") return <>{linkText(value)}</>;
  // The title of one component, and the number of several.
  if (kind === "component" || kind === "dynamiczone") return <>{String(value)}</>;
  return <>{textOf(kind, value)}</>;
}

/** Kinds whose values stand at the end of their column. */
export const isNumeric = ({ kind }: AttributeView): boolean =>
  kind === "integer" || kind === "biginteger" || kind === "float" || kind === "decimal";

/** A time, short; exact on hover. */
export function Moment({ value }: { readonly value: string }) {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return <>{value}</>;
  const text = formatDate(date, { dateStyle: "medium", timeStyle: "short" });
  return (
    <time dateTime={value} title={formatDate(date, { dateStyle: "full", timeStyle: "long" })}>
      {text}
    </time>
  );
}

const dateText = (value: string): string =>
  formatDate(new Date(`${value}T00:00:00Z`), { dateStyle: "medium", timeZone: "UTC" });

function textOf(kind: AttributeView["kind"], value: unknown): string {
  if (typeof value === "number" && kind !== "biginteger") return formatGrouped(value);
  if (kind === "blocks") return shortened(blocksText(value));
  if (typeof value === "string") return shortened(value);
  return shortened(JSON.stringify(value));
}

const shortened = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);

/** The words of a blocks document. */
function blocksText(value: unknown): string {
  if (Array.isArray(value)) return value.map(blocksText).join(" ");
  const { text, children } = value as { readonly text?: string; readonly children?: unknown };
  return text ?? (children ? blocksText(children) : "");
}

function linkText(value: unknown): string {
  const { total, items } = value as RelationValue;
  const [first] = items;
  if (!first) return "–";
  return total > 1 ? t("list.links", { title: first.title, count: total - 1 }) : first.title;
}

function Thumbnail({ value }: { readonly value: unknown }) {
  const file = (Array.isArray(value) ? value[0] : value) as FileView | undefined;
  if (!file) return <span className={styles.soft}>–</span>;
  if (file.thumbnail === null) return <>{file.name}</>;
  return <img className={styles.thumb} src={file.thumbnail} alt={file.name} loading="lazy" />;
}
