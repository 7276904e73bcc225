import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ListPreference, Preference, SavedView, SavedViews, ViewChanges } from "../../../../src/wire/views.js";
import { api } from "../../../app/api.js";
import { inOrder } from "./view-state.js";

/** The views of a list, as their reader has them. */
export interface Views {
  /** In order. */
  readonly all: readonly SavedView[];
  /** The one that the list opens with. */
  readonly initial: SavedView | undefined;
  /** Roles that views can be shared with; empty for those who may not. */
  readonly roles: readonly string[];
  /** Whether it is known which views there are, or that they could not be read. */
  readonly isKnown: boolean;
  readonly error: unknown;
  readonly retry: () => void;
}

const keyOf = (uid: string) => ["views", uid] as const;
const preferencePath = (uid: string) => `/preferences/list.${encodeURIComponent(uid)}`;

/** Reads the views of a type, and how their reader wants them. */
export function useViews(uid: string): Views {
  const views = useQuery({
    queryKey: [...keyOf(uid), "all"],
    queryFn: ({ signal }) => api<SavedViews>(`/views/${uid}`, { signal }),
  });
  const preference = useQuery({
    queryKey: [...keyOf(uid), "preference"],
    queryFn: ({ signal }) => api<Preference<ListPreference>>(preferencePath(uid), { signal }),
  });
  const wanted = preference.data?.value ?? {};
  const all = inOrder(views.data?.data ?? [], wanted.order);
  return {
    all,
    initial: all.find(({ id }) => id === wanted.default),
    roles: views.data?.meta.roles ?? [],
    isKnown: !views.isPending && !preference.isPending,
    error: views.error ?? preference.error,
    retry: () => void Promise.all([views.refetch(), preference.refetch()]),
  };
}

/** What can be done with the views of a type. Each rejects as the server refuses it. */
export interface ViewWrites {
  readonly create: (view: Required<ViewChanges>) => Promise<SavedView>;
  readonly update: (id: string, changes: ViewChanges) => Promise<SavedView>;
  readonly remove: (id: string) => Promise<void>;
  /** Changes what its reader wants; undefined takes a part out. */
  readonly prefer: (
    changes: { readonly [Key in keyof ListPreference]?: ListPreference[Key] | undefined },
  ) => Promise<void>;
}

/** Writes views, and reads them again after. */
export function useViewWrites(uid: string): ViewWrites {
  const queries = useQueryClient();
  const again = async <T>(written: T): Promise<T> => {
    await queries.invalidateQueries({ queryKey: keyOf(uid) });
    return written;
  };
  const send = async (path: string, method: "POST" | "PUT", body: ViewChanges) =>
    await again((await api<{ readonly data: SavedView }>(path, { method, body })).data);
  return {
    create: (view) => send(`/views/${uid}`, "POST", view),
    update: (id, changes) => send(`/views/${id}`, "PUT", changes),
    remove: async (id) => await again(await api<void>(`/views/${id}`, { method: "DELETE" })),
    prefer: async (changes) => {
      // What another tab chose meanwhile stays.
      const { value } = await api<Preference<ListPreference>>(preferencePath(uid));
      const next = { ...value, ...changes };
      await again(await api(preferencePath(uid), { method: "PUT", body: { value: next } }));
    },
  };
}
