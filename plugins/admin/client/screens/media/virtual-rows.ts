import { useVirtualizer, useWindowVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect, useState } from "react";

/** How many rows are drawn above and below those that are seen. */
const OVERSCAN = 3;

/** What is known of rows before they are drawn. */
interface RowOptions {
  readonly count: number;
  /** Pixels. */
  readonly height: number;
  readonly gap: number;
}

/** The rows of a list that are drawn. */
export type VirtualRows = Pick<
  Virtualizer<Element, HTMLElement>,
  "getVirtualItems" | "getTotalSize" | "measureElement" | "scrollToIndex"
> & {
  /** Where the list begins in what scrolls it, in pixels: the places of rows are counted from there. */
  readonly margin: number;
};

/**
 * Draws only those rows of a list that are seen. The window scrolls it, or an element around it.
 *
 * @param ref - of the list itself
 */
export function useVirtualRows(ref: RefObject<HTMLElement | null>, { count, height, gap }: RowOptions): VirtualRows {
  // null: the window.
  const [scroller, setScroller] = useState<Element | null>();
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => setScroller(ref.current && scrollerOf(ref.current)), [ref]);
  // What stands above the list may have grown since.
  useLayoutEffect(() => {
    if (!ref.current || scroller === undefined) return;
    const next = placeIn(scroller, ref.current);
    if (Math.abs(next - margin) >= 1) setMargin(next);
  });
  const common = { count, gap, overscan: OVERSCAN, scrollMargin: margin, estimateSize: () => height };
  const inWindow = useWindowVirtualizer<HTMLElement>({ ...common, enabled: scroller === null });
  const inElement = useVirtualizer<Element, HTMLElement>({
    ...common,
    enabled: Boolean(scroller),
    getScrollElement: () => scroller ?? null,
  });
  const { getVirtualItems, getTotalSize, measureElement, scrollToIndex } = scroller ? inElement : inWindow;
  return { getVirtualItems, getTotalSize, measureElement, scrollToIndex, margin };
}

function placeIn(scroller: Element | null, list: HTMLElement): number {
  const { top } = list.getBoundingClientRect();
  return scroller ? top - scroller.getBoundingClientRect().top + scroller.scrollTop : top + scrollY;
}

/** The nearest element that scrolls, else the window. */
function scrollerOf(element: HTMLElement): Element | null {
  for (let parent = element.parentElement; parent && parent !== document.body; parent = parent.parentElement)
    if (/auto|scroll/.test(getComputedStyle(parent).overflowY)) return parent;
  return null;
}
