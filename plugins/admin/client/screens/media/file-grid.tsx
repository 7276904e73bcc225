import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { LibraryFile } from "../../../src/wire/files.js";
import { isRightToLeft, language, t } from "../../messages/text.js";
import { type CellActions, FileCell } from "./file-cell.js";
import styles from "./grid.module.css";
import { useVirtualRows } from "./virtual-rows.js";

interface FileGridProps extends CellActions {
  readonly files: readonly LibraryFile[];
  readonly view: "grid" | "list";
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => void;
}

/** The least width of a card and the gap between two, in rem. */
const CARD = 8.5;
const GAP = 0.75;
/** What stands below the picture of a card, and a row of a list, in rem. */
const CAPTION = 4.25;
const ROW = 3.25;

/** Files in rows, of which only those that are seen are drawn. One Tab leads to it, arrows go through it. */
export function FileGrid({ files, view, hasMore, isLoadingMore, loadMore, ...actions }: FileGridProps) {
  const ref = useRef<HTMLDivElement>(null);
  const width = useWidth(ref);
  const rem = useRem();
  const isList = view === "list";
  const gap = isList ? 0 : GAP * rem;
  const columns = isList ? 1 : Math.max(1, Math.floor((width + gap) / (CARD * rem + gap)));
  const height = isList ? ROW * rem : (((width + gap) / columns - gap) * 3) / 4 + CAPTION * rem;
  const count = Math.ceil(files.length / columns);
  const rows = useVirtualRows(ref, { count, height, gap });
  const items = rows.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && !isLoadingMore && last >= count - 2) loadMore();
  }, [hasMore, isLoadingMore, last, count, loadMore]);
  const { active, onKeyDown, onFocus } = useArrows(ref, files.length, columns, (index) =>
    rows.scrollToIndex(Math.floor(index / columns)),
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: of a table of thousands of rows only some are drawn
    <div
      ref={ref}
      role="grid"
      tabIndex={-1}
      aria-label={t("library.files")}
      aria-rowcount={hasMore ? -1 : count}
      aria-colcount={columns}
      aria-multiselectable={actions.selection.isMultiple}
      className={styles.grid}
      style={{ blockSize: rows.getTotalSize() }}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
    >
      {items.map(({ index: row, start }) => (
        // biome-ignore lint/a11y/useSemanticElements: as above
        <div
          key={row}
          ref={rows.measureElement}
          data-index={row}
          role="row"
          tabIndex={-1}
          aria-rowindex={row + 1}
          className={isList ? styles.line : styles.row}
          style={{
            transform: `translateY(${start - rows.margin}px)`,
            gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
          }}
        >
          {files.slice(row * columns, (row + 1) * columns).map((file, column) => (
            <FileCell
              key={file.documentId}
              {...actions}
              file={file}
              index={row * columns + column}
              isList={isList}
              isActive={row * columns + column === active}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

/** The cell that keys act upon: arrows, Home and End move it and the focus. */
function useArrows(
  ref: RefObject<HTMLDivElement | null>,
  count: number,
  columns: number,
  scrollTo: (index: number) => void,
) {
  const [moved, setMoved] = useState(0);
  const wanted = useRef<number>(undefined);
  const active = Math.min(moved, count - 1);
  // Once it is drawn: it may have been far below.
  useEffect(() => {
    if (wanted.current === undefined) return;
    const cell = ref.current?.querySelector<HTMLElement>(`[data-cell="${wanted.current}"]`);
    if (!cell) return;
    wanted.current = undefined;
    cell.focus();
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const forth = isRightToLeft(language()) ? -1 : 1;
    const steps: Readonly<Record<string, number>> = {
      ...{ ArrowRight: active + forth, ArrowLeft: active - forth },
      ...{ ArrowDown: active + columns, ArrowUp: active - columns, Home: 0, End: count - 1 },
    };
    const next = steps[event.key];
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (next < 0 || next >= count) return;
    wanted.current = next;
    setMoved(next);
    scrollTo(next);
  };
  const onFocus = ({ target }: { readonly target: EventTarget }) => {
    const cell = (target as Element).closest("[role=gridcell]")?.querySelector<HTMLElement>("[data-cell]");
    if (cell) setMoved(Number(cell.dataset["cell"]));
  };
  return { active, onKeyDown, onFocus };
}

/** Width of an element in pixels, also after it has changed. */
function useWidth(ref: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    setWidth(element.clientWidth);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}

/** Pixels of 1rem: readers set it. */
const useRem = (): number => useState(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize))[0];
