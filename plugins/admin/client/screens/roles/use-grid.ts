import { type KeyboardEvent, useState } from "react";

/** A place in a grid. */
interface Place {
  readonly row: number;
  readonly column: number;
}

/** Marks a cell of a grid, so that it is found. */
export const cellMark = ({ row, column }: Place): string => `${row}-${column}`;

/** Keys of a grid of which one cell is reached by Tab. @source https://www.w3.org/WAI/ARIA/apg/patterns/grid/ */
export function useGrid(rows: number, columns: number) {
  const [at, setAt] = useState<Place>({ row: 0, column: 0 });
  const go = (grid: Element, { row, column }: Place) => {
    const next = { row: Math.max(0, Math.min(rows - 1, row)), column: Math.max(0, Math.min(columns - 1, column)) };
    setAt(next);
    grid.querySelector<HTMLElement>(`[data-cell="${cellMark(next)}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const isMirrored = document.documentElement.dir === "rtl";
    const sideways = isMirrored ? -1 : 1;
    const { row, column } = at;
    const targets: Readonly<Record<string, Place>> = {
      ArrowUp: { row: row - 1, column },
      ArrowDown: { row: row + 1, column },
      ArrowLeft: { row, column: column - sideways },
      ArrowRight: { row, column: column + sideways },
      Home: { row: event.ctrlKey ? 0 : row, column: 0 },
      End: { row: event.ctrlKey ? rows - 1 : row, column: columns - 1 },
      PageUp: { row: row - 8, column },
      PageDown: { row: row + 8, column },
    };
    const target = targets[event.key];
    if (!target) return;
    event.preventDefault();
    go(event.currentTarget, target);
  };
  /** What a cell's button needs to take part. */
  const cell = (place: Place) => ({
    "data-cell": cellMark(place),
    tabIndex: place.row === at.row && place.column === at.column ? 0 : -1,
    onFocus: () => setAt(place),
  });
  return { onKeyDown, cell };
}
