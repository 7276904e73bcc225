import { useEffect, useRef, useState } from "react";
import { FILE_GROUPS, FILE_SORTS, type FileGroup, type FileSort } from "../../app/media-search.js";
import { t } from "../../messages/text.js";
import { IconButton } from "../../ui/button.js";
import { Select, TextInput } from "../../ui/field.js";
import { Icon } from "../../ui/icon.js";
import { useRested } from "../../ui/use-rested.js";
import styles from "./library.module.css";
import { usePlace } from "./place.js";

/** How long typing has to rest before it is searched for, in milliseconds. */
const REST = 250;

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
      <SearchBox />
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

/** Says in the place what is typed, once it rests, and shows what the place says. */
function SearchBox() {
  const { search, change } = usePlace();
  const [typed, setTyped] = useState(search.q ?? "");
  const rested = useRested(typed, REST);
  const known = useRef(search.q ?? "");
  useEffect(() => {
    const inPlace = search.q ?? "";
    // The place changed by itself: by the back button, or by what clears the search.
    if (inPlace !== known.current) {
      known.current = inPlace;
      setTyped(inPlace);
    } else if (rested === typed && rested !== known.current) {
      known.current = rested;
      change({ q: rested });
    }
  });
  return (
    <span className={styles.search}>
      <Icon name="search" size={1} />
      <TextInput
        type="search"
        aria-label={t("media.search")}
        placeholder={t("library.searchHint")}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </span>
  );
}
