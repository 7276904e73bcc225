import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { useRef, useState } from "react";
import type { Entry } from "../../../src/wire/content.js";
import type { TypeView } from "../../../src/wire/model.js";
import { api } from "../../app/api.js";
import { forgetLists } from "../../app/forget-lists.js";
import { mayDo, useSession } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { IconButton } from "../../ui/button.js";
import type { MenuEntry } from "../../ui/menu.js";
import { MenuAt } from "../../ui/menu-at.js";
import { messageOf } from "../../ui/state.js";
import { sayDone, sayWrong } from "../../ui/toast.js";
import { ConfirmBulk } from "./bulk-dialog.js";
import type { ListAction } from "./bulk-request.js";
import { titleOf } from "./row-title.js";

interface RowMenuProps {
  readonly type: TypeView;
  readonly row: Entry;
  readonly locale: string | undefined;
}

/** What may be done with one row. */
export function RowMenu({ type, row, locale }: RowMenuProps) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [asked, setAsked] = useState<Exclude<ListAction, "set">>();
  const title = titleOf(type, row);
  const label = t("row.actions", { title });
  return (
    <>
      <IconButton
        ref={anchor}
        isSmall
        icon="ellipsis"
        label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      />
      {isOpen && <OpenMenu {...{ type, row, locale, label, anchor }} ask={setAsked} onClose={() => setOpen(false)} />}
      {asked && (
        <ConfirmBulk
          target={{ uid: type.uid, locale, titles: new Map([[row.documentId, title]]) }}
          action={asked}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

interface OpenMenuProps extends RowMenuProps {
  readonly label: string;
  readonly anchor: React.RefObject<HTMLButtonElement | null>;
  readonly ask: (action: Exclude<ListAction, "set">) => void;
  readonly onClose: () => void;
}

function OpenMenu({ type, row, locale, label, anchor, ask, onClose }: OpenMenuProps) {
  const session = useSession();
  const navigate = useNavigate();
  const router = useRouter();
  const duplicate = useDuplicate(type.uid, row.documentId, locale);
  const search = locale === undefined ? {} : { locale };
  const to = { to: "/content/$uid/$id", params: { uid: type.uid, id: row.documentId }, search } as const;
  const { state } = row._facts;
  const item = (id: string, isOffered: boolean, entry: Omit<MenuEntry, "id">): readonly MenuEntry[] =>
    isOffered ? [{ id, ...entry }] : [];
  const may = (action: string) => mayDo(session, type.uid, action);
  return (
    <MenuAt
      label={label}
      anchor={anchor}
      onClose={onClose}
      groups={[
        [
          ...item("open", true, { label: t("row.open"), icon: "pencil", run: () => void navigate(to) }),
          ...item("beside", true, {
            label: t("row.beside"),
            icon: "external-link",
            run: () => void window.open(router.buildLocation(to).publicHref, "_blank", "noopener"),
          }),
          ...item("duplicate", may("create"), {
            label: t("menu.duplicate"),
            icon: "copy",
            run: () => void duplicate(),
          }),
        ],
        [
          ...item("publish", type.hasDrafts && state !== "published" && may("publish"), {
            label: t("action.publish"),
            icon: "send",
            run: () => ask("publish"),
          }),
          ...item("unpublish", type.hasDrafts && state !== "draft" && may("unpublish"), {
            label: t("action.unpublish"),
            icon: "eye-off",
            run: () => ask("unpublish"),
          }),
        ],
        item("delete", may("delete"), {
          label: t("action.delete"),
          icon: "trash-2",
          isDangerous: true,
          run: () => ask("delete"),
        }),
      ]}
    />
  );
}

function useDuplicate(uid: string, documentId: string, locale: string | undefined): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    const query = locale === undefined ? "" : `?locale=${encodeURIComponent(locale)}`;
    try {
      await api(`/content/${uid}/${documentId}/actions/duplicate${query}`, { method: "POST" });
      sayDone(t("edit.duplicated"));
      await forgetLists(queries);
    } catch (error) {
      sayWrong(messageOf(error));
    }
  };
}
