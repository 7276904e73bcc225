import type { AttributeView } from "../../../src/wire/model.js";
import { useForm, useProblems, useValue } from "../../form/form-context.js";
import { isRightToLeft, t } from "../../messages/text.js";
import { Field, TextArea, TextInput, tiedTo } from "../../ui/field.js";
import type { InputProps } from "../field-props.js";
import { idOf } from "../field-id.js";

/** From which part of its limit on a text's length is shown. */
const NEAR = 0.8;

/** One line, several lines, or an e-mail address. */
export function TextField({ path, attribute, isReadOnly }: InputProps) {
  const { locale } = useForm();
  const [value, set] = useValue<string | null>(path);
  const problems = useProblems(path);
  const { kind, label, hint, placeholder, isRequired, maxLength } = attribute;
  const Input = kind === "text" ? TextArea : TextInput;
  return (
    <Field
      id={idOf(path)}
      label={label}
      hint={hint}
      isRequired={isRequired}
      problems={problems}
      aside={counterOf(attribute, value)}
    >
      {(ids) => (
        <Input
          {...tiedTo(ids)}
          {...(kind === "email" ? { type: "email" } : {})}
          dir={locale === undefined ? "auto" : isRightToLeft(locale) ? "rtl" : "ltr"}
          lang={locale}
          placeholder={placeholder ?? undefined}
          readOnly={isReadOnly}
          // Beyond the limit typing goes on and is counted: what is pasted is not cut off in silence.
          data-max={maxLength}
          value={value ?? ""}
          onChange={({ target }) => set(target.value === "" ? null : target.value)}
        />
      )}
    </Field>
  );
}

/** How much of the limit is used, once it is near. */
function counterOf({ maxLength }: AttributeView, value: string | null): string | undefined {
  const length = value?.length ?? 0;
  return maxLength !== undefined && length >= maxLength * NEAR
    ? t("field.length", { length, max: maxLength })
    : undefined;
}
