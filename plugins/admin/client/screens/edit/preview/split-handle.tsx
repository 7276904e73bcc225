import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef, useState } from "react";
import { t } from "../../../messages/text.js";
import styles from "./preview.module.css";

/** Percent of the width that the preview has. */
const FIRST = 50;
const LEAST = 25;
const MOST = 75;
const STEP = 5;
const KEY = "plinth-preview-width";

const within = (share: number): number => Math.min(MOST, Math.max(LEAST, Math.round(share)));
const isMirrored = (): boolean => document.documentElement.dir === "rtl";

/** The line between a form and its preview: it is moved by the pointer and by arrow keys. What holds both has `--share`. */
export function SplitHandle() {
  const handle = useRef<HTMLDivElement>(null);
  const [share, setShare] = useState(() => within(Number(localStorage.getItem(KEY) ?? FIRST)));
  const [isDragged, setDragged] = useState(false);
  useLayoutEffect(() => handle.current?.parentElement?.style.setProperty("--share", `${share}%`), [share]);
  const change = (next: number) => {
    setShare(within(next));
    localStorage.setItem(KEY, String(within(next)));
  };
  const drag = ({ clientX }: PointerEvent) => {
    const box = handle.current?.parentElement?.getBoundingClientRect();
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
    // biome-ignore lint/a11y/useSemanticElements: a line of hr cannot be moved
    <div
      ref={handle}
      role="separator"
      tabIndex={0}
      className={styles.handle}
      data-dragged={isDragged}
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
  );
}
