import { lazy, useRef, useState } from "react";
import type { FileView } from "../../../src/wire/files.js";
import { loadPart } from "../../app/load-part.js";
import { useForm, useProblems, useValue } from "../../form/form-context.js";
import { Field } from "../../ui/field.js";
import { idOf } from "../field-id.js";
import type { InputProps } from "../field-props.js";
import { Library } from "../media/library.js";
import { EditorPart } from "./editor-part.js";

const load = () => import("../../editors/blocks/blocks-editor.js");
const BlocksEditor = lazy(() => loadPart(load));
const PICTURES = ["images"];

type Answer = (file: FileView | undefined) => void;

/** A text of blocks. */
export function BlocksField({ path, attribute, isReadOnly }: InputProps) {
  const { locale } = useForm();
  const [value, set] = useValue<readonly unknown[] | null>(path);
  const problems = useProblems(path);
  const [isPicking, setPicking] = useState(false);
  const answer = useRef<Answer>(undefined);
  const pickImage = () =>
    new Promise<FileView | undefined>((resolve) => {
      answer.current = resolve;
      setPicking(true);
    });
  const close = (file: FileView | undefined) => {
    setPicking(false);
    answer.current?.(file);
  };
  return (
    <Field
      id={idOf(path)}
      label={attribute.label}
      hint={attribute.hint}
      isRequired={attribute.isRequired}
      problems={problems}
      isGroup
    >
      {({ id, labelId, describedBy, isInvalid }) => (
        <>
          <EditorPart load={load}>
            <BlocksEditor
              {...{ id, labelId, isInvalid, isReadOnly, value, pickImage }}
              {...(describedBy === undefined ? {} : { describedBy })}
              onChange={set}
              locale={locale ?? ""}
              {...(attribute.placeholder === null ? {} : { placeholder: attribute.placeholder })}
            />
          </EditorPart>
          {isPicking && (
            <Library
              types={PICTURES}
              isMultiple={false}
              onClose={() => close(undefined)}
              onPick={([file]) => close(file)}
            />
          )}
        </>
      )}
    </Field>
  );
}
