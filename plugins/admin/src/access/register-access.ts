import { type App, type RegisterContext, resolveActor, transformInput, writeHooks } from "@plinth/core";
import { type Grant, transformGrantProblems } from "@plinth/core/access";
import { administrators, LoginRefusedError } from "@plinth/plugin-api-tokens";
import type { AdminConfig } from "../config.js";
import { ADMINISTRATOR_TYPE, extendAdministrator } from "../content-types/administrator.js";
import { ROLE_TYPE } from "../content-types/role.js";
import { InvalidRequestError } from "../errors.js";
import { ADMINISTRATORS_ONLY } from "../contract.js";
import { previews } from "../preview/previews.js";
import { createGate } from "./gate.js";
import { SUPER } from "./given-roles.js";
import { CHANNEL, EVERY } from "./known-sessions.js";
import { roles } from "./roles.js";

/** What ends the sessions of an administrator when it changes. */
const ENDING = ["password", "role", "isActive"];

/** Takes the administrators of api-tokens over: their content-type, their bearers, and the policy on their routes. */
export function registerAccess({ app, on, registry, strategy, wrap }: RegisterContext<AdminConfig>): void {
  strategy("preview", { name: "preview", authenticate: (bearer) => app.service(previews).authenticate(bearer) });
  registry("content-type").extend(ADMINISTRATOR_TYPE, extendAdministrator);
  registry("policy").wrap(ADMINISTRATORS_ONLY, (byBearer) => createGate(app, byBearer));
  wrap(administrators, (inner) => ({
    ...inner,
    authenticate: async (attempt) => {
      const user = await inner.authenticate(attempt);
      if (!(await app.service(roles).actorOf(user))) throw new LoginRefusedError({});
      return user;
    },
    ofSession: async (jwt) => {
      const actor = await inner.ofSession(jwt);
      return actor?.user && app.service(roles).actorOf(actor.user);
    },
  }));
  on(resolveActor, ({ kind, id }) =>
    kind === "admin" && id !== undefined ? app.service(roles).recall(id) : undefined,
  );
  on(transformInput, (data, { uid, operation, documentId }) =>
    uid === ADMINISTRATOR_TYPE && operation === "update" && documentId !== undefined
      ? endSessions(app, documentId, data)
      : data,
  );
  on(transformGrantProblems, (problems) => [...problems, ...app.service(roles).problems()]);
  on(transformInput, (data, { uid }) => {
    if (uid === ROLE_TYPE) assertRole(app, data);
    return data;
  });
  for (const { after } of [writeHooks.create, writeHooks.update, writeHooks.delete])
    on(after, () => app.db.messages.publish(CHANNEL, EVERY), { about: [ADMINISTRATOR_TYPE, ROLE_TYPE] });
}

/** Sessions and bearers name the version with which they were opened. */
async function endSessions(
  app: App,
  documentId: string,
  data: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  if (Object.hasOwn(data, "sessionVersion") || !ENDING.some((name) => Object.hasOwn(data, name))) return data;
  const found = await app.documents(ADMINISTRATOR_TYPE).findOne({ documentId });
  return found ? { ...data, sessionVersion: Number(found["sessionVersion"]) + 1 } : data;
}

/** @throws PLINTH_ADMIN_INVALID (400) */
function assertRole(app: App, { name, grant }: Readonly<Record<string, unknown>>): void {
  const isSuper = name === SUPER ? [{ path: "name", message: "is that of the role that may do everything" }] : [];
  const problems = grant === undefined ? [] : app.service(roles).problemsOf(grant as Grant, "grant");
  const errors = [...isSuper, ...problems];
  if (errors.length > 0) throw new InvalidRequestError({ errors });
}

/** Administrators who were made before this plugin was enabled may do everything. */
export async function promoteAdministrators({ db, model }: App): Promise<void> {
  const table = model.contentTypes.get(ADMINISTRATOR_TYPE)?.table;
  const text = `update "${table}" set role = coalesce(role, 'super'), is_active = coalesce(is_active, true)
    where role is null or is_active is null`;
  await db.query({ text, values: [] });
}
