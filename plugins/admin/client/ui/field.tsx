import type {
  HTMLAttributes,
  InputHTMLAttributes,
  ReactNode,
  Ref,
  SelectHTMLAttributes,
  TextareaHTMLAttributes,
} from "react";
import { useId } from "react";
import { t } from "../messages/text.js";
import { classNames } from "./class-names.js";
import styles from "./field.module.css";
import { Icon } from "./icon.js";

/** What an input needs of the field around it. */
export interface FieldIds {
  readonly id: string;
  readonly labelId: string;
  /** Of hint and problems, for `aria-describedby`. */
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
  readonly isRequired: boolean;
}

interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly problems?: readonly string[];
  readonly isRequired?: boolean;
  /** Stands at the end of the label's line. */
  readonly aside?: ReactNode;
  /** Whether the label is that of a group, such as radio buttons: it then names no single input. */
  readonly isGroup?: boolean;
  readonly id?: string;
  readonly children: (ids: FieldIds) => ReactNode;
}

/** A label, one input, a hint and what is wrong. */
export function Field({ label, hint, problems = [], isRequired = false, aside, isGroup = false, ...rest }: FieldProps) {
  const made = useId();
  const id = rest.id ?? made;
  const describedBy = classNames(Boolean(hint) && `${id}-hint`, problems.length > 0 && `${id}-problems`) || undefined;
  const ids = { id, labelId: `${id}-label`, describedBy, isInvalid: problems.length > 0, isRequired };
  const Label = isGroup ? "span" : "label";
  return (
    <div className={styles.field}>
      <div className={styles.head}>
        <Label id={ids.labelId} className={styles.label} {...(isGroup ? {} : { htmlFor: id })}>
          {label}
          {isRequired && (
            <span className={styles.required} aria-hidden="true">
              *
            </span>
          )}
          {isRequired && isGroup && <span className="visually-hidden"> ({t("field.required")})</span>}
        </Label>
        {aside && <span className={styles.aside}>{aside}</span>}
      </div>
      {rest.children(ids)}
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {problems.length > 0 && (
        <div id={`${id}-problems`}>
          {problems.map((problem) => (
            <p key={problem} className={styles.problem}>
              <Icon name="circle-alert" size={0.9} />
              <span>{problem}</span>
            </p>
          ))}
        </div>
      )}
    </div>
  );
}

/** Attributes that tie an input to its field. */
export const tiedTo = ({ id, describedBy, isInvalid, isRequired }: FieldIds) => ({
  id,
  "aria-describedby": describedBy,
  "aria-invalid": isInvalid || undefined,
  "aria-required": isRequired || undefined,
});

interface GroupProps extends HTMLAttributes<HTMLDivElement> {
  readonly ids: FieldIds;
}

/** Several controls that are one field, with its label and with what is wrong of it. */
export function Group({ ids, ...rest }: GroupProps) {
  // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a grid everywhere
  return <div {...rest} id={ids.id} role="group" aria-labelledby={ids.labelId} aria-describedby={ids.describedBy} />;
}

/** A line of text, in the look of all inputs. */
export function TextInput({
  className,
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }) {
  return <input {...rest} className={classNames(styles.input, className)} />;
}

/** Lines of text; it grows with them. */
export function TextArea({ className, ...rest }: TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return <textarea {...rest} className={classNames(styles.input, styles.area, className)} />;
}

/** One of a few values. */
export function Select({ className, ...rest }: SelectHTMLAttributes<HTMLSelectElement>) {
  return <select {...rest} className={classNames(styles.input, className)} />;
}

/** The class of an input, for those that are not native. */
export const inputClass = styles.input;
