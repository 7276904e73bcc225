import { combine } from "@atlaskit/pragmatic-drag-and-drop/combine";
import { draggable, dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { attachClosestEdge, extractClosestEdge } from "@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { Path } from "../../form/paths.js";

interface DragOptions {
  /** Path of the list: a card is dropped into its own one only. */
  readonly list: Path;
  readonly key: string;
  readonly index: number;
  readonly isEnabled: boolean;
  readonly move: (from: number, to: number) => void;
}

/** What a card shows of a drag. */
interface DraggedCard {
  readonly card: RefObject<HTMLDivElement | null>;
  readonly handle: RefObject<HTMLSpanElement | null>;
  readonly isDragged: boolean;
  /** Where what is dragged would be dropped. */
  readonly edge: "top" | "bottom" | undefined;
}

/** Lets a card be dragged by its handle, and be the place where another one of its list is dropped. */
export function useDraggedCard({ list, key, index, isEnabled, move }: DragOptions): DraggedCard {
  const card = useRef<HTMLDivElement>(null);
  const handle = useRef<HTMLSpanElement>(null);
  const [isDragged, setDragged] = useState(false);
  const [edge, setEdge] = useState<"top" | "bottom">();
  useEffect(() => {
    const [element, dragHandle] = [card.current, handle.current];
    if (!element || !dragHandle || !isEnabled) return;
    return combine(
      draggable({
        element,
        dragHandle,
        getInitialData: () => ({ list, key, index }),
        onDragStart: () => setDragged(true),
        onDrop: () => setDragged(false),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => source.data["list"] === list && source.data["key"] !== key,
        getData: ({ input }) => attachClosestEdge({ list, index }, { element, input, allowedEdges: ["top", "bottom"] }),
        onDrag: ({ self }) => setEdge(edgeOf(self.data)),
        onDragLeave: () => setEdge(undefined),
        onDrop: ({ self, source }) => {
          setEdge(undefined);
          const from = Number(source.data["index"]);
          const before = index + (edgeOf(self.data) === "bottom" ? 1 : 0);
          move(from, from < before ? before - 1 : before);
        },
      }),
    );
  }, [list, key, index, isEnabled, move]);
  return { card, handle, isDragged, edge };
}

function edgeOf(data: Record<string | symbol, unknown>): "top" | "bottom" | undefined {
  const edge = extractClosestEdge(data);
  return edge === "top" || edge === "bottom" ? edge : undefined;
}
