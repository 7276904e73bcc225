import { describeKnown } from "../../../base/suggest.js";
import { isScalarKind, SCALAR_TRAITS } from "../../../schema/attribute.js";
import { InvalidAttributeError } from "../errors.js";

/** Attributes of a schema file by name. */
export type NewAttributes = Readonly<Record<string, { readonly type: string }>>;

/** Kinds that need nothing beside their name. */
const KINDS = Object.keys(SCALAR_TRAITS).filter((kind) => kind !== "enumeration" && isScalarKind(kind));

/**
 * Reads `title:string,body:richtext`; without a type an attribute is a string.
 *
 * @throws PLINTH_CLI_INVALID_ATTRIBUTE
 */
export function parseAttributes(text: string | undefined): NewAttributes {
  const attributes: Record<string, { readonly type: string }> = {};
  for (const attribute of (text ?? "title:string").split(",").map((part) => part.trim())) {
    const [name = "", type = "string"] = attribute.split(":");
    if (!/^[a-zA-Z][a-zA-Z0-9_]*$/.test(name))
      throw new InvalidAttributeError({ attribute, reason: "has to begin with a name of letters, digits and _." });
    if (name in attributes) throw new InvalidAttributeError({ attribute, reason: "is named twice." });
    if (!isScalarKind(type) || type === "enumeration")
      throw new InvalidAttributeError({ attribute, reason: `has an unknown type. ${describeKnown(type, KINDS)}` });
    attributes[name] = { type };
  }
  return attributes;
}
