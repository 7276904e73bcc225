import { Link } from "@tanstack/react-router";
import type { TypeView } from "../../../src/wire/model.js";
import { type Group, readTree, writeTree } from "../../app/filter-tree.js";
import { useIsKept } from "../../app/kept-types.js";
import type { ListSearch } from "../../app/list-search.js";
import { useSession } from "../../app/session.js";
import { Slot } from "../../app/slot.js";
import { t } from "../../messages/text.js";
import { iconLinkClass } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { ADD } from "../../ui/move-focus.js";
import { SearchBox } from "../../ui/search-box.js";
import type { ChangeAddress } from "./address.js";
import { ColumnsButton } from "./columns.js";
import { CsvButton } from "./csv-button.js";
import { FilterButton, FilterChips, TOOLBAR } from "./filters.js";
import styles from "./list.module.css";
import { preferColumns } from "./preferred-columns.js";

interface ToolbarProps {
  readonly type: TypeView;
  readonly search: ListSearch;
  readonly change: ChangeAddress;
}

interface WholeProps extends ToolbarProps {
  readonly columns: readonly string[];
  /** Of the saved view that is shown; undefined: there is none. */
  readonly viewName: string | undefined;
}

/** What narrows a list, how it is shown, and how it is taken along. */
export function Toolbar({ type, columns, search, change, viewName }: WholeProps) {
  const { user } = useSession();
  const setColumns = (next: readonly string[] | undefined) => {
    // Those of a view are kept with the view.
    if (viewName === undefined) preferColumns(user.documentId, type.uid, next);
    change({ columns: next, cursor: search.cursor }, "stay");
  };
  const group = readTree(search.filters);
  const filterProps = { type, group, onChange: (next: Group) => change({ filters: writeTree(next) }) };
  return (
    <div id={TOOLBAR} className={styles.bar}>
      <SearchBox
        id="list-search"
        label={t("list.search", { type: type.label })}
        hint={t("list.searchHint")}
        value={search.q ?? ""}
        onSearch={(q) => change({ q })}
      />
      <span {...ADD}>
        <FilterButton {...filterProps} />
      </span>
      <ColumnsButton type={type} columns={columns} onChange={setColumns} />
      <CsvButton {...{ type, columns, search, viewName }} />
      <DeletedLink uid={type.uid} />
      <Slot name="list.toolbar" />
      <div className={styles.chips}>
        <FilterChips {...filterProps} />
      </div>
    </div>
  );
}

/** Leads to the documents that were deleted, where the history keeps them. */
function DeletedLink({ uid }: { readonly uid: string }) {
  if (!useIsKept(uid)) return null;
  return (
    <Link
      to="/content/$uid/deleted"
      params={{ uid }}
      title={t("deleted.link")}
      aria-label={t("deleted.link")}
      className={iconLinkClass({ look: "quiet" })}
    >
      <Icon name="trash-2" size={1.125} />
    </Link>
  );
}
