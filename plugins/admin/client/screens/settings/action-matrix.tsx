import { memo, useState } from "react";
import { t } from "../../messages/text.js";
import { TextInput } from "../../ui/field.js";
import { Icon } from "../../ui/icon.js";
import styles from "./action-matrix.module.css";

/** An action of a row. */
export interface MatrixAction {
  /** `api::article.article.find`. */
  readonly action: string;
  /** Which column it stands in: `find`. */
  readonly name: string;
  /** For readers. */
  readonly label: string;
}

/** What can be done with one thing. */
export interface MatrixRow {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly actions: readonly MatrixAction[];
}

/** Rows below one heading. With columns they are a table; without, each row has its actions in a line. */
export interface MatrixGroup {
  readonly id: string;
  readonly title: string;
  readonly columns?: readonly Pick<MatrixAction, "name" | "label">[];
  readonly rows: readonly MatrixRow[];
}

/** Grants actions, or takes them back; the others stay as they are. */
export type ChangeActions = (actions: readonly string[], isGranted: boolean) => void;

interface ActionMatrixProps {
  readonly groups: readonly MatrixGroup[];
  /** Actions that are granted here. */
  readonly granted: ReadonlySet<string>;
  /** Actions that are granted elsewhere, and where: they are not changed here. */
  readonly locked: ReadonlyMap<string, string>;
  readonly isReadOnly?: boolean;
  /** The same function at each draw: then a tick draws its own box only. */
  readonly onChange: ChangeActions;
}

/** From how many rows on there is a search. */
const MANY = 6;

/** What may be done with what, as boxes to tick. */
export function ActionMatrix({ groups, granted, locked, isReadOnly = false, onChange }: ActionMatrixProps) {
  const [query, setQuery] = useState("");
  const total = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  const shown = groups
    .map((group) => ({ ...group, rows: group.rows.filter((row) => matches(row, group.title, query)) }))
    .filter(({ rows }) => rows.length > 0);
  return (
    <div className={styles.matrix}>
      {total > MANY && (
        <TextInput
          type="search"
          className={styles.search}
          aria-label={t("matrix.search")}
          placeholder={t("matrix.search")}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
        />
      )}
      {shown.length === 0 && <p className={styles.soft}>{t("matrix.nothing")}</p>}
      {shown.map((group) => (
        <Group key={group.id} group={group} tools={{ granted, locked, isReadOnly, onChange }} />
      ))}
    </div>
  );
}

const matches = ({ id, label, actions }: MatrixRow, title: string, query: string): boolean => {
  const wanted = query.trim().toLowerCase();
  const texts = [id, label, title, ...actions.map((action) => action.label)];
  return wanted === "" || texts.some((text) => text.toLowerCase().includes(wanted));
};

type Tools = Required<Pick<ActionMatrixProps, "granted" | "locked" | "isReadOnly" | "onChange">>;

function Group({ group, tools }: { readonly group: MatrixGroup; readonly tools: Tools }) {
  const { title, columns, rows } = group;
  const [isOpen, setOpen] = useState(columns !== undefined);
  const count = rows
    .flatMap(({ actions }) => actions)
    .filter(({ action }) => tools.granted.has(action) || tools.locked.has(action)).length;
  return (
    <details className={styles.group} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <Icon name="chevron-right" size={1} />
        <h3>{title}</h3>
        <span className={styles.soft}>{t("matrix.count", { count })}</span>
      </summary>
      {isOpen && (columns ? <Table {...{ title, columns, rows, tools }} /> : <Lines rows={rows} tools={tools} />)}
    </details>
  );
}

interface TableProps {
  readonly title: string;
  readonly columns: NonNullable<MatrixGroup["columns"]>;
  readonly rows: readonly MatrixRow[];
  readonly tools: Tools;
}

function Table({ title, columns, rows, tools }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the screen is scrolled by keys
    <section className={styles.scroll} tabIndex={0} aria-label={title}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{t("matrix.type")}</span>
            </th>
            {columns.map(({ name, label }) => (
              <th key={name} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                <RowLabel row={row} tools={tools} />
              </th>
              {columns.map(({ name }) => {
                const known = row.actions.find((action) => action.name === name);
                return <td key={name}>{known && <ActionBox row={row.label} known={known} tools={tools} />}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <Lines rows={othersOf(rows, columns)} tools={tools} />
    </section>
  );
}

/** Actions of rows that have no column, such as those of routes of an app. */
const othersOf = (rows: TableProps["rows"], columns: TableProps["columns"]): readonly MatrixRow[] =>
  rows
    .map((row) => ({
      ...row,
      actions: row.actions.filter(({ name }) => !columns.some((column) => column.name === name)),
    }))
    .filter(({ actions }) => actions.length > 0);

function Lines({ rows, tools }: Pick<TableProps, "rows" | "tools">) {
  return (
    <ul className={styles.lines}>
      {rows.map((row) => (
        <li key={row.id}>
          <RowLabel row={row} tools={tools} />
          <div className={styles.boxes}>
            {row.actions.map((known) => (
              <ActionBox key={known.action} isNamed row={row.label} known={known} tools={tools} />
            ))}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Ticks a whole row. */
function RowLabel({ row, tools }: { readonly row: MatrixRow; readonly tools: Tools }) {
  const { granted, locked, isReadOnly, onChange } = tools;
  const free = row.actions.map(({ action }) => action).filter((action) => !locked.has(action));
  const count = free.filter((action) => granted.has(action)).length;
  const isAll = free.length > 0 ? count === free.length : true;
  return (
    <label className={styles.row}>
      <input
        type="checkbox"
        aria-label={t("matrix.all", { name: row.label })}
        disabled={isReadOnly || free.length === 0}
        checked={isAll}
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && !isAll;
        }}
        onChange={() => onChange(free, !isAll)}
      />
      <span>
        {row.label}
        {row.hint && <span className={styles.hint}>{row.hint}</span>}
      </span>
    </label>
  );
}

interface ActionBoxProps {
  readonly row: string;
  readonly known: MatrixAction;
  readonly tools: Tools;
  /** Whether its name stands beside it. */
  readonly isNamed?: boolean;
}

function ActionBox({ row, known, tools, isNamed = false }: ActionBoxProps) {
  const { granted, locked, isReadOnly, onChange } = tools;
  const where = locked.get(known.action);
  return (
    <Box
      action={known.action}
      label={isNamed ? known.label : undefined}
      name={t("matrix.box", { action: known.label, name: row })}
      where={where}
      isOn={where !== undefined || granted.has(known.action)}
      isReadOnly={isReadOnly || where !== undefined}
      onChange={onChange}
    />
  );
}

interface BoxProps {
  readonly action: string;
  readonly label: string | undefined;
  readonly name: string;
  readonly where: string | undefined;
  readonly isOn: boolean;
  readonly isReadOnly: boolean;
  readonly onChange: ChangeActions;
}

/** Drawn again when it is another one, and not with every tick elsewhere. */
const Box = memo(({ action, label, name, where, isOn, isReadOnly, onChange }: BoxProps) => (
  <label className={styles.box} title={where}>
    <input
      type="checkbox"
      aria-label={where === undefined ? name : `${name}, ${where}`}
      checked={isOn}
      disabled={isReadOnly}
      onChange={({ target }) => onChange([action], target.checked)}
    />
    {label}
    {where !== undefined && <Icon name="lock" size={0.75} />}
  </label>
));
