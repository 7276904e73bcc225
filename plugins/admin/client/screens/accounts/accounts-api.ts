import { useQuery, useQueryClient } from "@tanstack/react-query";
import type {
  AccountChanges,
  AccountList,
  InvitationView,
  Invited,
  NewInvitation,
  SentLink,
} from "../../../src/wire/accounts.js";
import { api } from "../../app/api.js";

const ACCOUNTS = ["accounts"];
const INVITATIONS = ["invitations"];

/** The administrators, and what can be done with them. */
export function useAccounts() {
  const queries = useQueryClient();
  const query = useQuery({ queryKey: ACCOUNTS, queryFn: () => api<AccountList>("/accounts") });
  const change = async (path: string, method: "PUT" | "DELETE", body?: AccountChanges) => {
    await api(`/accounts/${path}`, { method, ...(body ? { body } : {}) });
    await queries.invalidateQueries({ queryKey: ACCOUNTS });
  };
  return { ...query, change, linkFor: (id: string) => api<SentLink>(`/accounts/${id}/reset-link`, { method: "POST" }) };
}

/** Who was invited, and what can be done about it. */
export function useInvitations() {
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: INVITATIONS,
    queryFn: async () => (await api<{ data: readonly InvitationView[] }>("/invitations")).data,
  });
  const again = async <Answer>(answer: Answer): Promise<Answer> => {
    await queries.invalidateQueries({ queryKey: INVITATIONS });
    return answer;
  };
  return {
    ...query,
    invite: async (body: NewInvitation) => again(await api<Invited>("/invitations", { method: "POST", body })),
    resend: async (id: string) => again(await api<Invited>(`/invitations/${id}/resend`, { method: "POST" })),
    revoke: async (id: string) => again(await api(`/invitations/${id}`, { method: "DELETE" })),
  };
}
