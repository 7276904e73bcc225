import type { AttributeView } from "../../src/wire/model.js";
import { numberProblem } from "../fields/number/number-problem.js";
import { keptText } from "../fields/number/number-text.js";
import { type MessageKey, t } from "../messages/text.js";

const NUMBERS: ReadonlySet<string> = new Set(["integer", "biginteger", "float", "decimal"]);

type Text = readonly [MessageKey, Readonly<Record<string, string | number>>?];

/**
 * What a person reads of a problem. The server's sentences are for programs, and are compared by them; which rule of the
 * schema a value breaks is seen from the two.
 *
 * @param message - of the server; it is shown where no rule explains it
 */
export function problemText(attribute: AttributeView | undefined, value: unknown, message: string): string {
  if (!attribute) return message;
  const unread = keptText(value);
  if (unread !== undefined && NUMBERS.has(attribute.kind)) return numberProblem(unread, attribute.kind) ?? message;
  const text = isEmpty(value) ? emptyText(attribute) : (sizeText(attribute, value) ?? formText(attribute, value));
  if (text) return t(...text);
  return /unique/i.test(message) ? t("problem.taken") : message;
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);

const emptyText = ({ isRequired, min }: AttributeView): Text | undefined => {
  if (isRequired) return ["problem.required"];
  return min === undefined ? undefined : ["problem.fewItems", { min: Number(min) }];
};

function sizeText({ minLength, maxLength, min, max }: AttributeView, value: unknown): Text | undefined {
  if (Array.isArray(value)) return countText(value.length, Number(min ?? 0), Number(max ?? Number.POSITIVE_INFINITY));
  if (typeof value === "string") {
    const { length } = value;
    if (maxLength !== undefined && length > maxLength) return ["problem.long", { max: maxLength, length }];
    if (minLength !== undefined && length < minLength) return ["problem.short", { min: minLength, length }];
  }
  const isNumber = typeof value === "number" || /^-?\d+$/.test(String(value));
  if (isNumber && max !== undefined && Number(value) > Number(max)) return ["problem.high", { max }];
  return isNumber && min !== undefined && Number(value) < Number(min) ? ["problem.low", { min }] : undefined;
}

function countText(count: number, min: number, max: number): Text | undefined {
  if (count < min) return ["problem.fewItems", { min }];
  return count > max ? ["problem.manyItems", { max }] : undefined;
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

function formText({ kind, regex }: AttributeView, value: unknown): Text | undefined {
  if (typeof value !== "string") return undefined;
  if (kind === "email" && !EMAIL.test(value)) return ["problem.email"];
  if (kind === "uid" && !/^[A-Za-z0-9-_.~]*$/.test(value)) return ["problem.uid"];
  return regex !== undefined && !new RegExp(regex).test(value) ? ["problem.form"] : undefined;
}
