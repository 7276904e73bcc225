import { useProblems, useValue } from "../../form/form-context.js";
import { t } from "../../messages/text.js";
import { Field, TextInput, tiedTo } from "../../ui/field.js";
import { idOf } from "../field-id.js";
import type { InputProps } from "../field-props.js";

/** Sets a new one; the one that is stored is never shown. */
export function PasswordField({ path, attribute, isReadOnly }: InputProps) {
  const [value, set] = useValue<string | null>(path);
  const problems = useProblems(path);
  return (
    <Field id={idOf(path)} label={attribute.label} hint={attribute.hint ?? t("field.password")} problems={problems}>
      {(ids) => (
        <TextInput
          {...tiedTo(ids)}
          type="password"
          autoComplete="new-password"
          readOnly={isReadOnly}
          value={value ?? ""}
          onChange={({ target }) => set(target.value === "" ? null : target.value)}
        />
      )}
    </Field>
  );
}
