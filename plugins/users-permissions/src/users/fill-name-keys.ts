import type { App } from "@plinth/core";
import { USER } from "../content-types/user.js";
import { addressKey, nameKey } from "./name-key.js";

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
