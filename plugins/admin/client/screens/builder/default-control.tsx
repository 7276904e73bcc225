import { useState } from "react";
import { t } from "../../messages/text.js";
import { kindOf } from "./attribute-kinds.js";
import { LinesControl, NumberControl, SelectControl, TextControl } from "./controls.js";
import type { RawAttribute } from "./draft.js";

interface DefaultProps {
  readonly attribute: RawAttribute;
  readonly label: string;
  readonly problems: readonly string[];
  readonly isReadOnly: boolean;
  readonly onChange: (value: unknown) => void;
}

/** The value that a new document has, entered as its kind needs it. */
export function DefaultControl({ attribute, onChange, ...common }: DefaultProps) {
  const { type } = attribute;
  const value = attribute["default"];
  const none = { value: "", label: t("builder.none") };
  if (type === "boolean")
    return (
      <SelectControl
        {...common}
        value={value === undefined || value === null ? "" : String(value)}
        choices={[none, { value: "true", label: t("value.yes") }, { value: "false", label: t("value.no") }]}
        onChange={(next) => onChange(next === "" ? undefined : next === "true")}
      />
    );
  if (type === "enumeration") {
    const values = Array.isArray(attribute["enum"]) ? attribute["enum"].map(String) : [];
    return (
      <SelectControl
        {...common}
        value={String(value ?? "")}
        choices={[none, ...values.map((each) => ({ value: each, label: each }))]}
        onChange={(next) => onChange(next || undefined)}
      />
    );
  }
  if (type === "json") return <JsonDefault {...{ attribute, onChange, ...common }} />;
  if (kindOf(attribute)?.group === "numbers")
    return <NumberControl {...common} value={value as number | string | undefined} onChange={onChange} />;
  return <TextControl {...common} value={String(value ?? "")} onChange={(next) => onChange(next || undefined)} />;
}

/** JSON is taken over as soon as it is JSON. */
function JsonDefault({ attribute, onChange, ...common }: DefaultProps) {
  const value = attribute["default"];
  const [typed, setTyped] = useState(value === undefined ? "" : JSON.stringify(value, undefined, 2));
  const [isWrong, setWrong] = useState(false);
  const change = (text: string) => {
    setTyped(text);
    try {
      onChange(text.trim() === "" ? undefined : JSON.parse(text));
      setWrong(false);
    } catch {
      setWrong(true);
    }
  };
  const problems = [...common.problems, ...(isWrong ? [t("field.notJson")] : [])];
  return <LinesControl {...{ ...common, problems }} value={typed} onChange={change} />;
}
