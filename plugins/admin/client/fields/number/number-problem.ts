import type { AttributeKind } from "../../../src/wire/model.js";
import { language, t } from "../../messages/text.js";
import { readNumber } from "./number-text.js";

/** What a person reads of a text that is not a number, or can be read as two; undefined for a number. */
export function numberProblem(text: string, kind: AttributeKind): string | undefined {
  const reading = readNumber(text, kind, language());
  if (!reading) return t("field.notANumber");
  if ("value" in reading) return undefined;
  const { whole, part } = reading;
  return part === undefined ? t("field.noGroups", { whole }) : t("field.twoNumbers", { whole, part });
}
