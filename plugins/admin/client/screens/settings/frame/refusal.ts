import { problemsOf } from "../../../app/problems.js";
import { t } from "../../../messages/text.js";
import { messageOf } from "../../../ui/state.js";

/** What the server found wrong with the fields of a form: sentences by the first part of their path, and what is of no field. */
export interface Refusal {
  readonly byField: ReadonlyMap<string, readonly string[]>;
  readonly general: string | undefined;
}

/** Nothing is wrong. */
export const NO_REFUSAL: Refusal = { byField: new Map(), general: undefined };

/** @param fields - those that the form shows; what is wrong with others is general */
export function refusalOf(error: unknown, fields: readonly string[]): Refusal {
  if (error === undefined || error === null) return NO_REFUSAL;
  const byField = new Map<string, string[]>();
  const others: string[] = [];
  for (const { path, message } of problemsOf(error)) {
    const [field = "", ...rest] = path.map(String);
    if (!fields.includes(field)) others.push(message);
    else byField.set(field, [...(byField.get(field) ?? []), sentence(field, rest.join("."), message)]);
  }
  const general = others.length > 0 ? others.join(" ") : undefined;
  return { byField, general: byField.size === 0 ? (general ?? messageOf(error)) : general };
}

/** `permissions[2].where`: of a list it says where; else the name of the field, which stands above it, is left out. */
function sentence(field: string, place: string, message: string): string {
  if (place === "" && /not empty|is required|a required field/.test(message)) return t("problem.required");
  const own = message.startsWith(`${field} `) ? message.slice(field.length + 1) : message;
  const text = own.charAt(0).toUpperCase() + own.slice(1);
  return place === "" ? text : `${place}: ${text}`;
}
