import { t } from "../../messages/text.js";
import type { OptionTools } from "./attribute-props.js";
import { ChecksControl, SelectControl } from "./controls.js";
import { labelOf, type RawAttribute, shapesOf } from "./draft.js";
import { useDraft } from "./use-builder.js";

type ComponentProps = OptionTools & { readonly attribute: RawAttribute; readonly isReadOnly: boolean };

/** Which component an attribute holds, or which ones. */
export function ComponentOptions({ attribute, isReadOnly, get, set, at }: ComponentProps) {
  const { draft } = useDraft();
  const choices = shapesOf(draft)
    .filter(({ shape, state }) => shape === "component" && state !== "removed")
    .map((shape) => ({ value: shape.uid, label: `${labelOf(shape)} (${shape.uid})` }));
  const value = get("components");
  if (attribute["type"] === "dynamiczone")
    return (
      <ChecksControl
        label={t("builder.option.components")}
        choices={choices}
        values={Array.isArray(value) ? value.map(String) : []}
        problems={at("components")}
        isReadOnly={isReadOnly}
        onChange={(next) => set(["components"], next)}
      />
    );
  return (
    <SelectControl
      label={t("builder.option.component")}
      value={String(get("component") ?? "")}
      choices={[{ value: "", label: t("builder.pick") }, ...choices]}
      problems={at("component")}
      isReadOnly={isReadOnly}
      onChange={(next) => set(["component"], next)}
    />
  );
}
