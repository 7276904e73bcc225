import { lazy, Suspense, useState } from "react";
import type { TypeView } from "../../../../src/wire/model.js";
import type { SavedView } from "../../../../src/wire/views.js";
import { t } from "../../../messages/text.js";
import { announce } from "../../../ui/announce.js";
import { Menu, type MenuEntry } from "../../../ui/menu.js";
import { QuestionDialog } from "../../../ui/question-dialog.js";
import { messageOf } from "../../../ui/state.js";
import { sayDone, sayWrong } from "../../../ui/toast.js";
import { useViewWrites, type Views } from "./use-views.js";
import { moved } from "./view-state.js";

const ViewDialog = lazy(() => import("./view-dialog.js"));

interface ViewMenuProps {
  readonly type: TypeView;
  readonly views: Views;
  readonly view: SavedView;
  /** Called when it has been deleted. */
  readonly onGone: () => void;
}

/** What can be done with the view that is shown. */
export function ViewMenu({ type, views, view, onGone }: ViewMenuProps) {
  const writes = useViewWrites(type.uid);
  const [asked, setAsked] = useState<"edit" | "delete">();
  const run = async (work: () => Promise<unknown>, done: string) => {
    try {
      await work();
      announce(done);
    } catch (error) {
      sayWrong(messageOf(error));
    }
  };
  const index = views.all.indexOf(view);
  const isInitial = views.initial === view;
  const move = (by: number): MenuEntry["run"] => {
    const place = t("views.moved", { name: view.name, place: index + by + 1, count: views.all.length });
    return () => void run(() => writes.prefer({ order: moved(views.all, view.id, by) }), place);
  };
  const remove = async () => {
    setAsked(undefined);
    try {
      await writes.remove(view.id);
      onGone();
      sayDone(t("views.deleted", { name: view.name }));
    } catch (error) {
      sayWrong(messageOf(error));
    }
  };
  const mine = (entry: MenuEntry): readonly MenuEntry[] => (view.isEditable ? [entry] : []);
  return (
    <>
      <Menu
        isSmall
        label={t("views.menu", { name: view.name })}
        groups={[
          mine({ id: "edit", label: t("views.edit"), icon: "pencil", run: () => setAsked("edit") }),
          [
            {
              id: "default",
              label: t(isInitial ? "views.notDefault" : "views.setDefault"),
              icon: "star",
              run: () =>
                void run(
                  () => writes.prefer({ default: isInitial ? undefined : view.id }),
                  t(isInitial ? "views.notDefault" : "views.isDefault"),
                ),
            },
            ...(index > 0
              ? [{ id: "earlier", label: t("views.earlier"), icon: "arrow-up" as const, run: move(-1) }]
              : []),
            ...(index < views.all.length - 1
              ? [{ id: "later", label: t("views.later"), icon: "arrow-down" as const, run: move(1) }]
              : []),
          ],
          mine({
            id: "delete",
            label: t("views.delete"),
            icon: "trash-2",
            isDangerous: true,
            run: () => setAsked("delete"),
          }),
        ]}
      />
      {asked === "edit" && (
        <Suspense>
          <ViewDialog {...{ type, views, view }} onClose={() => setAsked(undefined)} />
        </Suspense>
      )}
      <QuestionDialog
        isOpen={asked === "delete"}
        isDangerous
        title={t("views.delete.ask", { name: view.name })}
        answer={t("action.delete")}
        onAnswer={remove}
        onClose={() => setAsked(undefined)}
      >
        <p>{t(view.isShared ? "views.delete.shared" : "views.delete.text")}</p>
      </QuestionDialog>
    </>
  );
}
