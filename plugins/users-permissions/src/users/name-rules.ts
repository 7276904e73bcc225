import { type App, type RegisterContext, transformInput, type WriteEvent, writeHooks } from "@plinth/core";
import { USER } from "../content-types.js";
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

const BATCH = 1000;

interface Unfilled {
  readonly id: string;
  readonly username: string | null;
  readonly email: string | null;
}

/**
 * Gives users what their names are compared by, where it is missing: those of an older version, of an import, or written
 * by SQL. Names that look alike stay as they are; the log says how many there are.
 */
export async function fillNameKeys({ db, model, log }: App): Promise<void> {
  const table = `"${model.contentTypes.get(USER)?.table}"`;
  const find = `select id, username, email from ${table} where username_key is null or email_key is null order by id limit ${BATCH}`;
  const fill = `update ${table} u set username_key = v.name, email_key = v.address
    from jsonb_to_recordset($1::jsonb) as v(id int8, name text, address text) where u.id = v.id`;
  let filled = 0;
  for (;;) {
    const rows = await db.query<Unfilled>({ text: find, values: [] });
    const keys = rows.map(({ id, username, email }) => ({
      id,
      name: nameKey(username ?? ""),
      address: addressKey(email ?? ""),
    }));
    if (rows.length > 0) await db.query({ text: fill, values: [JSON.stringify(keys)] });
    filled += rows.length;
    if (rows.length < BATCH) break;
  }
  if (filled === 0) return;
  const count = `select count(*) as alike from (select 1 from ${table} group by username_key having count(*) > 1) a`;
  const [found] = await db.query<{ alike: string }>({ text: count, values: [] });
  if (Number(found?.alike) > 0)
    log.warn({ names: Number(found?.alike) }, "Users have names that look alike; no new ones can be made");
}
