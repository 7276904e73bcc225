import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { SessionView } from "../../../src/wire/account.js";
import type { OwnAccount } from "../../../src/wire/accounts.js";
import type { FactorOverview } from "../../../src/wire/second-factor.js";
import { api } from "../../app/api.js";

const KEY = ["account"];

/** One's own account. */
export function useAccount() {
  const queries = useQueryClient();
  const query = useQuery({ queryKey: KEY, queryFn: async () => (await api<{ data: OwnAccount }>("/account")).data });
  const set = (account: OwnAccount) => queries.setQueryData(KEY, account);
  const setFactor = (secondFactor: FactorOverview) => {
    queries.setQueryData(KEY, (known: OwnAccount | undefined) => known && { ...known, secondFactor });
    // A second factor that changes ends the other sessions.
    void queries.invalidateQueries({ queryKey: ["sessions"] });
  };
  return { ...query, set, setFactor };
}

/** The sessions of an account. @param path - below `/admin/api`; one's own: `/sessions` */
export function useSessions(path: string) {
  const queries = useQueryClient();
  const queryKey = ["sessions", path];
  const query = useQuery({ queryKey, queryFn: async () => (await api<{ data: readonly SessionView[] }>(path)).data });
  const end = async (id?: string) => {
    await api(id === undefined ? path : `${path}/${id}`, { method: "DELETE" });
    await queries.invalidateQueries({ queryKey });
  };
  return { ...query, end };
}
