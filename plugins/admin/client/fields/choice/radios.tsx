import type { FieldIds } from "../../ui/field.js";
import styles from "./choice.module.css";

interface RadiosProps<T> {
  readonly ids: FieldIds;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly value: T;
  readonly isReadOnly: boolean;
  readonly onChange: (value: T) => void;
}

/** A few answers, of which one is chosen. */
export function Radios<T>({ ids, options, value, isReadOnly, onChange }: RadiosProps<T>) {
  return (
    <div
      id={ids.id}
      className={styles.radios}
      role="radiogroup"
      aria-labelledby={ids.labelId}
      aria-describedby={ids.describedBy}
      aria-invalid={ids.isInvalid || undefined}
    >
      {options.map((option) => (
        <label key={option.label} className={styles.radio}>
          <input
            type="radio"
            name={ids.id}
            disabled={isReadOnly}
            checked={value === option.value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
