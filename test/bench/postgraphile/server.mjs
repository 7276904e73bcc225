// PostGraphile on tables of their own, with what it recommends for production. A child of the benchmark.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { answerParent, use } from "../child.mjs";

let server;
let postgraphile;

/**
 * Starts on a free port.
 *
 * @param {{ database: string, pool: number, folder: string }} options - URL, most connections, where it is installed.
 * @returns {Promise<string>} its address.
 */
async function start({ database, pool, folder }) {
  const installed = createRequire(join(folder, "package.json"));
  const load = (name) => import(pathToFileURL(installed.resolve(name)).href);
  const { postgraphile: create } = await load("postgraphile");
  const { PostGraphileAmberPreset } = await load("postgraphile/presets/amber");
  const { makePgService } = await load("postgraphile/adaptors/pg");
  const { grafserv } = await load("postgraphile/grafserv/node");
  postgraphile = create({
    extends: [PostGraphileAmberPreset],
    pgServices: [makePgService({ connectionString: database, schemas: ["natural"], poolConfig: { max: pool } })],
    grafserv: { watch: false, graphiql: false, websockets: false },
    grafast: { explain: false },
  });
  const served = postgraphile.createServ(grafserv);
  server = createServer();
  await served.addTo(server);
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${server.address().port}`;
}

answerParent({ start, use }, async () => {
  server?.closeAllConnections();
  server?.close();
  await postgraphile?.release();
});
