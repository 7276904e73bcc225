import { type KeyboardEvent, useCallback } from "react";
import type { TypeView } from "../../../src/wire/model.js";
import { useDraggedCard } from "../../fields/items/use-dragged-card.js";
import { t } from "../../messages/text.js";
import { Button, IconButton } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import styles from "./list.module.css";

interface ColumnsPanelProps {
  readonly type: TypeView;
  readonly columns: readonly string[];
  readonly onChange: (columns: readonly string[] | undefined) => void;
}

/** The columns that are shown, in their order, and below them the others. What names a document always stands first. */
export default function ColumnsPanel({ type, columns, onChange }: ColumnsPanelProps) {
  const chosen = columns.filter((name) => name !== type.title);
  const rest = Object.keys(type.attributes).filter((name) => !columns.includes(name) && isColumn(type, name));
  const change = (next: readonly string[]) => onChange([type.title, ...next]);
  const move = (from: number, to: number) => {
    if (to < 0 || to >= chosen.length) return;
    const next = [...chosen];
    next.splice(to, 0, ...next.splice(from, 1));
    change(next);
  };
  return (
    <div className={styles.panel}>
      <div className={styles.options}>
        {chosen.map((name, index) => (
          <ChosenColumn
            key={name}
            {...{ name, index, move }}
            count={chosen.length}
            label={type.attributes[name]?.label ?? name}
            onRemove={() => change(chosen.filter((other) => other !== name))}
          />
        ))}
        {rest
          .filter((name) => name !== type.title)
          .map((name) => (
            <label key={name} className={styles.option}>
              <input
                type="checkbox"
                className={styles.check}
                checked={false}
                onChange={() => change([...chosen, name])}
              />
              <span>{type.attributes[name]?.label ?? name}</span>
            </label>
          ))}
      </div>
      <Button isSmall onClick={() => onChange(undefined)}>
        {t("columns.reset")}
      </Button>
    </div>
  );
}

interface ChosenColumnProps {
  readonly name: string;
  readonly label: string;
  readonly index: number;
  readonly count: number;
  readonly move: (from: number, to: number) => void;
  readonly onRemove: () => void;
}

const LIST = "columns";
const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

function ChosenColumn({ name, label, index, count, move, onRemove }: ChosenColumnProps) {
  const stable = useCallback(move, [move]);
  const drag = useDraggedCard({ list: LIST, key: name, index, isEnabled: true, move: stable });
  /** A row that React moves in the page loses the focus. */
  const moveTo = (to: number, focused: HTMLElement) => {
    move(index, to);
    requestAnimationFrame(() =>
      (focused.matches(":disabled") ? drag.card.current?.querySelector("input") : focused)?.focus(),
    );
  };
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const step = STEPS[event.key];
    if (!event.altKey || step === undefined) return;
    event.preventDefault();
    moveTo(index + step, event.target as HTMLElement);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the controls inside
    <div
      ref={drag.card}
      className={styles.option}
      data-dragged={drag.isDragged}
      data-edge={drag.edge}
      onKeyDown={press}
    >
      <span ref={drag.handle} className={styles.grip} aria-hidden="true">
        <Icon name="grip-vertical" size={1} />
      </span>
      <label>
        <input
          type="checkbox"
          className={styles.check}
          checked
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
          onChange={onRemove}
        />
        <span>{label}</span>
      </label>
      <IconButton
        isSmall
        icon="arrow-up"
        label={t("columns.up", { column: label })}
        disabled={index === 0}
        onClick={({ currentTarget }) => moveTo(index - 1, currentTarget)}
      />
      <IconButton
        isSmall
        icon="arrow-down"
        label={t("columns.down", { column: label })}
        disabled={index === count - 1}
        onClick={({ currentTarget }) => moveTo(index + 1, currentTarget)}
      />
    </div>
  );
}

const isColumn = (type: TypeView, name: string): boolean => {
  const { kind, isVisible } = type.attributes[name] ?? { kind: "password", isVisible: false };
  return isVisible && kind !== "password" && kind !== "json";
};
