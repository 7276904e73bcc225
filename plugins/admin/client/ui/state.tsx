import { type ReactNode, useEffect, useState } from "react";
import type { DocumentState } from "../../src/wire/content.js";
import { ApiError } from "../app/api.js";
import { t } from "../messages/text.js";
import { Button } from "./button.js";
import { classNames } from "./class-names.js";
import { Icon } from "./icon.js";
import type { IconName } from "./icon-paths.js";
import styles from "./state.module.css";

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly text?: string;
  /** Whether it is all that the screen shows, so that its title is that of the page. */
  readonly isScreen?: boolean;
  /** The one next step. */
  readonly children?: ReactNode;
}

/** What a screen shows that has nothing yet: what it is for, and the next step. */
export function Empty({ icon, title, text, isScreen = false, children }: EmptyProps) {
  const Heading = isScreen ? "h1" : "h2";
  return (
    <div className={styles.state}>
      <span className={styles.mark}>
        <Icon name={icon} size={1.5} />
      </span>
      <Heading>{title}</Heading>
      {text && <p className={styles.text}>{text}</p>}
      {children}
    </div>
  );
}

interface FailedProps {
  readonly error: unknown;
  readonly retry?: (() => void) | undefined;
  /** Which action is missing where it is refused. */
  readonly action?: string;
}

/** What a screen shows whose content could not be read: what, the id for the log, and again. */
export function Failed({ error, retry, action }: FailedProps) {
  const known = error instanceof ApiError ? error : undefined;
  const isForbidden = known?.status === 403;
  return (
    <div className={classNames(styles.state, styles.wrong)} role="alert">
      <span className={styles.mark}>
        <Icon name={known?.isOffline ? "wifi-off" : isForbidden ? "lock" : "triangle-alert"} size={1.5} />
      </span>
      <h2>{titleOf(known)}</h2>
      <p className={styles.text}>{textOf(error, action)}</p>
      {known?.requestId && <p className={styles.small}>{t("error.request", { id: known.requestId })}</p>}
      {retry && !isForbidden && (
        <Button icon="refresh-cw" onClick={retry}>
          {t("error.retry")}
        </Button>
      )}
    </div>
  );
}

function textOf(error: unknown, action: string | undefined): string {
  const known = error instanceof ApiError ? error : undefined;
  if (known?.isOffline) return t("error.offline.text");
  return known?.status === 403 && action ? t("error.forbidden.text", { action }) : messageOf(error);
}

function titleOf(error: ApiError | undefined): string {
  if (error?.isOffline) return t("error.offline");
  if (error?.isTooSlow) return t("error.tooSlow");
  if (error?.status === 403) return t("error.forbidden");
  return error?.status === 404 ? t("error.notFound") : t("error.title");
}

/** The sentence of an error that a reader sees. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError && error.isTooSlow) return t("error.tooSlow.text");
  return error instanceof Error ? error.message : String(error);
}

/** When something that takes long begins to be shown as such, in milliseconds: quick answers do not flicker. */
const PATIENCE = 150;

/** Whether waiting has lasted long enough to be shown. */
export function useIsSlow(isWaiting: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isWaiting) return setSlow(false);
    const timer = setTimeout(() => setSlow(true), PATIENCE);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  return isSlow;
}

interface BoneProps {
  /** CSS sizes. */
  readonly width?: string;
  readonly height?: string;
}

/** Stands where something will be. */
export function Bone({ width = "100%", height = "1rem" }: BoneProps) {
  return <span className={styles.bone} style={{ inlineSize: width, blockSize: height }} />;
}

/** A line above the content, about all of it. */
export function Banner({ kind = "info", children, action }: BannerProps) {
  const look = kind === "warn" ? styles.warn : kind === "wrong" ? styles.wrongBanner : undefined;
  return (
    <div className={classNames(styles.banner, look)} role={kind === "wrong" ? "alert" : "status"}>
      <Icon name={kind === "info" ? "info" : "triangle-alert"} />
      <span>{children}</span>
      {action}
    </div>
  );
}

interface BannerProps {
  readonly kind?: "info" | "warn" | "wrong";
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

/** What of a document was published, as a small mark. */
export function StateBadge({ state }: { readonly state: DocumentState }) {
  return <span className={classNames(styles.badge, state !== "draft" && styles[state])}>{t(`state.${state}`)}</span>;
}
