import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import type { IconName } from "../../ui/icon-paths.js";
import { Bone, messageOf, useIsSlow } from "../../ui/state.js";
import styles from "./home.module.css";

interface CardProps {
  readonly title: string;
  readonly icon: IconName;
  readonly hint?: string;
  /** The screen that has all of it. */
  readonly more?: { readonly to: string; readonly label: string } | undefined;
  readonly children: ReactNode;
}

/** One part of the home screen. */
export function Card({ title, icon, hint, more, children }: CardProps) {
  return (
    <section className={styles.card}>
      <header className={styles.cardHead}>
        <Icon name={icon} size={1.125} />
        <h2>{title}</h2>
        {more && (
          <Link to={more.to} className={styles.more}>
            {more.label}
          </Link>
        )}
      </header>
      {hint && <p className={styles.soft}>{hint}</p>}
      {children}
    </section>
  );
}

/** What a card says that has nothing to show. */
export const Nothing = ({ children }: { readonly children: string }) => <p className={styles.empty}>{children}</p>;

interface LoadedProps<Value> {
  readonly query: Pick<UseQueryResult<Value>, "data" | "error" | "isPending" | "refetch">;
  readonly children: (value: Value) => ReactNode;
}

/** What a card shows of what it reads. A fault is its own: the other cards are there. */
export function Loaded<Value>({ query: { data, error, isPending, refetch }, children }: LoadedProps<Value>) {
  const isSlow = useIsSlow(isPending);
  if (error)
    return (
      <div role="alert" className={styles.failed}>
        <p>{messageOf(error)}</p>
        <Button isSmall icon="refresh-cw" onClick={() => void refetch()}>
          {t("error.retry")}
        </Button>
      </div>
    );
  if (data === undefined)
    return isSlow ? (
      <div className={styles.bones}>
        <Bone width="70%" />
        <Bone width="45%" />
      </div>
    ) : null;
  return children(data);
}
