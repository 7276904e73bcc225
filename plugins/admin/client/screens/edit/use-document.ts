import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { forgetLists } from "../../app/forget-lists.js";
import type { Session } from "../../app/session.js";
import { onJournalRefused } from "../../form/journal.js";
import { t } from "../../messages/text.js";
import { dropOffers, sayWrong } from "../../ui/toast.js";
import { startAutosave } from "./autosave.js";
import type { DocumentState } from "./document-state.js";
import type { DocumentPlace } from "./entry-requests.js";
import { OpenDocument } from "./open-document.js";

/** A document that is being opened. */
export interface Opening {
  readonly opened: OpenDocument | undefined;
  readonly error: unknown;
  readonly retry: () => void;
}

/** Addresses of documents that were new when their forms were opened, with those that they were opened at. */
const renamed = new Map<string, string>();

/** Names a form by what it is opened at. */
export const formAddress = ({ type, id, locale, draft }: DocumentPlace): string =>
  `${type.uid} ${id} ${locale} ${id === "new" ? draft : ""}`;

/** A document that was new has an address of its own now: the form that is open there is the same. */
export function renameForm(from: string, to: string): void {
  renamed.set(to, renamed.get(from) ?? from);
}

/** Tells two forms apart. */
export function formKey(place: DocumentPlace): string {
  const address = formAddress(place);
  return renamed.get(address) ?? address;
}

/** Lists and pickers show what was saved, also what is saved after the form was left. */
function forgetListsOnChange(queries: QueryClient, opened: OpenDocument): void {
  let { entry } = opened.state;
  opened.subscribe(() => {
    if (opened.state.entry === entry) return;
    entry = opened.state.entry;
    void forgetLists(queries);
  });
}

/** Opens a document, and keeps what is typed into it until it is closed. */
export function useOpenDocument(session: Session, place: DocumentPlace): Opening {
  const [opened, setOpened] = useState<OpenDocument>();
  const [error, setError] = useState<unknown>();
  const [tries, setTries] = useState(0);
  const queries = useQueryClient();
  // What the caller may do can change while the form is open, and closes nothing.
  const latest = useRef(session);
  latest.current = session;
  useEffect(() => onJournalRefused(() => sayWrong(t("journal.refused"))), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` opens it again; the place of one form changes only by its first save
  useEffect(() => {
    let isCurrent = true;
    let stop: (() => void) | undefined;
    OpenDocument.open(latest.current, place).then(
      (next) => {
        if (!isCurrent) return;
        const stops = [next.keeper.start(), startAutosave(next)];
        forgetListsOnChange(queries, next);
        stop = () => {
          for (const each of stops) each();
          next.close();
          dropOffers();
        };
        setOpened(next);
      },
      (failure: unknown) => isCurrent && setError(failure),
    );
    return () => {
      isCurrent = false;
      stop?.();
      setOpened(undefined);
      setError(undefined);
    };
  }, [place.type, tries, queries]);
  return { opened, error, retry: () => setTries(tries + 1) };
}

/** What became of saving; drawn again when it changes. */
export const useDocumentState = (opened: OpenDocument): DocumentState =>
  useSyncExternalStore(
    (listener) => opened.subscribe(listener),
    () => opened.state,
  );
