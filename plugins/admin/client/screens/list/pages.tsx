import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { type ListSearch, PAGE_SIZES } from "../../app/list-search.js";
import { formatGrouped } from "../../messages/formats.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Select } from "../../ui/field.js";
import type { ChangeAddress } from "./address.js";
import styles from "./list.module.css";

declare module "@tanstack/history" {
  interface HistoryState {
    /** Cursors of the pages before the one that is shown, the first one first; null: the first page. */
    readonly trail?: readonly (string | null)[];
  }
}

interface PagesProps {
  readonly search: ListSearch;
  readonly change: ChangeAddress;
  readonly next: string | null;
  readonly isWaiting: boolean;
  /** Whether nothing is left on the page: all that was on it may have been deleted. */
  readonly isEmpty?: boolean;
}

/** Goes forth and back. Where it came from is kept with the entry of the browser's history: over a reload, and on the way back to it. */
export function Pages({ search, change, next, isWaiting, isEmpty = false }: PagesProps) {
  const trail = useRouterState({ select: ({ location }) => location.state.trail }) ?? [];
  const size = search.size ?? PAGE_SIZES[0];
  const forward = () => change({ cursor: next ?? undefined }, [...trail, search.cursor ?? null]);
  const back = (isReplaced = false) => change({ cursor: trail.at(-1) ?? undefined }, trail.slice(0, -1), isReplaced);
  const isLeft = isEmpty && search.cursor !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page
  useEffect(() => {
    if (isLeft) back(true);
  }, [isLeft, search.cursor]);
  return (
    <footer className={styles.foot}>
      <label htmlFor="page-size">
        <span>{t("list.pageSize")}</span>
        <Select id="page-size" value={size} onChange={({ target }) => change({ size: Number(target.value) })}>
          {PAGE_SIZES.map((known) => (
            <option key={known} value={known}>
              {formatGrouped(known)}
            </option>
          ))}
        </Select>
      </label>
      <Button isSmall disabled={!search.cursor} onClick={() => back()}>
        {t("list.previous")}
      </Button>
      <Button isSmall disabled={next === null || isWaiting} onClick={forward}>
        {t("list.next")}
      </Button>
    </footer>
  );
}
