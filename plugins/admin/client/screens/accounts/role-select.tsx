import type { RoleChoice } from "../../../src/wire/accounts.js";
import { t } from "../../messages/text.js";
import { Field, Select, tiedTo } from "../../ui/field.js";

interface RoleSelectProps {
  readonly roles: readonly RoleChoice[];
  readonly value: string;
  readonly onChange: (role: string) => void;
}

/** The roles that the caller may give. */
export function RoleSelect({ roles, value, onChange }: RoleSelectProps) {
  const given = roles.filter(({ mayGive }) => mayGive);
  return (
    <Field label={t("accounts.role")} hint={given.length < roles.length ? t("accounts.role.hint") : undefined}>
      {(ids) => (
        <Select {...tiedTo(ids)} required value={value} onChange={({ target }) => onChange(target.value)}>
          {!given.some(({ name }) => name === value) && <option value="">{t("accounts.role.choose")}</option>}
          {given.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
