import { type App, type RegisterContext, transformInput, type WriteEvent, writeHooks } from "@plinth/core";
import { USER } from "../content-types/user.js";
import { BodyInvalidError, refused } from "../errors.js";
import { addressKey, nameKey } from "./name-key.js";

type Data = Readonly<Record<string, unknown>>;

/**
 * Characters that are invisible, or change how others look: controls, direction marks, joiners, private and unassigned
 * characters.
 */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Keeps names distinct: no invisible characters, and no name or address that looks like that of another user.
 * The database knows what names are compared by (`usernameKey`, `emailKey`); rows of before this rule keep their names.
 */
export function keepNameRules({ app, on }: Pick<RegisterContext<object>, "app" | "on">): void {
  const about = [USER];
  on(transformInput, assertVisible, { about });
  for (const { before, after } of [writeHooks.create, writeHooks.update]) {
    on(before, (event) => assertUnlike(app, event), { about });
    on(after, (event) => storeKeys(app, event), { about });
  }
}

function assertVisible(data: Data): Data {
  const { username } = data;
  if (typeof username !== "string" || !UNSEEN.test(username)) return data;
  const message = "username must not contain invisible characters";
  throw new BodyInvalidError({ errors: [{ path: ["username"], message, name: "ValidationError", value: username }] });
}

interface StoredNames {
  readonly document_id: string;
  readonly username: string;
  readonly email: string;
  readonly username_key: string | null;
  readonly email_key: string | null;
}

/**
 * Writers of one key take turns until the end of their transactions. An equal name is left to the unique index, which
 * has its own answer; users who had a look-alike before keep it.
 */
async function assertUnlike(app: App, { documentId, data = {} }: WriteEvent): Promise<void> {
  const keys = Object.values(keysOf(data)).filter((key) => key !== undefined);
  if (keys.length === 0) return;
  await app.db.lock(...keys.map((key) => `plinth user ${key}`));
  const find = `select document_id, username, email, username_key, email_key from ${tableOf(app)}
    where username_key = any($1::text[]) or email_key = any($1::text[])`;
  const rows = await app.db.query<StoredNames>({ text: find, values: [keys], isPlan: true });
  const own = rows.find(({ document_id }) => document_id === documentId);
  const added = keys.filter((key) => key !== own?.username_key && key !== own?.email_key);
  const isLike = (row: StoredNames) =>
    row !== own &&
    added.some((key) => key === row.username_key || key === row.email_key) &&
    row.username !== data["username"] &&
    row.email !== data["email"];
  if (rows.some(isLike)) throw refused("This attribute must be unique");
}

/** Written past the document, because a rule on fields says what the writer may change, and not what follows from it. */
async function storeKeys(app: App, { documentId, data = {} }: WriteEvent): Promise<void> {
  const { username, email } = keysOf(data);
  if (username === undefined && email === undefined) return;
  const text = `update ${tableOf(app)} set username_key = coalesce($2, username_key), email_key = coalesce($3, email_key)
    where document_id = $1`;
  await app.db.query({ text, values: [documentId, username ?? null, email ?? null], isPlan: true });
}

function keysOf({ username, email }: Data): { readonly username?: string; readonly email?: string } {
  return {
    ...(typeof username === "string" ? { username: nameKey(username) } : {}),
    ...(typeof email === "string" ? { email: addressKey(email) } : {}),
  };
}

const tableOf = ({ model }: App): string => `"${model.contentTypes.get(USER)?.table}"`;
