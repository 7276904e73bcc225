import pg from "pg";

/** Runs one text of SQL in a session of its own. @returns {Promise<any[]>} its rows. */
export const runSql = (url, text) => withClient(url, async (client) => (await client.query(text)).rows);

/** Runs work that has a session to itself. @template T @param {(client: pg.Client) => Promise<T>} work */
export async function withClient(connectionString, work) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Makes a database of this process's own.
 *
 * @param {string} server - URL of any of its databases.
 * @param {string} [part] - of the name, where there are several.
 * @param {string} [template] - URL of a database of which it is a copy; nobody may be connected to that.
 * @returns {Promise<{ database: string, drop: () => Promise<unknown> }>} its URL.
 */
export async function createDatabase(server, part = "rows", template = undefined) {
  const name = `plinth_bench_${process.pid}_${part}`;
  const from = template ? ` template ${new URL(template).pathname.slice(1)}` : "";
  await runSql(server, `create database ${name}${from}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { database: url.href, drop: () => runSql(server, `drop database ${name} with (force)`) };
}
