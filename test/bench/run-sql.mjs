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

/** A database of this process's own. @returns {Promise<{ database: string, drop: () => Promise<unknown> }>} its URL. */
export async function createDatabase(server) {
  const name = `plinth_bench_${process.pid}`;
  await runSql(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { database: url.href, drop: () => runSql(server, `drop database ${name} with (force)`) };
}
