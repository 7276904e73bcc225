import { type App, type RegisterContext, resolveActor, transformInput, writeHooks } from "@plinth/core";
import { beforeGrant, type Grant, newSessionVersion, transformGrantProblems } from "@plinth/core/access";
import { type Administrators, administrators, LoginRefusedError } from "@plinth/plugin-api-tokens";
import { assertPassword } from "../accounts/password-rules.js";
import type { AdminConfig } from "../config.js";
import { ADMINISTRATOR_TYPE, extendAdministrator } from "../content-types/administrator.js";
import { PREFERENCE_TYPE } from "../content-types/preference.js";
import { ROLE_TYPE } from "../content-types/role.js";
import { SESSION_TYPE } from "../content-types/session.js";
import { VIEW_TYPE } from "../content-types/view.js";
import { WORKING_COPY_TYPE } from "../content-types/working-copy.js";
import { InvalidRequestError } from "../errors.js";
import { ADMINISTRATORS_ONLY } from "../contract.js";
import { previews } from "../preview/previews.js";
import { confirmBearer } from "../second-factor/confirm-bearer.js";
import { secondFactors } from "../second-factor/second-factors.js";
import { createGate } from "./gate.js";
import { SUPER } from "./given-roles.js";
import { CHANNEL, EVERY } from "./known-sessions.js";
import { roles } from "./roles.js";

/** What ends the sessions of an administrator when it changes. */
const ENDING = ["password", "role", "isActive"];

/** Takes the administrators of api-tokens over: their content-type, their bearers, and the policy on their routes. */
export function registerAccess({ app, config, on, registry, strategy, wrap }: RegisterContext<AdminConfig>): void {
  strategy("preview", { name: "preview", authenticate: (bearer) => app.service(previews).authenticate(bearer) });
  registry("content-type").extend(ADMINISTRATOR_TYPE, extendAdministrator);
  registry("policy").wrap(ADMINISTRATORS_ONLY, (byBearer) => createGate(app, byBearer));
  wrap(administrators, (inner) => withRoles(app, config, inner));
  on(resolveActor, ({ kind, id }) =>
    kind === "admin" && id !== undefined ? app.service(roles).recall(id) : undefined,
  );
  on(transformInput, (data, { uid, operation }) =>
    uid === ADMINISTRATOR_TYPE && operation === "update" ? endSessions(data) : data,
  );
  // An administrator without an account is an API token of the type admin, which may do everything.
  on(beforeGrant, ({ actor: { kind, user }, grant, holder }) =>
    kind === "admin" && user ? app.service(roles).assertCovers(user, grant, holder) : undefined,
  );
  on(transformGrantProblems, (problems) => [...problems, ...app.service(roles).problems()]);
  on(transformInput, async (data, { uid, documentId }) => {
    if (uid === ROLE_TYPE) await assertRole(app, data, documentId);
    return data;
  });
  on(writeHooks.delete.after, ({ documentId }) => forgetAccount(app, documentId), { about: [ADMINISTRATOR_TYPE] });
  for (const { after } of [writeHooks.create, writeHooks.update, writeHooks.delete])
    on(after, () => app.db.messages.publish(CHANNEL, EVERY), { about: [ADMINISTRATOR_TYPE, ROLE_TYPE] });
}

/** Administrators with roles: an inactive one is not recognised, passwords follow the rules, and bearers take the second factor, too. */
function withRoles(app: App, config: AdminConfig, inner: Administrators): Administrators {
  return {
    ...inner,
    create: async (email, password) => {
      assertPassword(config, password, { email });
      return await inner.create(email, password);
    },
    setPassword: async (email, password) => {
      assertPassword(config, password, { email });
      return await inner.setPassword(email, password);
    },
    authenticate: async (attempt) => {
      const user = await inner.authenticate(attempt);
      if (!(await app.service(roles).actorOf(user))) throw new LoginRefusedError({});
      return user;
    },
    confirm: (user, proof) => confirmBearer(app, user, proof),
    ofSession: async (jwt) => {
      const actor = await inner.ofSession(jwt);
      if (!actor?.user || (await app.service(secondFactors).mustSetUp(actor.user))) return undefined;
      return await app.service(roles).actorOf(actor.user);
    },
  };
}

/** Of an administrator who is gone: no other account gets their id, and what is theirs alone would stay for ever. */
async function forgetAccount(app: App, documentId: string): Promise<void> {
  await app.service(secondFactors).forget({ documentId });
  const forget = async (uid: string, where = "") => {
    const text = `delete from "${app.model.contentTypes.get(uid)?.table}" where account = $1${where}`;
    await app.db.query({ text, values: [documentId] });
  };
  for (const uid of [SESSION_TYPE, WORKING_COPY_TYPE, PREFERENCE_TYPE]) await forget(uid);
  // What they shared is of use to others.
  await forget(VIEW_TYPE, " and not is_shared");
}

/** Sessions and bearers name the version with which they were opened. */
function endSessions(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (Object.hasOwn(data, "sessionVersion") || !ENDING.some((name) => Object.hasOwn(data, name))) return data;
  return { ...data, sessionVersion: newSessionVersion() };
}

/** @throws PLINTH_ADMIN_INVALID (400) */
async function assertRole(
  app: App,
  data: Readonly<Record<string, unknown>>,
  documentId: string | undefined,
): Promise<void> {
  const known = documentId === undefined ? null : await app.documents(ROLE_TYPE).findOne({ documentId });
  const { name, grant } = { ...known, ...data };
  const isSuper = name === SUPER ? [{ path: "name", message: "is that of the role that may do everything" }] : [];
  const problems =
    data["grant"] === undefined ? [] : app.service(roles).problemsOfAddition(String(name), grant as Grant, "grant");
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
