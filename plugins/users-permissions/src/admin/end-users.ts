import {
  type Ability,
  type Actor,
  type App,
  type Document,
  isPlinthError,
  type ServiceRef,
  serviceRef,
} from "@plinth/core";
import { allowAction, onAct } from "@plinth/core/access";
import { type EndpointAnswer, originOf, type RequestInfo } from "@plinth/core/http";
import { type Limits, parseReadParams } from "@plinth/core/reads";
import type { Attribute, ContentType } from "@plinth/core/schema";
import { checkQuery } from "@plinth/plugin-content-api";
import type { EndUserAttributes, EndUserList, EndUserSessions, TypeDescriber } from "@plinth/plugin-admin";
import { ROLE, USER, userType } from "../content-types.js";
import { type Account, type SessionInfo, sessions, users } from "../contract.js";
import { UserNotFoundError } from "../errors.js";
import { createUser, deleteUser, updateUser } from "../rest/write-users.js";
import { readAccount } from "../users/users-service.js";

/** How attributes are shown, from the plugin admin by its name alone: it need not be installed. */
const describer: ServiceRef<TypeDescriber> = serviceRef<TypeDescriber>("plugin::admin.model-views");

/** Never counted: the first rows do not wait for it. */
const LIMITS: Limits = { defaultLimit: 25, maxLimit: 100, withCount: false };
const ROLE_SHOWN = { role: { fields: ["documentId", "name", "type"] } };

/** Attributes that every app has. */
const OWN: ReadonlySet<string> = new Set(Object.keys(userType.attributes ?? {}));

/** Newest first, by the index that every table has. */
const NEWEST_FIRST = "id:desc";

/**
 * `GET /admin/api/users?_q&filters&sort&pagination`: pages by cursor.
 *
 * @throws PLINTH_QUERY_*, PLINTH_REST_* (400)
 */
export async function listEndUsers(app: App, { actor, query }: RequestInfo): Promise<EndpointAnswer> {
  checkQuery(query, { isList: true, isStrict: true });
  const { _q, filters, sort = NEWEST_FIRST, pagination = {} } = query;
  const paged = Object.hasOwn(Object(pagination) as object, "cursor") ? {} : { cursor: "*" };
  const params = { _q, filters, sort, pagination: { ...paged, ...Object(pagination) }, populate: ROLE_SHOWN };
  const options = { ...readingOf(actor), kind: "list", limits: LIMITS, budget: app.readBudget } as const;
  const prepared = parseReadParams(app.model, typeOf(app), params, options);
  const result = await app.documents(USER).read(prepared);
  const { pageSize = LIMITS.defaultLimit } = Object(prepared.pagination) as { readonly pageSize?: number };
  const meta = { pagination: { pageSize, nextCursor: result.nextCursor ?? null } };
  const body: EndUserList = { data: result.rows() as unknown as EndUserList["data"], meta };
  return { status: 200, body };
}

/**
 * `GET /admin/api/users/attributes`: those that the app added, which a form shows beside the plugin's own. A relation to what the
 * caller may not find is none of them, as it can neither be read nor written.
 */
export async function listUserAttributes(app: App, { actor }: RequestInfo): Promise<EndpointAnswer> {
  const views = app.has("admin") ? app.service(describer).attributesOf(USER) : {};
  const attributes = typeOf(app).attributes;
  const added = Object.entries(views).filter(
    ([name]) => !OWN.has(name) && isOffered(attributes.get(name), abilityOf(actor)),
  );
  const { minLength } = app.plugin("users-permissions").config.passwords;
  const body: EndUserAttributes = { data: Object.fromEntries(added), meta: { minPasswordLength: minLength } };
  return { status: 200, body };
}

/** `GET /admin/api/users/:documentId`. @throws PLINTH_USERS_USER_NOT_FOUND (404) */
export async function getEndUser(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const data = await read(app, idOf(request), request.actor);
  if (!data) throw new UserNotFoundError({});
  return { status: 200, body: { data } };
}

/**
 * `POST /admin/api/users`.
 *
 * @throws PLINTH_USERS_BODY_INVALID, PLINTH_USERS_REFUSED, PLINTH_DOCUMENT_*, PLINTH_INPUT_* (400), PLINTH_ADMIN_GRANTS_MORE (403)
 */
export async function createEndUser(app: App, { body, actor }: RequestInfo): Promise<EndpointAnswer> {
  const ids = await withDetails(() => createUser(app, body, allowed(actor)));
  return { ...(await answerOf(app, ids, actor)), status: 201 };
}

/** `PUT /admin/api/users/:documentId`: what is named changes; a password and `blocked: true` end all sessions. @throws as above, 404 */
export async function updateEndUser(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const account = await accountOf(app, request);
  await withDetails(() => updateUser(app, account.id, request.body, allowed(request.actor)));
  return await answerOf(app, account, request.actor);
}

/** `DELETE /admin/api/users/:documentId`. @throws PLINTH_USERS_USER_NOT_FOUND (404), PLINTH_ADMIN_GRANTS_MORE (403) */
export async function deleteEndUser(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  await deleteUser(app, (await accountOf(app, request)).id, allowed(request.actor));
  return { status: 204 };
}

/** `GET /admin/api/users/:documentId/sessions`: those that are not over, in refresh mode. @throws PLINTH_USERS_USER_NOT_FOUND (404) */
export async function listUserSessions(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const account = await accountOf(app, request);
  const service = app.service(sessions);
  const body: EndUserSessions = {
    data: service.isEnabled ? (await service.list(account)).map(shownSession) : [],
    meta: { isListed: service.isEnabled },
  };
  return { status: 200, body };
}

const shownSession = ({ id, deviceName = "Unknown device", loginAt }: SessionInfo) => ({ id, deviceName, loginAt });

/** `DELETE /admin/api/users/:documentId/sessions`: tokens of before are refused everywhere, at once. @throws PLINTH_USERS_USER_NOT_FOUND (404) */
export async function endUserSessions(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const { id, documentId } = await accountOf(app, request);
  await app.db.transaction(async () => {
    await app.service(users).endSessions(id);
    const subject = { uid: USER, documentId };
    const origin = originOf(request.context);
    await app.hooks.notify(onAct, { action: "auth.session-end", result: "accepted", origin, subject });
  });
  return { status: 204 };
}

/** Attributes that are private stay so: no caller reads a password, a code or a session version. */
const readingOf = (actor: Actor) =>
  ({ visibility: "public", ability: abilityOf(actor), action: `${USER}.find`, defaultStatus: "published" }) as const;

type Ids = Pick<Document, "id" | "documentId">;

/** What a write answers: the user as the caller may read it; of one that is out of reach from now on, the ids. */
async function answerOf(app: App, { id, documentId }: Ids, actor: Actor): Promise<EndpointAnswer> {
  return { status: 200, body: { data: (await read(app, documentId, actor)) ?? { id, documentId } } };
}

async function read(app: App, documentId: string, actor: Actor): Promise<Document | undefined> {
  const options = { ...readingOf(actor), kind: "one", documentId, budget: app.readBudget } as const;
  const params = { populate: { ...ROLE_SHOWN } };
  const [found] = (await app.documents(USER).read(parseReadParams(app.model, typeOf(app), params, options))).rows();
  return found;
}

const idOf = ({ params }: RequestInfo): string => params["documentId"] ?? "";

/** @throws PLINTH_USERS_USER_NOT_FOUND (404), for one whom the caller may not find, too */
async function accountOf(app: App, request: RequestInfo): Promise<Account> {
  const documentId = idOf(request);
  const account = (await read(app, documentId, request.actor)) && (await readAccount(app, { documentId }));
  if (!account) throw new UserNotFoundError({});
  return account;
}

/** What the action of the routes stands for: users, and which role they have. */
const OF_USERS: readonly string[] = [
  ...["find", "create", "update", "delete"].map((name) => `${USER}.${name}`),
  `${ROLE}.find`,
];

/** The caller's own ability, and what the action stands for: documents that an app links to users go by what else the role may do. */
const abilityOf = ({ ability }: Actor): Ability => OF_USERS.reduce(allowAction, ability);

const allowed = (actor: Actor): Actor => ({ ...actor, ability: abilityOf(actor) });

function isOffered(attribute: Attribute | undefined, ability: Ability): boolean {
  if (attribute?.isPrivate) return false;
  return attribute?.kind !== "relation" || attribute.target === undefined || ability.can(`${attribute.target}.find`);
}

/** The content API says in one sentence what documents refuse; a form needs to know of which field it is. */
async function withDetails<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isPlinthError(error) && isPlinthError(error.cause) ? error.cause : error;
  }
}

/** @throws PLINTH_USERS_USER_NOT_FOUND (404) in an app that has taken the type away */
function typeOf({ model }: App): ContentType {
  const type = model.contentTypes.get(USER);
  if (!type) throw new UserNotFoundError({});
  return type;
}
