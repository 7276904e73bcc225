import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import type { Entry } from "../../../src/wire/content.js";
import type { TypeView } from "../../../src/wire/model.js";
import type { ListSearch } from "../../app/list-search.js";
import { loadPart } from "../../app/load-part.js";
import { NotFound } from "../../app/not-found.js";
import { mayDo, useSession } from "../../app/session.js";
import { Slot } from "../../app/slot.js";
import { t } from "../../messages/text.js";
import { Button, buttonClass } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { Bone, Empty, Failed, useIsSlow } from "../../ui/state.js";
import { type ChangeAddress, useAddress } from "./address.js";
import styles from "./list.module.css";
import { useColumns, useCount, useRows, useRowsRequest } from "./list-data.js";
import { useListKeys } from "./list-keys.js";
import { LiveBar } from "./live-bar.js";
import { useLiveRows } from "./live-rows.js";
import { LocaleSelect } from "../../ui/locale-select.js";
import { Pages } from "./pages.js";
import { SelectionBar } from "./selection-bar.js";
import { type Selection, useSelection } from "./selection.js";
import { Table } from "./table.js";
import { Toolbar } from "./toolbar.js";
import { useViews, type Views } from "./views/use-views.js";
import { isBare, searchOf } from "./views/view-state.js";
import { ViewTabs } from "./views/view-tabs.js";

const LanguagesTable = lazy(() => loadPart(() => import("./languages-table.js")));
const listRoute = getRouteApi("/content/$uid");
const NO_ROWS: readonly Entry[] = [];
const BONES = ["a", "b", "c", "d", "e", "f", "g", "h"];

/** The documents of a type. */
export function ListScreen() {
  const { uid } = listRoute.useParams();
  const type = useSession().types.get(uid);
  return type ? <List key={uid} type={type} /> : <NotFound />;
}

function List({ type }: { readonly type: TypeView }) {
  const { search, change, open } = useAddress();
  const views = useViews(type.uid);
  const isOpening = useInitialView(views, search, open);
  const selection = useSelection(type);
  const columns = useColumns(type, search);
  const request = useRowsRequest(type, columns, search);
  const rows = useRows(request);
  const live = useLiveRows(type, request, search);
  const count = useCount(type, search, rows.isSuccess && !rows.isPlaceholderData);
  const active = useListKeys({ uid: type.uid, locale: search.locale, rows: rows.data?.data ?? NO_ROWS, selection });
  return (
    <div className={styles.screen}>
      <title>{type.label}</title>
      <Head type={type} total={count.data?.total} search={search} change={change} />
      <div>
        <ViewTabs {...{ type, views, search, columns }} onOpen={open} />
        <Toolbar {...{ type, columns, search, change }} viewName={viewIn(views, search)?.name} />
      </div>
      <LiveBar live={live} />
      {rows.error ? (
        <Failed error={rows.error} retry={() => void rows.refetch()} action={`${type.uid}.find`} />
      ) : (
        <Rows {...{ type, columns, search, change, selection, active, rows, isOpening }} gone={live.gone} />
      )}
      <Pages
        search={search}
        change={change}
        next={rows.data?.meta.pagination.nextCursor ?? null}
        isWaiting={rows.isPlaceholderData}
        isEmpty={rows.data?.data.length === 0 && !rows.isPlaceholderData}
      />
      <SelectionBar type={type} locale={search.locale} selection={selection} />
    </div>
  );
}

const viewIn = ({ all }: Views, { view }: ListSearch) => all.find(({ id }) => id === view);

/** An address that says nothing becomes that of the view which the list opens with. @returns whether that is still to be */
function useInitialView({ initial, isKnown }: Views, search: ListSearch, open: (search: ListSearch) => void): boolean {
  const isOpening = isBare(search) && initial !== undefined;
  useEffect(() => {
    if (isOpening) open(searchOf(initial));
  }, [isOpening, initial, open]);
  return isOpening || (isBare(search) && !isKnown);
}

interface PartProps {
  readonly type: TypeView;
  readonly search: ListSearch;
  readonly change: ChangeAddress;
}

function Head({ type, total, search, change }: PartProps & { readonly total: number | undefined }) {
  const session = useSession();
  return (
    <header className={styles.head}>
      <h1>
        {type.label}
        <span className={styles.count} aria-live="polite">
          {total === undefined ? "" : t("list.total", { total })}
        </span>
      </h1>
      {type.isLocalized && (
        <>
          <LocaleSelect value={search.locale} onChange={(locale) => change({ locale })} label={t("list.locale")} />
          <Button
            icon="languages"
            aria-pressed={search.as === "languages"}
            onClick={() => change({ as: search.as ? undefined : "languages" })}
          >
            {t("matrix.button")}
          </Button>
        </>
      )}
      {mayDo(session, type.uid, "create") && (
        <Link
          to="/content/$uid/$id"
          params={{ uid: type.uid, id: "new" }}
          search={search.locale ? { locale: search.locale } : {}}
          className={buttonClass({ look: "primary" })}
        >
          <Icon name="plus" />
          {t("list.new")}
        </Link>
      )}
    </header>
  );
}

interface RowsProps extends PartProps {
  readonly columns: readonly string[];
  readonly rows: ReturnType<typeof useRows>;
  readonly selection: Selection;
  readonly active: number;
  /** Whether another view is about to be shown. */
  readonly isOpening: boolean;
  readonly gone: ReadonlySet<string>;
}

function Rows({ type, columns, search, change, rows, selection, active, isOpening, gone }: RowsProps) {
  const isSlow = useIsSlow(rows.isPending || rows.isPlaceholderData || isOpening);
  if (!rows.data || isOpening) return isSlow ? <Bones /> : <div />;
  // The page is left for the one before it.
  if (rows.data.data.length === 0 && search.cursor) return <Bones />;
  if (rows.data.data.length === 0) return <NoRows type={type} search={search} change={change} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the screen is scrolled by keys
    <section className={styles.scroll} tabIndex={0} aria-label={type.label}>
      {search.as === "languages" && type.isLocalized ? (
        <Suspense>
          <LanguagesTable type={type} rows={rows.data.data} isStale={isSlow} />
        </Suspense>
      ) : (
        <Table
          {...{ type, columns, search, selection, active, gone }}
          rows={rows.data.data}
          isStale={isSlow}
          onSort={(sort) => change({ sort })}
        />
      )}
    </section>
  );
}

const Bones = () => (
  <div className={styles.scroll}>
    {BONES.map((bone) => (
      <p key={bone} style={{ padding: "var(--space-3)" }}>
        <Bone />
      </p>
    ))}
  </div>
);

function NoRows({ type, search, change }: PartProps) {
  const session = useSession();
  if (search.q || search.filters)
    return (
      <Empty icon="search" title={t("list.nothingFound")} text={t("list.nothingFound.text")}>
        <Button onClick={() => change({ q: undefined, filters: undefined })}>{t("list.clear")}</Button>
      </Empty>
    );
  return (
    <Empty icon="layers" title={t("list.empty", { type: type.label })} text={type.description ?? t("list.empty.text")}>
      {mayDo(session, type.uid, "create") && (
        <Link
          to="/content/$uid/$id"
          params={{ uid: type.uid, id: "new" }}
          search={search.locale ? { locale: search.locale } : {}}
          className={buttonClass({ look: "primary" })}
        >
          {t("list.first")}
        </Link>
      )}
      <Slot name="list.empty" />
    </Empty>
  );
}
