import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { RoleChanges, RoleList, RoleView } from "../../../src/wire/roles.js";
import { api } from "../../app/api.js";

const ROLES = ["roles"];

/** The roles, and what can be done with them. */
export function useRoles() {
  const queries = useQueryClient();
  const query = useQuery({ queryKey: ROLES, queryFn: () => api<RoleList>("/roles") });
  const again = async <Answer>(answer: Answer): Promise<Answer> => {
    await queries.invalidateQueries({ queryKey: ROLES });
    return answer;
  };
  /** Of a role of code that the database has nothing of, the first change makes a row. */
  const save = async ({ id, name, version }: RoleView, changes: Partial<RoleChanges>): Promise<RoleView> => {
    const request =
      id === null
        ? api<{ data: RoleView }>("/roles", { method: "POST", body: { name, ...changes } })
        : api<{ data: RoleView }>(`/roles/${id}`, {
            method: "PUT",
            body: changes,
            headers: { "If-Match": version ?? "" },
          });
    const saved = (await request).data;
    // Also where the list cannot be read again now.
    queries.setQueryData(ROLES, (known: RoleList | undefined) => known && withRole(known, saved));
    return again(saved);
  };
  return {
    ...query,
    save,
    make: async (body: RoleChanges) => again((await api<{ data: RoleView }>("/roles", { method: "POST", body })).data),
    remove: async ({ id }: RoleView) => again(await api(`/roles/${id}`, { method: "DELETE" })),
  };
}

const withRole = (list: RoleList, saved: RoleView): RoleList => ({
  ...list,
  data: list.data.map((role) => (role.name === saved.name ? saved : role)),
});
