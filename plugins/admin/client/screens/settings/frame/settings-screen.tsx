import type { ReactNode } from "react";
import { Bone, Failed, useIsSlow } from "../../../ui/state.js";
import styles from "./settings.module.css";

interface SettingsScreenProps {
  readonly title: string;
  /** What it is for, in a sentence or two. */
  readonly text?: ReactNode;
  /** A link back to the list that it belongs to. */
  readonly back?: ReactNode;
  /** Stands at the end of the title's line: what makes something new. */
  readonly actions?: ReactNode;
  /** Whether it is as wide as the window, as tables are. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** A screen of the settings: its title, what it is for, and what can be done. */
export function SettingsScreen({ title, text, back, actions, isWide = false, children }: SettingsScreenProps) {
  return (
    <div className={styles.screen} data-wide={isWide}>
      <title>{title}</title>
      <header className={styles.head}>
        <div className={styles.titles}>
          {back}
          <h1>{title}</h1>
          {text && <p className={styles.soft}>{text}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

interface CardProps {
  readonly title: string;
  readonly hint?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a screen. */
export function Card({ title, hint, children }: CardProps) {
  return (
    <section className={styles.card} aria-label={title}>
      <div>
        <h2>{title}</h2>
        {hint && <p className={styles.soft}>{hint}</p>}
      </div>
      {children}
    </section>
  );
}

interface Question<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly refetch: () => unknown;
}

interface LoadedProps<T> {
  readonly of: Question<T>;
  /** Which action is missing where it is refused. */
  readonly action: string;
  readonly children: (data: T) => ReactNode;
}

const BONES = ["a", "b", "c", "d", "e"];

/** What a question was answered, also where it failed since: a form that is open stays. Until then rows in its shape, and what went wrong. */
export function Loaded<T>({ of, action, children }: LoadedProps<T>) {
  const isSlow = useIsSlow(of.isPending);
  if (of.data !== undefined) return <>{children(of.data)}</>;
  if (of.error) return <Failed error={of.error} retry={() => void of.refetch()} action={action} />;
  return isSlow ? <Bones /> : null;
}

const Bones = () => (
  <div className={styles.rows} aria-hidden="true">
    {BONES.map((bone) => (
      <p key={bone} className={styles.row}>
        <Bone height="1.25rem" />
      </p>
    ))}
  </div>
);

interface MarkProps {
  readonly look?: "plain" | "good" | "warn" | "wrong";
  readonly children: ReactNode;
}

/** A word beside a name: default, blocked, expired. */
export function Mark({ look = "plain", children }: MarkProps) {
  return (
    <span className={styles.mark} data-look={look}>
      {children}
    </span>
  );
}
