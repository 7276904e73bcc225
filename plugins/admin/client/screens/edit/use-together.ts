import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import type { PeopleAt, PersonAt, Presence } from "../../../src/wire/live.js";
import { useSession } from "../../app/session.js";
import { FormPeople } from "../../form/form-people.js";
import type { Path } from "../../form/paths.js";
import { storedPath } from "../../form/shape.js";
import { TAB } from "../../live/live.js";
import { startPresence } from "../../live/presence.js";
import { useLive } from "../../live/use-live.js";
import { t } from "../../messages/text.js";
import { announce } from "../../ui/announce.js";
import type { OpenDocument } from "./open-document.js";
import { lookAgain } from "./together.js";
import { useDocumentState } from "./use-document.js";

/** What the ids of fields begin with. */
const PLACE = "place-";

/** The path of the field that has the focus; null: none. */
function focusedPath(): Path | null {
  const field = document.activeElement?.closest(`[id^="${PLACE}"]`);
  return field ? field.id.slice(PLACE.length) : null;
}

/** Learns what others do with a document, and tells them where its reader is. @returns who else is here */
export function useTogether(opened: OpenDocument): FormPeople {
  const { entry } = useDocumentState(opened);
  const { user } = useSession();
  const queries = useQueryClient();
  const { type, id } = opened.place;
  const { uid } = type;
  // A language that is begun has no entry yet, and a document all the same.
  const documentId = entry?.documentId ?? (id === "new" || id === "single" ? undefined : id);
  const people = useMemo(() => new FormPeople(), []);
  const look = (news?: { readonly name: string | null; readonly at: string }) => {
    void lookAgain(opened, news);
    for (const part of ["published", "other"]) void queries.invalidateQueries({ queryKey: ["content", uid, part] });
    void queries.invalidateQueries({ queryKey: ["history", uid] });
  };
  useLive(documentId && `${uid}/${documentId}`, {
    onChange: ({ who, at, ...change }) => {
      if (change.uid === uid && change.documentId === documentId) look({ name: who?.name ?? null, at });
    },
    onPeople: (told) => {
      if (!isAbout(told, uid, documentId)) return;
      const others = told.people.filter(({ account, tab }) => account !== user.documentId || tab !== TAB);
      people.set(others, opened.store.leaves, opened.place.locale ?? null);
      sayWhoCame(people);
    },
    onLost: () => look(),
  });
  useEffect(() => {
    if (documentId === undefined) return;
    const presence = startPresence((): Presence => {
      const path = focusedPath();
      const field = path === null ? null : storedPath(opened.store.leaves, path);
      return { uid, documentId, locale: opened.place.locale ?? null, field };
    });
    return presence.stop;
  }, [opened, uid, documentId]);
  return people;
}

const isAbout = (told: PeopleAt, uid: string, documentId: string | undefined): boolean =>
  told.uid === uid && told.documentId === documentId;

let said = "";

/** Says to screen readers that somebody is in the field that has the focus. */
function sayWhoCame(people: FormPeople): void {
  const path = focusedPath();
  const names =
    path === null
      ? ""
      : people
          .at(path)
          .map(({ name }) => name)
          .join(", ");
  const text = names === "" ? "" : `${path} ${names}`;
  if (text !== "" && text !== said) announce(t("people.sameField", { name: names }));
  said = text;
}

/** Everybody else at the document. */
export const useEverybody = (people: FormPeople): readonly PersonAt[] =>
  useSyncExternalStore(
    (listener) => people.subscribe("", listener),
    () => people.all,
  );
