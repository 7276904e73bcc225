import { type App, type Document, ForbiddenError, snakeCase } from "@plinth/core";
import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import { parseOptions } from "@plinth/core/options";
import type * as v from "@plinth/core/valibot";
import type { UserRole, UserRoleDetails, UserRoleList } from "@plinth/plugin-admin";
import { ROLE } from "../content-types.js";
import { roles } from "../contract.js";
import { BodyInvalidError, refused, RoleNotFoundError } from "../errors.js";
import { PUBLIC, ROLES_LOCK } from "../roles/default-roles.js";
import { buildTree, listKnownActions } from "../roles/permission-tree.js";
import { listStored } from "../roles/stored-permissions.js";
import { toRole } from "../users/users-service.js";
import { assertMayGiveActions, assertMayGiveRole } from "./assert-may-give-role.js";
import { newUserRoleBody, userRoleBody } from "./bodies.js";
import { codeGrantsOf } from "./code-grants.js";

const EITHER = ["plugin::users-permissions.users", "plugin::users-permissions.roles"];

/**
 * `GET /admin/api/user-roles?withCount=true`. Who gives users a role has to see which there are.
 *
 * @throws PLINTH_ACCESS_FORBIDDEN (403), PLINTH_USERS_REFUSED (400)
 */
export async function listUserRoles(app: App, { actor, query: { withCount } }: RequestInfo): Promise<EndpointAnswer> {
  if (actor.user && !EITHER.some((action) => actor.ability.can(action))) throw new ForbiddenError({});
  if (withCount !== undefined && withCount !== "true" && withCount !== "false")
    throw refused("withCount must be true or false");
  const isCounted = withCount === "true";
  const found = isCounted ? await app.service(roles).list() : await app.documents(ROLE).findMany({ sort: "id" });
  const { defaultRole } = app.plugin("users-permissions").config;
  const body: UserRoleList = { data: found.map((role) => viewOf(role, defaultRole)) };
  return { status: 200, body };
}

/** `GET /admin/api/user-roles/actions`: what roles can be granted, in the order of their owners. */
export async function listRoleActions(app: App): Promise<EndpointAnswer> {
  return { status: 200, body: { data: listKnownActions(app) } };
}

/** `GET /admin/api/user-roles/:documentId`. @throws PLINTH_USERS_ROLE_NOT_FOUND (404) */
export async function getUserRole(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  return await answerOf(app, await roleOf(app, request));
}

/** `POST /admin/api/user-roles`. @throws PLINTH_USERS_BODY_INVALID, PLINTH_USERS_REFUSED (400), PLINTH_ADMIN_GRANTS_MORE (403) */
export async function createUserRole(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const { name, description, grant = [] } = readBody(newUserRoleBody, request.body);
  const permissions = buildTree(grant, { can: () => true, isFromCode: () => false });
  const made = await app.db.transaction(async () => {
    await app.db.lock(ROLES_LOCK);
    await app.service(roles).create({ name, ...(description ? { description } : {}), permissions });
    const role = await app.documents(ROLE).findFirst({ filters: { type: snakeCase(name) } });
    if (!role) throw new RoleNotFoundError({});
    await assertMayGiveRole(app, request.actor, toRole(role));
    return role;
  });
  return { ...(await answerOf(app, made)), status: 201 };
}

/**
 * `PUT /admin/api/user-roles/:documentId`: what is named changes, so that two who change a role at once lose nothing.
 *
 * @throws PLINTH_USERS_ROLE_NOT_FOUND (404), PLINTH_USERS_BODY_INVALID, PLINTH_USERS_REFUSED (400), PLINTH_ADMIN_GRANTS_MORE (403)
 */
export async function updateUserRole(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const { grant = [], revoke = [], name, description } = readBody(userRoleBody, request.body);
  const named = { ...(name === undefined ? {} : { name }), ...(description === undefined ? {} : { description }) };
  const updated = await app.db.transaction(async () => {
    await app.db.lock(ROLES_LOCK);
    // Over REST the whole tree is replaced, which asks for this lock as well.
    await app.documents(ROLE).lock(request.params["documentId"] ?? "");
    const role = await roleOf(app, request);
    await assertMayGiveRole(app, request.actor, toRole(role));
    const next = new Set([...(await listStored(app, role.id)), ...grant]);
    for (const action of revoke) next.delete(action);
    const can = (action: string) => next.has(action);
    const permissions = buildTree([...new Set([...next, ...revoke])], { can, isFromCode: () => false });
    const changes = { ...(named as { name?: string; description?: string }), permissions };
    // What is no action is refused for that.
    const actions = listKnownActions(app).filter(can);
    await assertMayGiveActions(app, request.actor, toRole(role), actions);
    await app.service(roles).update(role.id, changes);
    return await roleOf(app, request);
  });
  return await answerOf(app, updated);
}

/**
 * `DELETE /admin/api/user-roles/:documentId`: its users become `public`.
 *
 * @throws PLINTH_USERS_ROLE_NOT_FOUND (404), PLINTH_USERS_REFUSED (400), PLINTH_ADMIN_GRANTS_MORE (403)
 */
export async function deleteUserRole(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  await app.db.transaction(async () => {
    await app.db.lock(ROLES_LOCK);
    const role = await roleOf(app, request);
    await assertMayGiveRole(app, request.actor, toRole(role));
    if (!(await app.service(roles).delete(role.id))) throw new RoleNotFoundError({});
  });
  return { status: 204 };
}

/** @throws PLINTH_USERS_ROLE_NOT_FOUND (404) */
async function roleOf(app: App, { params }: RequestInfo): Promise<Document> {
  const found = await app.documents(ROLE).findOne({ documentId: params["documentId"] ?? "" });
  if (!found) throw new RoleNotFoundError({});
  return found;
}

async function answerOf(app: App, role: Document): Promise<EndpointAnswer> {
  const { defaultRole } = app.plugin("users-permissions").config;
  const data: UserRoleDetails = {
    ...viewOf(role, defaultRole),
    stored: [...(await listStored(app, role.id))].sort(),
    byCode: codeGrantsOf(app, String(role["type"]), listKnownActions(app)),
  };
  return { status: 200, body: { data } };
}

/** Named one by one, so that nothing else of the row can get out. */
function viewOf(role: Document & { readonly nb_users?: number }, defaultType: string): UserRole {
  const type = String(role["type"]);
  return {
    ...{ documentId: role.documentId, name: String(role["name"]), type },
    description: role["description"] as string | null,
    ...{ isPublic: type === PUBLIC, isDefault: type === defaultType },
    ...(role.nb_users === undefined ? {} : { users: role.nb_users }),
  };
}

/** @throws PLINTH_USERS_BODY_INVALID (400) with every problem */
function readBody<T>(schema: v.GenericSchema<unknown, T>, body: unknown): T {
  const { value, problems } = parseOptions(schema, body, "");
  if (!problems) return value as T;
  const errors = problems.map(({ path, message }) => ({ path: path.split("."), message: `${path} ${message}` }));
  throw new BodyInvalidError({ errors: errors.map((error) => ({ ...error, name: "ValidationError" })) });
}
