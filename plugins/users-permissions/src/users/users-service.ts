import { type App, type Document, implement } from "@plinth/core";
import { newSessionVersion, unlimited } from "@plinth/core/access";
import { parseReadParams } from "@plinth/core/reads";
import { hasNul } from "@plinth/core/schema";
import { USER } from "../content-types.js";
import { type Account, type Role, type Roles, roles, type UserChanges, type Users, users } from "../contract.js";
import { UserNotFoundError } from "../errors.js";
import { addressKey, nameKey } from "./name-key.js";

/** Users, kept as documents: hooks and the cache see every change. */
export const usersImpl = implement(users, { deps: { roles }, create: ({ roles }, { app }) => createUsers(app, roles) });

function createUsers(app: App, roles: Roles): Users {
  const documents = () => app.documents(USER);
  const update = async (id: number, changes: UserChanges): Promise<Account | undefined> => {
    const account = await readAccount(app, { id });
    if (!account) return undefined;
    await documents().update({ documentId: account.documentId, data: changes, fields: ["id"] });
    return readAccount(app, { id });
  };
  return {
    findById: (id) => readAccount(app, { id }),
    findByIdentifier: (identifier) =>
      readNamed(app, identifier, { $or: [{ email: identifier.toLowerCase() }, { username: identifier }] }),
    findByEmail: (email) => readNamed(app, email, { email: email.toLowerCase() }),
    findByToken: (field, token) => readNamed(app, token, { [field]: { $eq: token } }),
    isTaken: async (names, except) =>
      (await documents().count({ filters: takenBy(names, except), withPrivate: true })) > 0,
    create: async (values) => {
      const role = values["role"] ?? (await roles.defaultRole()).id;
      const created = await documents().create({ data: { ...values, role }, fields: ["id"] });
      return (await readAccount(app, { id: created.id })) as Account;
    },
    update,
    delete: async (id) => {
      const account = await readAccount(app, { id });
      if (account) await documents().delete({ documentId: account.documentId });
    },
    setPassword: (id, password) => update(id, { password, resetPasswordToken: null }),
    endSessions: (id) => update(id, { sessionVersion: newSessionVersion() }),
    verifyPassword: async (account, password) => app.passwords.matches(password, await readHash(app, account?.id)),
    describe: (id) => describeUser(app, id),
  };
}

/** PostgreSQL has no place for the character U+0000, so no account has a name with it. */
async function readNamed(
  app: App,
  name: string,
  filters: Readonly<Record<string, unknown>>,
): Promise<Account | undefined> {
  return hasNul(name) ? undefined : await readAccount(app, filters);
}

/** Users whose name or address is one of these, or looks like it: a name that is another's address would make logins ambiguous. */
function takenBy(
  { username, email }: { readonly username?: string; readonly email?: string },
  except: number | undefined,
): Readonly<Record<string, unknown>> {
  const names = [username, email?.toLowerCase()].filter((name) => name !== undefined);
  const keys = [username && nameKey(username), email && addressKey(email)].filter((key) => key !== undefined);
  const taken = {
    $or: [
      { username: { $in: names } },
      { email: { $in: names.map((name) => name.toLowerCase()) } },
      { usernameKey: { $in: keys } },
      { emailKey: { $in: keys } },
    ],
  };
  return except === undefined ? taken : { $and: [taken, { id: { $ne: except } }] };
}

/** No user has this id. */
const NO_USER = 0;

/**
 * Documents never show a password's hash, so it is read past them; also without a user, so that the time is the same.
 */
async function readHash({ db, model }: App, id = NO_USER): Promise<string | undefined> {
  const text = `select password from "${model.contentTypes.get(USER)?.table}" where id = $1`;
  const [row] = await db.query<{ password: string | null }>({ text, values: [id], isPlan: true });
  return row?.password ?? undefined;
}

/** @throws PLINTH_USERS_USER_NOT_FOUND (404) */
async function describeUser(app: App, id: number): Promise<Document> {
  const type = app.model.contentTypes.get(USER);
  if (!type) throw new UserNotFoundError({});
  const options = { visibility: "public", ability: unlimited, kind: "list", defaultStatus: "published" } as const;
  const prepared = parseReadParams(app.model, type, { filters: { id } }, options);
  const [user] = (await app.documents(USER).read(prepared)).rows();
  if (!user) throw new UserNotFoundError({});
  return user;
}

/** The user that a filter finds; undefined when there is none. */
export async function readAccount(app: App, filters: Readonly<Record<string, unknown>>): Promise<Account | undefined> {
  const found = await app.documents(USER).findFirst({
    ...{ filters, populate: { role: true }, withPrivate: true },
  });
  return found ? toAccount(found) : undefined;
}

function toAccount(user: Document): Account {
  const role = user["role"] as Document | null;
  return {
    id: user.id,
    documentId: user.documentId,
    username: String(user["username"]),
    email: String(user["email"]),
    provider: String(user["provider"] ?? "local"),
    confirmed: user["confirmed"] === true,
    blocked: user["blocked"] === true,
    sessionVersion: Number(user["sessionVersion"]),
    role: role && toRole(role),
  };
}

/** A role as the plugin's own code sees it. */
export function toRole({ id, documentId, ...role }: Document): Role {
  const description = role["description"] as string | null;
  return { id, documentId, name: String(role["name"]), description, type: String(role["type"]) };
}
