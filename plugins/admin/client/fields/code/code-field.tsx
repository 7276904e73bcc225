import { lazy } from "react";
import { loadPart } from "../../app/load-part.js";
import { useForm, useProblems, useValue } from "../../form/form-context.js";
import { t } from "../../messages/text.js";
import { Field } from "../../ui/field.js";
import { idOf } from "../field-id.js";
import type { InputProps } from "../field-props.js";
import { EditorPart } from "./editor-part.js";

const load = () => import("../../editors/code/code-editor.js");
const CodeEditor = lazy(() => loadPart(load));

/** Markdown and JSON. A text that is no JSON yet is kept as it was typed, and refused when it is saved. */
export function CodeField({ path, attribute, isReadOnly }: InputProps) {
  const { locale } = useForm();
  const [value, set] = useValue<string | null>(path);
  const problems = useProblems(path);
  const isJson = attribute.kind === "json";
  const text = value ?? "";
  const isBroken = isJson && !isJsonText(text);
  return (
    <Field
      id={idOf(path)}
      label={attribute.label}
      hint={attribute.hint}
      isRequired={attribute.isRequired}
      problems={isBroken ? [t("field.notJson"), ...problems] : problems}
      isGroup
    >
      {({ id, labelId, describedBy, isInvalid }) => (
        <EditorPart load={load}>
          <CodeEditor
            {...{ id, labelId, isInvalid, isReadOnly }}
            {...(describedBy === undefined ? {} : { describedBy })}
            language={isJson ? "json" : "markdown"}
            value={text}
            onChange={(typed) => set(typed === "" ? null : typed)}
            locale={locale ?? ""}
            {...(attribute.placeholder === null ? {} : { placeholder: attribute.placeholder })}
          />
        </EditorPart>
      )}
    </Field>
  );
}

function isJsonText(text: string): boolean {
  if (text.trim() === "") return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
