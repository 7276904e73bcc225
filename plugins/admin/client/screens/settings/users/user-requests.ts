import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import type {
  EndUser,
  EndUserAttributes,
  EndUserList,
  EndUserSessions,
  UserRoleList,
} from "../../../../src/wire/end-users.js";
import { api } from "../../../app/api.js";
import { PAGE_SIZES } from "../../../app/list-search.js";
import type { UsersSearch } from "./users-search.js";

/** What a role has to be granted to manage end users. */
export const USERS_ACTION = "plugin::users-permissions.users";

const KEY = ["end-users"];
const LISTS = [...KEY, "list"];

/** The users that the address asks for; those before stay until they are there. */
export function useUsers(search: UsersSearch) {
  const path = `/users?${queryOf(search)}`;
  return useQuery({
    queryKey: [...LISTS, path],
    queryFn: ({ signal }) => api<EndUserList>(path, { signal }),
    placeholderData: keepPreviousData,
  });
}

function queryOf({ q, role, state, size, cursor }: UsersSearch): string {
  const query = new URLSearchParams();
  if (q) query.set("_q", q);
  if (role) query.set("filters[role][documentId][$eq]", role);
  if (state === "blocked") query.set("filters[blocked][$eq]", "true");
  if (state === "unconfirmed") query.set("filters[$not][confirmed][$eq]", "true");
  if (state === "active") {
    query.set("filters[confirmed][$eq]", "true");
    query.set("filters[$not][blocked][$eq]", "true");
  }
  query.set("pagination[pageSize]", String(size ?? PAGE_SIZES[0]));
  query.set("pagination[cursor]", cursor ?? "*");
  return query.toString();
}

/** One user. */
export const useUser = (documentId: string | undefined) =>
  useQuery({
    queryKey: [...KEY, "one", documentId],
    queryFn: ({ signal }) => api<{ readonly data: EndUser }>(`/users/${documentId}`, { signal }),
    enabled: documentId !== undefined,
    staleTime: 0,
  });

/** What the app added to users. */
export const useUserAttributes = () =>
  useQuery({
    queryKey: ["end-user-attributes"],
    queryFn: ({ signal }) => api<EndUserAttributes>("/users/attributes", { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The sessions of a user. */
export const useUserSessions = (documentId: string) =>
  useQuery({
    queryKey: [...KEY, "sessions", documentId],
    queryFn: ({ signal }) => api<EndUserSessions>(`/users/${documentId}/sessions`, { signal }),
    staleTime: 0,
  });

/** Roles that a user may have. */
export const useRoleChoices = () =>
  useQuery({
    queryKey: ["user-roles", "choices"],
    queryFn: ({ signal }) => api<UserRoleList>("/user-roles", { signal }),
  });

/** Writes of users; what is shown of them is read again after each. */
export function useUserWrites() {
  const queries = useQueryClient();
  const after = async <T>(work: Promise<T>, changed: readonly string[] = KEY): Promise<T> => {
    const done = await work;
    await queries.invalidateQueries({ queryKey: changed });
    return done;
  };
  type One = { readonly data: EndUser };
  return {
    create: (body: object) => after(api<One>("/users", { method: "POST", body })),
    update: (documentId: string, body: object) => after(api<One>(`/users/${documentId}`, { method: "PUT", body })),
    endSessions: (documentId: string) => after(api(`/users/${documentId}/sessions`, { method: "DELETE" })),
    // What is gone is not read again.
    remove: (documentId: string) => after(api(`/users/${documentId}`, { method: "DELETE" }), LISTS),
  };
}
