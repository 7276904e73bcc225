import type { ReactElement } from "react";
import { Focusable, Tooltip as AriaTooltip, TooltipTrigger } from "react-aria-components";
import styles from "./overlay.module.css";

interface TooltipProps {
  readonly text: string;
  /** One button, which says the text itself to screen readers. */
  readonly children: ReactElement<Record<string, unknown>, string>;
}

/** Milliseconds until it is shown; the next one comes at once. */
const DELAY = 300;

/** Says what a small mark means, while a pointer or the focus is on it. */
export function Tooltip({ text, children }: TooltipProps) {
  return (
    <TooltipTrigger delay={DELAY}>
      <Focusable>{children}</Focusable>
      <AriaTooltip className={styles.tooltip ?? ""} offset={6}>
        {text}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
