import type { ComponentType } from "react";
import { ExtensionPart } from "../app/extension-part.js";
import { useExtensionField } from "../app/extensions.js";
import type { FieldProps } from "../extend/extension.js";
import { useForm, useProblems, useValue } from "../form/form-context.js";
import { t } from "../messages/text.js";
import { Banner } from "../ui/state.js";
import type { InputProps } from "./field-props.js";

interface ExtensionFieldProps extends InputProps {
  /** The field of the attribute's kind, for where the extension's is missing. */
  readonly Own: ComponentType<InputProps>;
}

/** The field that an attribute asks for by its name; that of its kind, with a note, where no extension brings it. */
export function ExtensionField({ Own, ...props }: ExtensionFieldProps) {
  const { path, attribute, isReadOnly } = props;
  const { store, locale = "" } = useForm();
  const [value, set] = useValue<unknown>(path);
  const problems = useProblems(path).map((message) => ({ message }));
  const field = useExtensionField(attribute.field);
  if (!field)
    return (
      <>
        <Own {...props} />
        <Banner kind="warn">{t("extension.noField", { name: attribute.field ?? "" })}</Banner>
      </>
    );
  const given: FieldProps = { path, attribute, value, base: store.baseOf(path), problems, isReadOnly, locale, set };
  return <ExtensionPart owner={field.owner} part={field.input} props={given} />;
}
