import { type Actor, type App, type Document, isPlinthError, type QueryObject } from "@plinth/core";
import { allowAction } from "@plinth/core/access";
import { newUserBody, userBody } from "../body/bodies.js";
import { checkBody, isRecord } from "../body/check-body.js";
import { USER } from "../content-types.js";
import { type Users, users } from "../contract.js";
import { BodyInvalidError, refused, UserNotFoundError } from "../errors.js";
import { findDocumentId, readUser } from "./read-users.js";

/** Keys that cannot be written over REST: those of the server, and the secrets of sign-ins. */
const SERVERS_OWN: ReadonlySet<string> = new Set([
  ...["id", "documentId", "createdAt", "updatedAt", "publishedAt", "createdBy", "updatedBy", "locale"],
  ...["resetPasswordToken", "confirmationToken", "sessionVersion"],
]);

// Each checks no action itself: its route and its mutation have, by names of their own.

/**
 * Makes a user from the body of a request.
 *
 * @returns the user as the writer may read it, with the role.
 * @throws PLINTH_USERS_BODY_INVALID, PLINTH_USERS_REFUSED (400)
 * @source plugins/content-api/WIRE.md#users-and-roles
 */
export async function createUser(app: App, body: unknown, actor: Actor): Promise<Document> {
  const ability = allowAction(actor.ability, `${USER}.create`);
  const { email, username } = checkBody(body, newUserBody, "later");
  const service = app.service(users);
  if (await service.isTaken({ email })) throw refused("Email already taken");
  if (await isAnAddress(service, username)) throw refused("Username already taken");
  const data = attributesOf(app, body);
  return await asRefusal(() =>
    app.documents(USER).create({ data, visibility: "public", ability, populate: { role: true } }),
  );
}

/**
 * Changes a user by the body of a request; unknown keys have no effect.
 *
 * @returns the user as the writer may read it, with the role.
 * @throws PLINTH_USERS_USER_NOT_FOUND (404), PLINTH_USERS_BODY_INVALID, PLINTH_USERS_REFUSED (400)
 * @source plugins/content-api/WIRE.md#users-and-roles
 */
export async function updateUser(app: App, id: number, body: unknown, actor: Actor): Promise<Document> {
  const ability = allowAction(actor.ability, `${USER}.update`);
  const { email, username } = checkBody(body, userBody, "later");
  const service = app.service(users);
  const account = await service.findById(id);
  // Before anything is compared with other users: what is out of reach is answered like what is not there.
  const reached = await readUser(app, id, ID_ONLY, { ability, action: "update" });
  if (!account || !reached) throw new UserNotFoundError({});
  const { documentId } = account;
  const data = attributesOf(app, body);
  const isNew = { username: username !== account.username, email: email?.toLowerCase() !== account.email };
  if (username !== undefined && isNew.username && (await service.isTaken({ username }, id)))
    throw refused("Username already taken");
  if (email !== undefined && isNew.email && (await service.isTaken({ email }, id)))
    throw refused("Email already taken");
  const update = async () => {
    const write = { documentId, data, visibility: "public", ability, ...ID_ONLY } as const;
    if (!(await asRefusal(() => app.documents(USER).update(write)))) throw new UserNotFoundError({});
    return await answerTo(app, { id, documentId }, actor, { populate: { role: true } });
  };
  // A password waits for its turn to be hashed: without a connection, unless a role has to be checked afterwards.
  if (!Object.hasOwn(data, "role")) return await update();
  return await app.db.transaction(async () => {
    const updated = await update();
    await assertHasRole(service, id);
    return updated;
  });
}

/**
 * Deletes a user. The route's action is `destroy`; a rule on `delete` of users says which ones it reaches.
 *
 * @returns the user as the writer may read it; of one that they may not, the ids.
 * @throws PLINTH_USERS_USER_NOT_FOUND (404) for a user that is not there or out of reach
 */
export async function deleteUser(app: App, id: number, actor: Actor): Promise<Document> {
  const documentId = await findDocumentId(app, id);
  if (documentId === undefined) throw new UserNotFoundError({});
  return await app.db.transaction(async () => {
    const answer = await answerTo(app, { id, documentId }, actor, {});
    const ability = allowAction(actor.ability, `${USER}.delete`);
    const { entries } = await app.documents(USER).delete({ documentId, ability, ...ID_ONLY });
    if (entries.length === 0) throw new UserNotFoundError({});
    return answer;
  });
}

type Ids = Pick<Document, "id" | "documentId">;

const ID_ONLY = { fields: ["id"] } as const;

/** What a write answers: the user as the actor may read it (themselves by `me` as well), else the ids. */
async function answerTo(app: App, ids: Ids, { ability, user }: Actor, query: QueryObject): Promise<Document> {
  const actions = ["findOne", "find", ...(user?.id === ids.id ? ["me" as const] : [])] as const;
  const action = actions.find((name) => ability.can(`${USER}.${name}`));
  return (action && (await readUser(app, ids.id, query, { ability, action }))) ?? ids;
}

function attributesOf({ model }: App, body: unknown): Readonly<Record<string, unknown>> {
  const attributes = model.contentTypes.get(USER)?.attributes;
  const entries = Object.entries(isRecord(body) ? body : {});
  return Object.fromEntries(entries.filter(([key]) => attributes?.has(key) && !SERVERS_OWN.has(key)));
}

/** Two users of one name are found by the database; one whose name is another's address would sign in as both. */
async function isAnAddress(service: Users, username: string): Promise<boolean> {
  return username.includes("@") && (await service.isTaken({ email: username }));
}

/** @throws PLINTH_USERS_BODY_INVALID (400) for a user whose last role was taken away */
async function assertHasRole(service: Users, id: number): Promise<void> {
  if ((await service.findById(id))?.role) return;
  const message = "role is a required field";
  throw new BodyInvalidError({ errors: [{ path: ["role"], message, name: "ValidationError" }] });
}

/** What documents refuse is said in one sentence here. @source plugins/content-api/WIRE.md#users-and-roles */
async function asRefusal<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    if (isPlinthError(cause) && cause.status === 400) throw refused(cause.message, { cause });
    throw cause;
  }
}
