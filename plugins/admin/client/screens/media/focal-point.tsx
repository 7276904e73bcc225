import type { KeyboardEvent, MouseEvent } from "react";
import type { FocalPoint, LibraryFile } from "../../../src/wire/files.js";
import { t } from "../../messages/text.js";
import { announce } from "../../ui/announce.js";
import styles from "./detail.module.css";
import { freshUrl } from "./file-kind.js";

interface FocalPointFieldProps {
  readonly file: LibraryFile;
  readonly value: FocalPoint | null;
  /** undefined: it is shown only. */
  readonly onChange: ((value: FocalPoint) => void) | undefined;
}

/** How far one key moves it, in percent. */
const STEP = 1;
const LARGE_STEP = 10;
const CENTRE: FocalPoint = { x: 50, y: 50 };

const MOVES: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const percent = (value: number): number => Math.round(Math.max(0, Math.min(100, value)) * 10) / 10;

/** The picture, on which a click or the arrow keys say what of it has to stay in sight when it is cut to fit. */
export function FocalPointField({ file, value, onChange }: FocalPointFieldProps) {
  const point = value ?? CENTRE;
  const set = (next: FocalPoint) => {
    const { x, y } = { x: percent(next.x), y: percent(next.y) };
    onChange?.({ x, y });
    announce(t("file.focal.at", { x, y }));
  };
  const onClick = ({ clientX, clientY, currentTarget, detail }: MouseEvent) => {
    // By Enter or Space there is no place; arrows move it.
    if (detail === 0) return;
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    set({ x: ((clientX - left) / width) * 100, y: ((clientY - top) / height) * 100 });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const move = MOVES[event.key];
    if (!move) return;
    event.preventDefault();
    const step = event.shiftKey ? LARGE_STEP : STEP;
    set({ x: point.x + move[0] * step, y: point.y + move[1] * step });
  };
  const picture = <img src={freshUrl(file)} alt={file.alternativeText ?? ""} className={styles.whole} />;
  const mark = value && <span className={styles.point} style={{ left: `${value.x}%`, top: `${value.y}%` }} />;
  if (!onChange)
    return (
      <span className={styles.focal}>
        {picture}
        {mark}
      </span>
    );
  return (
    <button
      type="button"
      className={styles.focal}
      aria-label={`${t("file.focal")}. ${t("file.focal.at", { x: point.x, y: point.y })}`}
      aria-describedby="focal-hint"
      onClick={onClick}
      onKeyDown={onKeyDown}
    >
      {picture}
      {mark}
    </button>
  );
}
