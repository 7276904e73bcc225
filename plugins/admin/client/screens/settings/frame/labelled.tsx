import { type ReactNode, useId } from "react";
import styles from "./settings.module.css";

interface LabelledProps {
  readonly label: string;
  /** With the id of the one control. */
  readonly children: (id: string) => ReactNode;
}

/** A control of a filter, below its small label. */
export function Labelled({ label, children }: LabelledProps) {
  const id = useId();
  return (
    <div className={styles.labelled}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  );
}
