import type { ReleaseState } from "../../../src/wire/plans.js";
import { t } from "../../messages/text.js";
import { classNames } from "../../ui/class-names.js";
import styles from "./plans.module.css";

const LOOKS: Readonly<Record<ReleaseState, string | undefined>> = {
  open: undefined,
  scheduled: styles.accent,
  running: styles.accent,
  done: styles.good,
  failed: styles.bad,
};

/** How it stands with a release, as a small mark. */
export const ReleaseBadge = ({ state }: { readonly state: ReleaseState }) => (
  <span className={classNames(styles.badge, LOOKS[state])}>{t(`release.state.${state}`)}</span>
);
