import type { KeyboardEvent } from "react";
import type { GrantItem, RoleType, RoleView } from "../../../src/wire/roles.js";
import { announce } from "../../ui/announce.js";
import { classNames } from "../../ui/class-names.js";
import { Icon } from "../../ui/icon.js";
import { t } from "../../messages/text.js";
import { type Cell, cellOf, columnsOf, EVERY_TYPE, withAction } from "./grant-model.js";
import { actionWord } from "./role-words.js";
import styles from "./roles.module.css";
import { useGrid } from "./use-grid.js";

/** A cell that is opened: its type, or nothing for that of all types. */
export interface OpenCell {
  readonly type: RoleType | undefined;
  readonly label: string;
  readonly name: string;
  readonly action: string;
}

interface MatrixProps {
  readonly role: RoleView;
  /** As it is edited. */
  readonly grant: readonly GrantItem[];
  readonly types: readonly RoleType[];
  readonly isReadOnly: boolean;
  readonly onChange: (grant: readonly GrantItem[]) => void;
  readonly onOpen: (cell: OpenCell) => void;
}

/** Types by actions. A cell is allowed or not by Space, and opened by Enter; arrows go from cell to cell. */
export function Matrix({ role, grant, types, isReadOnly, onChange, onOpen }: MatrixProps) {
  const columns = columnsOf(types);
  const grid = useGrid(types.length + 1, columns.length);
  const rows = [
    { uid: EVERY_TYPE, label: t("roles.everyType"), type: undefined, actions: columns },
    ...types.map(rowOf),
  ];
  const toggle = ({ label, name, action }: OpenCell, cell: Cell) => {
    if (isReadOnly || cell.byCode || cell.byPattern) return;
    const next = cell.state === "no" ? "yes" : "no";
    onChange(withAction(grant, action, next));
    announce(`${label}, ${actionWord(name)}: ${t(`roles.${next}`)}`);
  };
  return (
    <div className={styles.scroll}>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table that is moved about in */}
      <table role="grid" aria-label={t("roles.matrix")} className={styles.matrix} onKeyDown={grid.onKeyDown}>
        <thead>
          <tr>
            <th scope="col">{t("roles.type")}</th>
            {columns.map((name) => (
              <th key={name} scope="col">
                {actionWord(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ uid, label, type, actions }, row) => (
            <tr key={uid}>
              <th scope="row" className={classNames(row === 0 && styles.everyHead)}>
                {label}
              </th>
              {columns.map((name, column) => {
                const open: OpenCell = { type, label, name, action: `${uid}.${name}` };
                const cell = cellOf({ byCode: role.byCode, grant }, open.action);
                return (
                  <td key={name}>
                    <CellButton
                      {...grid.cell({ row, column })}
                      open={open}
                      cell={cell}
                      isThere={actions.includes(name)}
                      toggle={() => toggle(open, cell)}
                      onOpen={onOpen}
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const rowOf = (type: RoleType) => ({ uid: type.uid, label: type.label, type, actions: type.actions });

interface CellButtonProps {
  readonly "data-cell": string;
  readonly tabIndex: number;
  readonly onFocus: () => void;
  readonly open: OpenCell;
  readonly cell: Cell;
  /** Whether the type has the action. */
  readonly isThere: boolean;
  readonly toggle: () => void;
  readonly onOpen: (cell: OpenCell) => void;
}

function CellButton({ open, cell, isThere, toggle, onOpen, ...place }: CellButtonProps) {
  const name = `${open.label}, ${actionWord(open.name)}`;
  if (!isThere)
    return (
      <button
        type="button"
        {...place}
        className={styles.cell}
        aria-disabled
        aria-label={`${name}: ${t("roles.notThere")}`}
      />
    );
  const press = (event: KeyboardEvent) => {
    if (event.key !== " ") return;
    event.preventDefault();
    toggle();
  };
  return (
    <button
      type="button"
      {...place}
      className={classNames(styles.cell, styles[cell.state], cell.byCode && styles.locked)}
      aria-label={`${name}: ${stateText(cell)}`}
      aria-haspopup="dialog"
      onKeyDown={press}
      onClick={() => onOpen(open)}
    >
      <Icon name={cell.state === "yes" ? "check" : cell.state === "part" ? "filter" : "minus"} size={1} />
      {cell.byCode && <Icon name="lock" size={0.75} />}
    </button>
  );
}

function stateText({ state, byCode, byPattern }: Cell): string {
  const text = t(`roles.${state}`);
  if (byCode) return `${text}, ${t("roles.locked")}`;
  return byPattern ? `${text}, ${t("roles.byPattern", { pattern: byPattern })}` : text;
}
