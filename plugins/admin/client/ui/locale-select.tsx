import { useSession } from "../app/session.js";
import { Select } from "./field.js";

interface LocaleSelectProps {
  readonly label: string;
  /** Nothing: the default. */
  readonly value: string | undefined;
  readonly onChange: (locale: string) => void;
}

/** Chooses a language of the content. */
export function LocaleSelect({ label, value, onChange }: LocaleSelectProps) {
  const { locales } = useSession();
  const chosen = value ?? locales.find(({ isDefault }) => isDefault)?.code;
  return (
    <Select
      aria-label={label}
      value={chosen}
      style={{ inlineSize: "auto" }}
      onChange={({ target }) => onChange(target.value)}
    >
      {locales.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </Select>
  );
}
