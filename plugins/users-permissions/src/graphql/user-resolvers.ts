import type { App } from "@plinth/core";
import type { ResolverMap } from "@plinth/plugin-graphql";
import { ROLE, USER } from "../content-types.js";
import { type RoleChanges, roles } from "../contract.js";
import { RoleNotFoundError, refused, UserNotFoundError } from "../errors.js";
import { checkOwnChange } from "../rest/controllers.js";
import { createUser, deleteUser, updateUser } from "../rest/write-users.js";

type Data = Readonly<Record<string, unknown>>;
type Create = { readonly data: Data };
type Delete = { readonly id: string };
type Update = Create & Delete;

const OK = { ok: true };

/** Fields that do what the routes about users and roles do. */
export const userResolvers: ResolverMap = {
  Mutation: {
    createUsersPermissionsUser: async (_parent: unknown, { data }: Create, { app, http }) => ({
      data: await createUser(app, data, http.state.actor),
    }),
    updateUsersPermissionsUser: async (_parent: unknown, { id, data }: Update, { app, http }) => {
      const rowId = await findUser(app, id);
      const body = await checkOwnChange(app, http, rowId, data);
      return { data: await updateUser(app, rowId, body, http.state.actor) };
    },
    deleteUsersPermissionsUser: async (_parent: unknown, { id }: Delete, { app, http }) => ({
      data: await deleteUser(app, await findUser(app, id), http.state.actor),
    }),
    createUsersPermissionsRole: async (_parent: unknown, { data }: Create, { app }) => {
      await app.service(roles).create(roleChanges(data));
      return OK;
    },
    updateUsersPermissionsRole: async (_parent: unknown, { id, data }: Update, { app }) => {
      if (!(await app.service(roles).update(await findRole(app, id), roleChanges(data))))
        throw new RoleNotFoundError({});
      return OK;
    },
    deleteUsersPermissionsRole: async (_parent: unknown, { id }: Delete, { app }) => {
      if (!(await app.service(roles).delete(await findRole(app, id)))) throw new RoleNotFoundError({});
      return OK;
    },
  },
};

/** What the input of roles has beside name and description is changed elsewhere. @throws PLINTH_USERS_REFUSED (400) */
function roleChanges({ name, description, ...others }: Data): RoleChanges {
  for (const key of ["permissions", "users", "type"])
    if (others[key] !== undefined)
      throw refused(
        `${key} of a role cannot be set here; permissions are set over REST, and the role of a user with the user`,
      );
  return { ...(typeof name === "string" ? { name } : {}), ...(typeof description === "string" ? { description } : {}) };
}

async function findUser(app: App, id: string): Promise<number> {
  const found = await findRowId(app, USER, id);
  if (found === undefined) throw new UserNotFoundError({});
  return found;
}

async function findRole(app: App, id: string): Promise<number> {
  const found = await findRowId(app, ROLE, id);
  if (found === undefined) throw new RoleNotFoundError({});
  return found;
}

/** Texts of digits are row ids, everything else is a documentId. */
async function findRowId(app: App, uid: string, id: string): Promise<number | undefined> {
  if (/^\d{1,15}$/.test(id)) return Number(id);
  return (await app.documents(uid).findFirst({ filters: { documentId: id }, fields: ["id"] }))?.id;
}
