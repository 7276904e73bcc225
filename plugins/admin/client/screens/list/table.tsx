import { Link, useNavigate } from "@tanstack/react-router";
import { type MouseEvent, useDeferredValue } from "react";
import type { Entry } from "../../../src/wire/content.js";
import type { TypeView } from "../../../src/wire/model.js";
import type { ListSearch } from "../../app/list-search.js";
import { ExtensionPart } from "../../app/extension-part.js";
import { useExtensionField } from "../../app/extensions.js";
import type { CellProps } from "../../extend/extension.js";
import { t } from "../../messages/text.js";
import { classNames } from "../../ui/class-names.js";
import { Icon } from "../../ui/icon.js";
import { StateBadge } from "../../ui/state.js";
import { Cell, isNumeric, Moment } from "./cell.js";
import styles from "./list.module.css";
import { RowMenu } from "./row-menu.js";
import { titleOf } from "./row-title.js";
import type { Selection } from "./selection.js";

interface TableProps {
  readonly type: TypeView;
  readonly columns: readonly string[];
  readonly rows: readonly Entry[];
  readonly search: ListSearch;
  readonly selection: Selection;
  /** Index of the row that keys act upon. */
  readonly active: number;
  /** Ids of rows that others deleted, or that the list does not look for any more. */
  readonly gone: ReadonlySet<string>;
  readonly isStale: boolean;
  readonly onSort: (sort: string) => void;
}

/** How many rows of another page are drawn first: about those that a window shows. */
const FIRST_ROWS = 25;

/** Of another page the first rows, and all of them with the next drawing, which keys and clicks may interrupt. */
function useDrawnRows(rows: readonly Entry[]): readonly Entry[] {
  const drawn = useDeferredValue(rows);
  const isSamePage = drawn[0]?.documentId === rows[0]?.documentId;
  return isSamePage ? rows : rows.slice(0, FIRST_ROWS);
}

/** Rows of documents. */
export function Table({ type, columns, rows, search, selection, active, gone, isStale, onSort }: TableProps) {
  const shown = columns.filter((name) => name !== type.title);
  const drawn = useDrawnRows(rows);
  return (
    <table className={classNames(styles.table, isStale && styles.isStale)}>
      <caption className="visually-hidden">{type.label}</caption>
      <thead>
        <tr>
          <th scope="col" className={styles.narrow}>
            <AllCheck rows={rows} selection={selection} />
          </th>
          {/* A type without a text of its own is named by the ids of its documents. */}
          {!type.attributes[type.title] && <th scope="col">{t("list.document")}</th>}
          {[...(type.attributes[type.title] ? [type.title] : []), ...shown].map((name) => (
            <Head key={name} type={type} name={name} sort={search.sort} onSort={onSort} />
          ))}
          {type.hasDrafts && <th scope="col">{t("list.state")}</th>}
          {type.isLocalized && <th scope="col">{t("list.locales")}</th>}
          <Head type={type} name="updatedAt" sort={search.sort} onSort={onSort} />
          <th scope="col" className={styles.actions}>
            <span className="visually-hidden">{t("row.head")}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {drawn.map((row, index) => (
          <Row
            key={row.documentId}
            {...{ type, columns: shown, row, search, selection }}
            isActive={index === active}
            isGone={gone.has(row.documentId)}
          />
        ))}
      </tbody>
    </table>
  );
}

function AllCheck({ rows, selection }: { readonly rows: readonly Entry[]; readonly selection: Selection }) {
  const count = rows.filter(({ documentId }) => selection.has(documentId)).length;
  const isAll = count > 0 && count === rows.length;
  return (
    <input
      type="checkbox"
      className={styles.check}
      aria-label={t("list.selectAll")}
      checked={isAll}
      ref={(input) => {
        if (input) input.indeterminate = count > 0 && !isAll;
      }}
      onChange={() => selection.setMany(rows, !isAll)}
    />
  );
}

interface HeadProps {
  readonly type: TypeView;
  readonly name: string;
  readonly sort: string | undefined;
  readonly onSort: (sort: string) => void;
}

/** Kinds that cannot be sorted by. */
const UNSORTED = new Set(["json", "blocks", "relation", "media", "component", "dynamiczone", "password"]);

function Head({ type, name, sort = "id:desc", onSort }: HeadProps) {
  const attribute = type.attributes[name];
  const label = attribute?.label ?? t("list.updatedAt");
  const [sorted, direction] = sort.split(":");
  const isSorted = sorted === name;
  if (attribute && UNSORTED.has(attribute.kind)) return <th scope="col">{label}</th>;
  const isSlow = attribute !== undefined && !type.sortable.includes(name);
  const next = isSorted && direction === "asc" ? "desc" : "asc";
  return (
    <th
      scope="col"
      className={classNames(attribute && isNumeric(attribute) && styles.isEnd)}
      aria-sort={isSorted ? (direction === "asc" ? "ascending" : "descending") : "none"}
    >
      <button
        type="button"
        className={styles.sort}
        title={isSlow ? t("list.sortIsSlow") : undefined}
        onClick={() => onSort(`${name}:${next}`)}
      >
        {label}
        {isSorted && <Icon name={direction === "asc" ? "arrow-up" : "arrow-down"} size={0.875} />}
      </button>
    </th>
  );
}

interface RowProps {
  readonly type: TypeView;
  readonly columns: readonly string[];
  readonly row: Entry;
  readonly search: ListSearch;
  readonly selection: Selection;
  readonly isActive: boolean;
  readonly isGone: boolean;
}

function Row({ type, columns, row, search, selection, isActive, isGone }: RowProps) {
  const navigate = useNavigate();
  const { documentId, _facts: facts } = row;
  const isSelected = selection.has(documentId);
  const to = { to: "/content/$uid/$id", params: { uid: type.uid, id: documentId }, search: localeOf(search) } as const;
  const open = ({ target, currentTarget }: MouseEvent) => {
    // Windows above the page are children of the row for React.
    const isInRow = currentTarget.contains(target as Node);
    if (isInRow && !(target as Element).closest("a, input, button")) void navigate(to);
  };
  return (
    // The link in the row is what keys and screen readers reach; a click beside it does the same.
    <tr data-selected={isSelected} data-active={isActive} data-gone={isGone} onClick={open}>
      <td className={styles.narrow}>
        <input
          type="checkbox"
          className={styles.check}
          aria-label={t("list.select", { title: titleOf(type, row) })}
          checked={isSelected}
          onChange={() => selection.setMany([row], !isSelected)}
        />
      </td>
      <td>
        <Link {...to} className={styles.title}>
          {titleOf(type, row)}
        </Link>
        {isGone && <span className={styles.goneMark}>{t("live.goneMark")}</span>}
      </td>
      {columns.map((name) => {
        const attribute = type.attributes[name];
        return (
          <td key={name} className={classNames(attribute && isNumeric(attribute) && styles.isEnd)}>
            {attribute && <ShownCell attribute={attribute} value={row[name]} row={row} />}
          </td>
        );
      })}
      {type.hasDrafts && (
        <td>
          <StateBadge state={facts.state} />
        </td>
      )}
      {type.isLocalized && (
        <td>
          <span className={styles.locales}>
            {facts.locales.map(({ locale, state }) => (
              <span key={locale} className={styles.locale} data-state={state} title={t(`state.${state}`)}>
                {locale}
              </span>
            ))}
          </span>
        </td>
      )}
      <td className={styles.soft}>
        <Moment value={row.updatedAt} />
      </td>
      <td className={styles.actions}>
        <RowMenu type={type} row={row} locale={search.locale} />
      </td>
    </tr>
  );
}

/** The cell of an extension, where the attribute's field has one. */
function ShownCell(props: CellProps) {
  const field = useExtensionField(props.attribute.field);
  return field?.cell ? <ExtensionPart owner={field.owner} part={field.cell} props={props} /> : <Cell {...props} />;
}

const localeOf = ({ locale }: ListSearch) => (locale === undefined ? {} : { locale });
