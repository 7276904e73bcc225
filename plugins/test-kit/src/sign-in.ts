import { randomBytes } from "node:crypto";
import type { App } from "@plinth/core";
import type { NewToken } from "@plinth/plugin-api-tokens";
import type { Account, Role } from "@plinth/plugin-users-permissions";
import { PersonUnknownError, PluginNeededError } from "./errors.js";

/** A new user with a role, an existing user, or the holder of a new API token. */
export type Person =
  /** `type` of the role: `authenticated`. */
  | { readonly role: string }
  /** Username, e-mail address or row id. */
  | { readonly user: string | number }
  /** A kind of token, `"read-only"` or `"full-access"`, or the actions of a custom one. */
  | { readonly token: "read-only" | "full-access" | NonNullable<NewToken["permissions"]> };

/**
 * Signs in without the login, which would compare passwords.
 *
 * @returns the bearer
 * @throws PLINTH_TESTKIT_PLUGIN_NEEDED, PLINTH_TESTKIT_PERSON_UNKNOWN, PLINTH_TOKENS_INVALID
 */
export async function signIn(app: App, person: Person): Promise<string> {
  if ("token" in person) return await issueToken(app, person.token);
  if ("role" in person) return await bearerOf(app, await createUser(app, person.role));
  return await bearerOf(app, await findUser(app, person.user));
}

async function issueToken(app: App, token: Extract<Person, { readonly token: unknown }>["token"]): Promise<string> {
  assertPlugin(app, "api-tokens", "An API token");
  const name = `test ${randomBytes(8).toString("hex")}`;
  const values: NewToken =
    typeof token === "string" ? { name, type: token } : { name, type: "custom", permissions: token };
  return (await app.service("plugin::api-tokens.tokens").create(values)).accessKey;
}

async function createUser(app: App, type: string): Promise<Account> {
  assertPlugin(app, "users-permissions", "A role");
  const roles = (await app.service("plugin::users-permissions.roles").list()) as readonly unknown[] as readonly Role[];
  const role = roles.find((known) => known.type === type);
  if (!role) throw new PersonUnknownError({ kind: "role", name: type, known: roles.map((known) => known.type) });
  const username = `${type}-${randomBytes(4).toString("hex")}`;
  const email = `${username}@example.com`;
  const users = app.service("plugin::users-permissions.users");
  return await users.create({ username, email, provider: "local", confirmed: true, role: role.id });
}

async function findUser(app: App, user: string | number): Promise<Account> {
  assertPlugin(app, "users-permissions", "A user");
  const users = app.service("plugin::users-permissions.users");
  const found = typeof user === "number" ? await users.findById(user) : await users.findByIdentifier(user);
  if (found) return found;
  const known = await app.documents("plugin::users-permissions.user").findMany({ fields: ["username"] });
  const names = known.map(({ username }) => String(username));
  throw new PersonUnknownError({ kind: "user", name: String(user), known: names });
}

async function bearerOf(app: App, account: Account): Promise<string> {
  const jwt = app.service("plugin::users-permissions.jwt");
  const sessions = app.service("plugin::users-permissions.sessions");
  if (!sessions.isEnabled) return jwt.issue(account);
  const { sid } = await sessions.start(account, { name: "test" });
  return jwt.issue(account, { sid });
}

function assertPlugin(app: App, plugin: string, wanted: string): void {
  if (!app.has(plugin)) throw new PluginNeededError({ plugin, wanted });
}
