import { type KeyboardEvent, type ReactNode, useCallback } from "react";
import { useDraggedCard } from "../../fields/items/use-dragged-card.js";
import { t } from "../../messages/text.js";
import { announce } from "../../ui/announce.js";
import { IconButton } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { keepFocus, ROW } from "../../ui/move-focus.js";
import styles from "./builder.module.css";

interface OrderedRowProps {
  /** Rows are dragged within their own list only. */
  readonly list: string;
  /** What the row is about; names it for a screen reader. */
  readonly name: string;
  readonly index: number;
  readonly count: number;
  readonly isReadOnly?: boolean;
  readonly onMove: (from: number, to: number) => void;
  readonly children: ReactNode;
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/** A row that can be put elsewhere: dragged by its handle, by its buttons, and by Alt with the arrow keys. */
export function OrderedRow({ list, name, index, count, isReadOnly = false, onMove, children }: OrderedRowProps) {
  const move = useCallback(
    (from: number, to: number) => {
      if (to < 0 || to >= count) return;
      keepFocus();
      onMove(from, to);
      announce(t("builder.moved", { name, place: to + 1, count }));
    },
    [onMove, count, name],
  );
  const drag = useDraggedCard({ list, key: name, index, isEnabled: !isReadOnly, move });
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const step = STEPS[event.key];
    if (!event.altKey || step === undefined || isReadOnly) return;
    event.preventDefault();
    move(index, index + step);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the controls inside
    <div
      {...ROW}
      ref={drag.card}
      className={styles.row}
      data-dragged={drag.isDragged}
      data-edge={drag.edge}
      onKeyDown={press}
    >
      {!isReadOnly && (
        <span ref={drag.handle} className={styles.grip} aria-hidden="true">
          <Icon name="grip-vertical" size={1} />
        </span>
      )}
      {children}
      {!isReadOnly && (
        <span className={styles.moves}>
          <IconButton
            isSmall
            icon="arrow-up"
            label={t("builder.up", { name })}
            aria-disabled={index === 0}
            onClick={() => move(index, index - 1)}
          />
          <IconButton
            isSmall
            icon="arrow-down"
            label={t("builder.down", { name })}
            aria-disabled={index === count - 1}
            onClick={() => move(index, index + 1)}
          />
        </span>
      )}
    </div>
  );
}
