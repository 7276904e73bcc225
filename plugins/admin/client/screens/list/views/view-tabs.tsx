import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import type { SavedView } from "../../../../src/wire/views.js";
import type { TypeView } from "../../../../src/wire/model.js";
import { ALL, type ListSearch } from "../../../app/list-search.js";
import { useCommands } from "../../../app/commands.js";
import { t } from "../../../messages/text.js";
import { Button } from "../../../ui/button.js";
import { Icon } from "../../../ui/icon.js";
import { Banner, messageOf } from "../../../ui/state.js";
import { sayDone, sayWrong } from "../../../ui/toast.js";
import { useViewWrites, type Views } from "./use-views.js";
import { ViewMenu } from "./view-menu.js";
import { hasChanges, isPartly, isSpecial, searchOf, searchOfAll, stateOf } from "./view-state.js";
import styles from "./views.module.css";

/** It needs a window, which few open. */
const ViewDialog = lazy(() => import("./view-dialog.js"));

interface ViewTabsProps {
  readonly type: TypeView;
  readonly views: Views;
  readonly search: ListSearch;
  readonly columns: readonly string[];
  /** Leads to another state of the list. */
  readonly onOpen: (search: ListSearch) => void;
}

/** The saved views of a list, and what was changed of the one that is shown. */
export function ViewTabs({ type, views, search, columns, onOpen }: ViewTabsProps) {
  const [isSaving, setSaving] = useState(false);
  const shown = views.all.find(({ id }) => id === search.view);
  const isChanged = shown !== undefined && hasChanges(shown, search, columns);
  const canSave = isChanged || (!shown && isSpecial(search));
  useCommands("list.views", [
    { id: "view.save", label: t("views.saveAs"), icon: "bookmark", run: () => setSaving(true) },
  ]);
  if (views.all.length === 0 && !canSave && !isSaving && !views.error) return null;
  return (
    <div className={styles.bar}>
      {views.error !== null && <Unread views={views} />}
      {views.all.length > 0 && <Tabs {...{ type, views, search, shown, isChanged, onOpen }} />}
      {shown && isChanged && (
        <span className={styles.state} role="status">
          {t("views.changed")}
        </span>
      )}
      {shown?.isEditable && isChanged && <UpdateButton {...{ type, view: shown, search, columns }} />}
      {canSave && (
        <Button isSmall look={shown ? "quiet" : "plain"} icon="bookmark" onClick={() => setSaving(true)}>
          {t(shown ? "views.saveAsOther" : "views.save")}
        </Button>
      )}
      {shown && isChanged && (
        <Button isSmall look="quiet" icon="undo-2" onClick={() => onOpen(searchOf(shown))}>
          {t("views.undo")}
        </Button>
      )}
      {shown && isPartly(shown.left) && <LeftNote view={shown} />}
      {isSaving && (
        <Suspense>
          <ViewDialog
            {...{ type, views }}
            state={stateOf(search, columns)}
            onClose={() => setSaving(false)}
            onSaved={(view) => onOpen(searchOf(view))}
          />
        </Suspense>
      )}
    </div>
  );
}

/** Says that it is not known which views there are; the list is there all the same. */
const Unread = ({ views: { error, retry } }: Pick<ViewTabsProps, "views">) => (
  <div className={styles.note}>
    <Banner
      kind="warn"
      action={
        <Button isSmall onClick={retry}>
          {t("error.retry")}
        </Button>
      }
    >
      {t("views.unread", { reason: messageOf(error) })}
    </Banner>
  </div>
);

/** Of the tabs one is shown, also where it was changed: a link is not it because a part of its address is the same. */
const EXACTLY = { exact: true, includeSearch: true } as const;

interface TabsProps extends Omit<ViewTabsProps, "columns"> {
  readonly shown: SavedView | undefined;
  readonly isChanged: boolean;
}

function Tabs({ type, views, search, shown, isChanged, onOpen }: TabsProps) {
  const isAll = !shown && (search.view === undefined || search.view === ALL);
  return (
    <nav aria-label={t("views.label")} className={styles.tabs}>
      <ul>
        <li>
          <Link
            to="/content/$uid"
            params={{ uid: type.uid }}
            search={searchOfAll(views.initial !== undefined)}
            className={styles.tab}
            activeOptions={EXACTLY}
            aria-current={isAll ? "page" : undefined}
          >
            {t("views.all")}
          </Link>
        </li>
        {views.all.map((view) => (
          <li key={view.id} data-shown={view === shown}>
            <Link
              to="/content/$uid"
              params={{ uid: type.uid }}
              search={searchOf(view)}
              className={styles.tab}
              activeOptions={EXACTLY}
              aria-current={view === shown ? "page" : undefined}
            >
              {view === views.initial && <Icon name="star" size={0.875} />}
              <span className={styles.name}>{view.name}</span>
              {view.isShared && <Icon name="users" size={0.875} />}
              {view.isShared && <span className="visually-hidden">{t("views.isShared")}</span>}
              {view === views.initial && <span className="visually-hidden">{t("views.isDefault")}</span>}
              {view === shown && isChanged && <span className={styles.dot} aria-hidden="true" />}
            </Link>
            {view === shown && <ViewMenu {...{ type, views, view }} onGone={() => onOpen(searchOfAll(false))} />}
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface UpdateProps extends Pick<ViewTabsProps, "type" | "search" | "columns"> {
  readonly view: SavedView;
}

function UpdateButton({ type, view, search, columns }: UpdateProps) {
  const writes = useViewWrites(type.uid);
  const [isBusy, setBusy] = useState(false);
  const update = async () => {
    setBusy(true);
    try {
      await writes.update(view.id, { state: stateOf(search, columns) });
      sayDone(t("views.updated", { name: view.name }));
    } catch (error) {
      sayWrong(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button isSmall isBusy={isBusy} icon="save" onClick={() => void update()}>
      {t("views.update")}
    </Button>
  );
}

/** Says what of the view is not shown: somebody else saved it, who may read more. */
function LeftNote({ view: { left } }: { readonly view: SavedView }) {
  const parts = [
    ...(left.filters > 0 ? [t("views.left.filters", { count: left.filters })] : []),
    ...(left.columns > 0 ? [t("views.left.columns", { count: left.columns })] : []),
    ...(left.sort ? [t("views.left.sort")] : []),
    ...(left.locale ? [t("views.left.locale")] : []),
  ];
  return (
    <div className={styles.note}>
      <Banner kind="warn">
        {t("views.left", { parts: new Intl.ListFormat(document.documentElement.lang).format(parts) })}
      </Banner>
    </div>
  );
}
