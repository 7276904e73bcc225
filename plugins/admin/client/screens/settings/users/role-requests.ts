import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { UserRoleChanges, UserRoleDetails, UserRoleList } from "../../../../src/wire/end-users.js";
import { api } from "../../../app/api.js";

/** What a role of administrators has to be granted to change roles of end users. */
export const ROLES_ACTION = "plugin::users-permissions.roles";

const KEY = ["user-roles"];

/** All roles, with the numbers of their users. */
export const useUserRoles = () =>
  useQuery({
    queryKey: [...KEY, "list"],
    queryFn: ({ signal }) => api<UserRoleList>("/user-roles?withCount=true", { signal }),
  });

/** One role and what it may do. */
export const useUserRole = (documentId: string | undefined) =>
  useQuery({
    queryKey: [...KEY, "one", documentId],
    queryFn: ({ signal }) => api<{ readonly data: UserRoleDetails }>(`/user-roles/${documentId}`, { signal }),
    enabled: documentId !== undefined,
    staleTime: 0,
  });

/** What roles can be granted. */
export const useRoleActions = () =>
  useQuery({
    queryKey: ["user-role-actions"],
    queryFn: ({ signal }) => api<{ readonly data: readonly string[] }>("/user-roles/actions", { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Writes of roles; what is shown of them is read again after each. */
export function useRoleWrites() {
  const queries = useQueryClient();
  const after = async <T>(work: Promise<T>, parts: readonly string[]): Promise<T> => {
    const done = await work;
    await Promise.all(parts.map((part) => queries.invalidateQueries({ queryKey: [...KEY, part] })));
    return done;
  };
  const lists = ["list", "choices"];
  type One = { readonly data: UserRoleDetails };
  return {
    create: (body: UserRoleChanges) => after(api<One>("/user-roles", { method: "POST", body }), lists),
    update: (documentId: string, body: UserRoleChanges) =>
      after(api<One>(`/user-roles/${documentId}`, { method: "PUT", body }), [...lists, "one"]),
    // What is gone is not read again.
    remove: (documentId: string) => after(api(`/user-roles/${documentId}`, { method: "DELETE" }), lists),
  };
}
