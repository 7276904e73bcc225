/** Databases on a real Citus, for tests: one of the same name on the coordinator and on each worker. */
import pg from "pg";

/** The schema of the tenant in each. */
export const TENANT = "tenant";

/** Address of the coordinator, as a superuser; its database has the extension and knows the workers. */
export const citusUrl = process.env["TEST_CITUS_URL"];

/** Makes a database whose sessions see the schema of the tenant first. */
export async function createOnCluster(url: string, name: string): Promise<void> {
  const nodes = await nodesOf(url);
  await Promise.all(
    nodes.map(async (node) => {
      await run(node, "postgres", `create database ${name}`);
      await run(node, name, "create extension citus");
    }),
  );
  const [coordinator, ...workers] = nodes.map((node) => new URL(node));
  await run(
    url,
    name,
    `select citus_set_coordinator_host('${coordinator?.hostname}', ${coordinator?.port})`,
    ...workers.map(({ hostname, port }) => `select citus_add_node('${hostname}', ${port})`),
    `alter database ${name} set citus.enable_schema_based_sharding = on`,
    `alter database ${name} set search_path = ${TENANT}, public`,
  );
}

/** Drops it everywhere, also where it could not be made on each server. */
export async function dropOnCluster(url: string, name: string): Promise<void> {
  for (const node of await nodesOf(url)) await run(node, "postgres", `drop database if exists ${name} with (force)`);
}

/** The address of each server, the coordinator's first. */
async function nodesOf(url: string): Promise<readonly string[]> {
  const text = "select nodename as host, nodeport as port from pg_dist_node order by groupid";
  const rows = await run<{ readonly host: string; readonly port: number }>(url, undefined, text);
  return rows.map(({ host, port }) => {
    const node = new URL(url);
    node.host = `${host}:${port}`;
    return node.href;
  });
}

/** Runs statements, one after the other. @returns the rows of the last one */
async function run<Row extends object>(
  url: string,
  database: string | undefined,
  ...texts: readonly string[]
): Promise<readonly Row[]> {
  const place = new URL(url);
  if (database !== undefined) place.pathname = `/${database}`;
  const client = new pg.Client({ connectionString: place.href });
  await client.connect();
  try {
    let rows: readonly Row[] = [];
    for (const text of texts) rows = (await client.query<Row>(text)).rows;
    return rows;
  } finally {
    await client.end();
  }
}
