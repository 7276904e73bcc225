import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Preference } from "../../../src/wire/views.js";
import { api } from "../../app/api.js";

/** When an account last looked at its home screen. */
interface Looked {
  /** ISO 8601. */
  readonly looked: string;
  /** The time before that one; null: there was none. */
  readonly before: string | null;
}

/** Who comes back within this time is still looking, in milliseconds. */
const SAME_LOOK = 30 * 60 * 1000;

const PATH = "/preferences/home";
const KEY = ["home", "looked"] as const;

/**
 * Since when the account has not looked; undefined: it is not known, or it looks for the first time. Kept with the account, so
 * that another device counts.
 */
export function useLooked(): string | undefined {
  const queries = useQueryClient();
  const known = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api<Preference<Looked>>(PATH, { signal }),
    staleTime: SAME_LOOK,
  });
  const { mutate } = useMutation({
    mutationFn: (value: Looked) => api<Preference<Looked>>(PATH, { method: "PUT", body: { value } }),
    onSuccess: (saved) => queries.setQueryData(KEY, saved),
  });
  const value = known.data?.value;
  const isNewLook = known.isSuccess && (!value || Date.now() - Date.parse(value.looked) > SAME_LOOK);
  useEffect(() => {
    if (isNewLook) mutate({ looked: new Date().toISOString(), before: value?.looked ?? null });
  }, [isNewLook, value, mutate]);
  return (isNewLook ? value?.looked : value?.before) ?? undefined;
}
