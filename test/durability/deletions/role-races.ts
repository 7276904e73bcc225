// Races with the deletion of roles: of end users, and of administrators.
import { type Deletion, made } from "./race.js";
import type { Site } from "./site.js";

const PASSWORD = "Analytical-1";
const UPDATE_USER = `mutation ($id: ID!, $data: UsersPermissionsUserInput!) { updateUsersPermissionsUser(id: $id, data: $data) { data { documentId } } }`;
const DELETE_ROLE = `mutation ($id: ID!) { deleteUsersPermissionsRole(id: $id) { ok } }`;

async function makeUser({ rest }: Site, name: string, role: number) {
  const values = { username: name, email: `${name}@example.com`, password: PASSWORD, role };
  return made(await rest("POST", "/users", values));
}

async function makeRole({ rest, rows }: Site, name: string) {
  made(await rest("POST", "/users-permissions/roles", { name, description: name, permissions: {} }));
  const found = await rows(`select id::int, document_id as "documentId" from up_roles where name = '${name}'`);
  return found[0] as { readonly id: number; readonly documentId: string };
}

/** What a role may do, as REST takes it. */
const PERMISSIONS = { "api::topic": { controllers: { topic: { find: { enabled: true } } } } };

/** A role of end users. */
export const userRole: Deletion = {
  what: "a role of end users that is deleted",
  ways: ["rest", "graphql", "admin"],
  prepare: async (site, way, round) => {
    const { rest, graphql, admin, rows } = site;
    const name = `${way} ${round}`;
    const role = await makeRole(site, name);
    const [{ id: publicId }] = (await rows("select id::int from up_roles where type = 'public'")) as [{ id: number }];
    const users: { readonly id: number; readonly documentId: string }[] = [];
    for (const each of ["a", "b", "c"]) users.push(await makeUser(site, `${way}-${round}-${each}`, publicId));
    const [byRest, byGraphql, byAdmin] = users as [(typeof users)[0], (typeof users)[0], (typeof users)[0]];
    const has = await makeUser(site, `${way}-${round}-has`, role.id);
    const email = (letter: string) => ({
      username: `new ${name} ${letter}`,
      email: `new-${way}-${round}-${letter}@example.com`,
    });
    return {
      remove: () =>
        way === "rest"
          ? rest("DELETE", `/users-permissions/roles/${role.id}`)
          : way === "graphql"
            ? graphql(DELETE_ROLE, { id: role.id })
            : admin("DELETE", `/api/user-roles/${role.documentId}`),
      writes: {
        "a change of a user over REST": () => rest("PUT", `/users/${byRest.id}`, { role: role.id }),
        "a new user over REST": () => rest("POST", "/users", { ...email("d"), password: PASSWORD, role: role.id }),
        "a change of a user over GraphQL": () =>
          graphql(UPDATE_USER, { id: byGraphql.id, data: { role: role.documentId } }),
        "a change of a user on the admin page": () =>
          admin("PUT", `/api/users/${byAdmin.documentId}`, { role: role.documentId }),
        "a new user on the admin page": () =>
          admin("POST", "/api/users", { ...email("e"), password: PASSWORD, role: role.documentId }),
        "a change of a user who has it": () => rest("PUT", `/users/${has.id}`, { role: role.id, blocked: false }),
        "a change of the role over REST": () =>
          rest("PUT", `/users-permissions/roles/${role.id}`, { permissions: PERMISSIONS }),
        "a change of the role on the admin page": () =>
          admin("PUT", `/api/user-roles/${role.documentId}`, { grant: ["api::topic.topic.findOne"] }),
      },
    };
  },
  leftovers: `select 'user ' || username as left_behind from up_users u where not exists (select from up_roles r where r.document_id = u.role)
    union all select 'permission ' || action from up_permissions p where not exists (select from up_roles r where r.document_id = p.role)`,
};
