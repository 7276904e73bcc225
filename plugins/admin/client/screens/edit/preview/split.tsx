import { type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";
import { t } from "../../../messages/text.js";
import styles from "./preview.module.css";

/** Percent of the width that the second half has. */
const FIRST = 50;
const LEAST = 25;
const MOST = 75;
const STEP = 5;
const KEY = "plinth-preview-width";

const within = (share: number): number => Math.min(MOST, Math.max(LEAST, Math.round(share)));

interface SplitProps {
  readonly children: ReactNode;
  /** What stands at the end. */
  readonly beside: ReactNode;
}

/** Two halves with a line between them that is moved by the pointer and by arrow keys. */
export function Split({ children, beside }: SplitProps) {
  const element = useRef<HTMLDivElement>(null);
  const [share, setShare] = useState(() => within(Number(localStorage.getItem(KEY) ?? FIRST)));
  const [isDragged, setDragged] = useState(false);
  const change = (next: number) => {
    setShare(within(next));
    localStorage.setItem(KEY, String(within(next)));
  };
  const drag = ({ clientX }: PointerEvent) => {
    const box = element.current?.getBoundingClientRect();
    if (!isDragged || !box) return;
    const fromStart = ((clientX - box.left) / box.width) * 100;
    change(isMirrored() ? fromStart : 100 - fromStart);
  };
  const press = (event: KeyboardEvent) => {
    const by = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    change(share + (isMirrored() ? -by : by));
  };
  return (
    <div
      ref={element}
      className={styles.split}
      data-dragged={isDragged}
      style={{ "--share": `${share}%` } as CSSProperties}
    >
      {children}
      {/* biome-ignore lint/a11y/useSemanticElements: a line of hr cannot be moved */}
      <div
        role="separator"
        tabIndex={0}
        className={styles.handle}
        aria-label={t("preview.resize")}
        aria-orientation="vertical"
        aria-valuenow={share}
        aria-valuemin={LEAST}
        aria-valuemax={MOST}
        onKeyDown={press}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setDragged(true);
        }}
        onPointerMove={drag}
        onPointerUp={() => setDragged(false)}
        onPointerCancel={() => setDragged(false)}
      />
      {beside}
    </div>
  );
}

const isMirrored = (): boolean => document.documentElement.dir === "rtl";
