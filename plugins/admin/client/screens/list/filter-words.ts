import type { AttributeView, TypeView } from "../../../src/wire/model.js";
import type { Session } from "../../app/session.js";
import type { Condition } from "../../app/filter-tree.js";
import { formatDate } from "../../messages/formats.js";
import { t } from "../../messages/text.js";
import { attributeOf, fromCondition } from "./filter-condition.js";
import { attributesAt } from "./filter-fields.js";
import { type Comparison, type FilterField, isBare, isMoment, isWithDocuments } from "./operators.js";

/** The words of a comparison: media has files, where other kinds are empty or not. */
export function comparisonText(comparison: Comparison, kind: AttributeView["kind"] | undefined): string {
  if (kind === "media" && isBare(comparison)) return t(`operator.media.${comparison}`);
  return t(`operator.${comparison}`);
}

/** What names documents, where their titles have been read. */
export type TitleOf = (documentId: string) => string;

/** A condition in words. */
export function conditionText(session: Session, type: TypeView, condition: Condition, titleOf: TitleOf): string {
  const names = attributeOf(condition);
  const attributes = attributesAt(session, type, names);
  const attribute = attributes.length === names.length ? attributes.at(-1) : undefined;
  const field = attribute ? attributes.map(({ label }) => label).join(" › ") : condition.field.join(" › ");
  const { comparison, values } = fromCondition(attribute?.kind ?? "string", condition);
  if (comparison === "lastDays") return t("filter.lastDays", { field, count: Number(values[0]) });
  const words = `${field} ${comparisonText(comparison, attribute?.kind)}`;
  if (isBare(comparison)) return words;
  const shown = values.map((value) => (isWithDocuments(comparison) ? titleOf(value) : valueText(attribute, value)));
  const [first = "", second = ""] = shown;
  return `${words} ${comparison === "between" ? t("filter.range", { from: first, to: second }) : shown.join(", ")}`;
}

/** A value in the reader's notation. */
function valueText(attribute: FilterField | undefined, value: string): string {
  if (attribute?.wordsFor) return attribute.wordsFor(value);
  const kind = attribute?.kind ?? "string";
  if (kind === "boolean") return t(value === "true" ? "value.yes" : "value.no");
  const isDay = kind === "date" || /^\d{4}-\d\d-\d\d$/.test(value);
  if (!isDay && !isMoment(kind)) return value;
  const date = new Date(isDay ? `${value}T00:00:00` : value);
  if (Number.isNaN(date.getTime())) return value;
  return isDay
    ? formatDate(date, { dateStyle: "medium" })
    : formatDate(date, { dateStyle: "medium", timeStyle: "short" });
}
