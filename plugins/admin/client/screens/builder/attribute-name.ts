import { t } from "../../messages/text.js";
import { allAttributesOf, type DraftedShape } from "./draft.js";
import { ATTRIBUTE_NAME, RESERVED } from "./names.js";

/** Why an attribute of a schema cannot have a name; undefined: it can. */
export function nameProblem(shape: DraftedShape, name: string, own?: string): string | undefined {
  if (name === own) return undefined;
  if (!ATTRIBUTE_NAME.test(name)) return t("builder.name.wrong");
  if (RESERVED.includes(name)) return t("builder.name.reserved", { name });
  return Object.hasOwn(allAttributesOf(shape), name) ? t("builder.name.taken", { name }) : undefined;
}
