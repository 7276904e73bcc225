import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Entry, EntryList } from "../../../src/wire/content.js";
import type { DocumentChange } from "../../../src/wire/live.js";
import type { TypeView } from "../../../src/wire/model.js";
import { api } from "../../app/api.js";
import type { ListSearch } from "../../app/list-search.js";
import { useSession } from "../../app/session.js";
import { useLive } from "../../live/use-live.js";
import { t } from "../../messages/text.js";
import { announce } from "../../ui/announce.js";
import type { RowsRequest } from "./list-data.js";

/** Milliseconds for which changes are collected: who changes many documents at once has them read together. */
const REST = 300;
/** Rows that are read one by one; where more change the list offers to be read again. */
const MOST = 100;

/** What became of a list while it was shown. */
export interface LiveRows {
  /** Documents that are new, and would be in the list. */
  readonly added: number;
  /** Whether more changed than was looked at. */
  readonly isOld: boolean;
  /** Rows that are not in the list any more: deleted, or without what the list looks for. */
  readonly gone: ReadonlySet<string>;
  /** Reads the list again. */
  refresh(): void;
}

const NONE = { added: new Set<string>(), gone: new Set<string>(), isOld: false } as const;

interface Met {
  readonly added: ReadonlySet<string>;
  readonly gone: ReadonlySet<string>;
  readonly isOld: boolean;
}

/**
 * Keeps the rows of a list as they are for others. A row that changed is read again in its place; no row moves under the
 * pointer: what is new is counted, and shown when that is wanted.
 */
export function useLiveRows(type: TypeView, request: RowsRequest, search: ListSearch): LiveRows {
  const queries = useQueryClient();
  const locale = useLocaleOf(type, search);
  const { met, setMet, patched } = useMet(request.queryKey);
  const waiting = useRef(new Map<string, boolean>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const shown = useRef("");
  shown.current = JSON.stringify(request.queryKey);
  useEffect(() => () => clearTimeout(timer.current), []);
  const read = async () => {
    const created = new Map(waiting.current);
    waiting.current.clear();
    const found = created.size > MOST ? undefined : await readRows(queries, type.uid, request, created);
    // Another list is shown by now, which was read after what changed.
    if (shown.current !== JSON.stringify(request.queryKey)) return;
    if (found) patched(found.at);
    setMet((before) => (found ? join(before, found) : { ...before, isOld: true }));
  };
  useLive(type.uid, {
    onChange: ({ uid, documentId, ...change }: DocumentChange) => {
      if (uid !== type.uid) return;
      const isNew = change.action === "create" && change.locale === locale;
      waiting.current.set(documentId, (waiting.current.get(documentId) ?? false) || isNew);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void read(), REST);
    },
    onLost: () => setMet((before) => ({ ...before, isOld: true })),
  });
  const refresh = () => {
    setMet(() => NONE);
    void queries.invalidateQueries({ queryKey: ["content", type.uid] });
  };
  return { added: met.added.size, isOld: met.isOld, gone: met.gone, refresh };
}

/** The language of a list; null: its type has none. */
function useLocaleOf(type: TypeView, search: ListSearch): string | null {
  const usual = useSession().locales.find(({ isDefault }) => isDefault)?.code;
  return type.isLocalized ? (search.locale ?? usual ?? null) : null;
}

/** What was met of a list, until it is read again as a whole: nothing is new then. What is new is said to screen readers. */
function useMet(queryKey: readonly unknown[]) {
  const [met, setMet] = useState<Met>(NONE);
  const patchedAt = useRef(0);
  const name = JSON.stringify(queryKey);
  const readAt = useQueryClient().getQueryState(queryKey)?.dataUpdatedAt;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has another name
  useEffect(() => {
    if (patchedAt.current !== readAt) setMet(NONE);
  }, [name, readAt]);
  const added = met.added.size;
  useEffect(() => {
    if (added > 0) announce(t("live.added", { count: added }));
  }, [added]);
  const patched = (at: number) => {
    patchedAt.current = at;
  };
  return { met, setMet, patched };
}

/** Reads rows again, and puts them in their places. Undefined: they cannot be read now. */
async function readRows(
  queries: QueryClient,
  uid: string,
  { queryKey, pathFor }: RowsRequest,
  created: ReadonlyMap<string, boolean>,
): Promise<(Read & { readonly at: number }) | undefined> {
  const key = ["content", uid];
  // What is not shown now is read again when it is.
  void queries.invalidateQueries({ queryKey: key, refetchType: "none", predicate: (query) => !query.isActive() });
  const ids = [...created.keys()];
  const found = await api<EntryList>(pathFor(ids)).catch(() => undefined);
  const shown = queries.getQueryData<EntryList>(queryKey);
  if (!found || !shown) return undefined;
  const rows = new Map(found.data.map((row) => [row.documentId, row]));
  void queries.invalidateQueries({ queryKey: [...key, "count"] });
  return { ids, rows, shown: shown.data, created, at: patch(queries, queryKey, rows) };
}

/** Puts rows that were read again in the place of those that are shown. @returns when */
function patch(queries: QueryClient, queryKey: readonly unknown[], rows: ReadonlyMap<string, Entry>): number {
  queries.setQueryData<EntryList>(
    queryKey,
    (list) => list && { ...list, data: list.data.map((row) => rows.get(row.documentId) ?? row) },
  );
  return queries.getQueryState(queryKey)?.dataUpdatedAt ?? 0;
}

interface Read {
  readonly ids: readonly string[];
  readonly rows: ReadonlyMap<string, Entry>;
  readonly shown: readonly Entry[];
  /** By document: whether it is new. */
  readonly created: ReadonlyMap<string, boolean>;
}

function join(before: Met, { ids, rows, shown, created }: Read): Met {
  const isShown = new Set(shown.map(({ documentId }) => documentId));
  const added = new Set(before.added);
  const gone = new Set(before.gone);
  for (const id of ids) {
    if (isShown.has(id)) {
      if (rows.has(id)) gone.delete(id);
      else gone.add(id);
    } else if (!rows.has(id)) added.delete(id);
    else if (created.get(id)) added.add(id);
  }
  return { ...before, added, gone };
}
