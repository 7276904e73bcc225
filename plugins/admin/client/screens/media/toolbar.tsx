import { FILE_GROUPS, FILE_SORTS, type FileGroup, type FileSort } from "../../app/media-search.js";
import { t } from "../../messages/text.js";
import { IconButton } from "../../ui/button.js";
import { Select } from "../../ui/field.js";
import { SearchBox } from "../../ui/search-box.js";
import styles from "./library.module.css";
import { usePlace } from "./place.js";

interface ToolbarProps {
  /** The groups that may be chosen; none: all. */
  readonly types: readonly string[];
}

/** What narrows the library, and how it is shown. */
export function Toolbar({ types }: ToolbarProps) {
  const { search, change } = usePlace();
  const { type, sort = FILE_SORTS[0], view = "grid" } = search;
  const groups = FILE_GROUPS.filter((group) => types.length === 0 || types.includes(group));
  return (
    <div className={styles.bar}>
      <SearchBox
        label={t("media.search")}
        hint={t("library.searchHint")}
        value={search.q ?? ""}
        onSearch={(q) => change({ q })}
      />
      {groups.length > 1 && (
        <Select
          aria-label={t("library.type")}
          value={type ?? ""}
          onChange={({ target }) => change({ type: (target.value || undefined) as FileGroup | undefined })}
        >
          <option value="">{t("library.type.all")}</option>
          {groups.map((group) => (
            <option key={group} value={group}>
              {t(`library.type.${group}`)}
            </option>
          ))}
        </Select>
      )}
      <Select
        aria-label={t("library.sort")}
        value={sort}
        onChange={({ target }) => change({ sort: target.value as FileSort })}
      >
        {FILE_SORTS.map((known) => (
          <option key={known} value={known}>
            {t(`library.sort.${known}`)}
          </option>
        ))}
      </Select>
      <span className={styles.views}>
        <IconButton
          icon="layout-grid"
          label={t("library.view.grid")}
          aria-pressed={view === "grid"}
          onClick={() => change({ view: "grid" })}
        />
        <IconButton
          icon="layout-list"
          label={t("library.view.list")}
          aria-pressed={view === "list"}
          onClick={() => change({ view: "list" })}
        />
      </span>
    </div>
  );
}
