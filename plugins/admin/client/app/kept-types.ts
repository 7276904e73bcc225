import { useQuery } from "@tanstack/react-query";
import { api } from "./api.js";
import { useSession } from "./session.js";

const NONE: readonly string[] = [];

/** Uids of the types of which versions are kept, where the caller may see versions. Asked once for a page. */
function useKeptTypes(): readonly string[] {
  const { plugins, actions } = useSession();
  const { data } = useQuery({
    queryKey: ["history-types"],
    queryFn: async () => (await api<{ readonly data: readonly string[] }>("/history")).data,
    enabled: plugins.includes("history") && actions.includes("plugin::admin.history"),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? NONE;
}

/** Whether earlier versions of a type can be looked at. */
export const useIsKept = (uid: string): boolean => useKeptTypes().includes(uid);
