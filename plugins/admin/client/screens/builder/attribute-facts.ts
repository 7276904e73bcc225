import { t } from "../../messages/text.js";
import { getAt, type RawAttribute } from "./draft.js";

/** What matters most of an attribute beside its kind, in words. */
export function attributeFacts(attribute: RawAttribute): readonly string[] {
  const { target, component, components } = attribute;
  const parts = Array.isArray(components) ? components.map(String) : [];
  return [
    ...(typeof target === "string" ? [target] : []),
    ...(typeof component === "string" ? [component] : []),
    ...(parts.length > 0 ? [parts.join(", ")] : []),
    ...(attribute["required"] === true ? [t("builder.option.required")] : []),
    ...(attribute["unique"] === true ? [t("builder.option.unique")] : []),
    ...(attribute["private"] === true ? [t("builder.option.private")] : []),
    ...(getAt(attribute, ["pluginOptions", "i18n", "localized"]) === true ? [t("builder.localized")] : []),
  ];
}
