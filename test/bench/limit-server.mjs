// The limit: node:http and nothing else runs one prepared statement per request and writes its text. A child of the benchmark.
import { createServer } from "node:http";
import pg from "pg";
import { answerParent } from "./child.mjs";

let pool;
let server;

/**
 * Starts on a free port.
 *
 * @param {object} options
 * @param {string} options.database - URL.
 * @param {number} options.pool - most connections.
 * @param {Record<string, string>} options.settings - of every session, by name.
 * @param {{ path: string, statement: { text: string, values: unknown[] }, around: [string, string] }[]} options.answers - what
 *   is served at which path: the column `data` of the statement's row, and what stands around it.
 * @returns {Promise<string>} its address.
 */
async function start({ database, pool: max, settings, answers }) {
  const onConnect = (client) => applySettings(client, settings);
  pool = new pg.Pool({ connectionString: database, max, idleTimeoutMillis: 0, onConnect });
  const byPath = new Map(answers.map((answer, index) => [answer.path, { ...answer, name: `limit_${index}` }]));
  server = createServer((request, response) => serve(byPath.get(request.url), response));
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${server.address().port}`;
}

async function applySettings(client, settings) {
  for (const setting of Object.entries(settings)) await client.query("select set_config($1, $2, false)", setting);
}

async function serve(answer, response) {
  if (!answer) return response.writeHead(404).end();
  try {
    const { name, statement, around } = answer;
    const { rows } = await pool.query({ name, text: statement.text, values: statement.values });
    const body = `${around[0]}${rows[0].data}${around[1]}`;
    response.writeHead(200, {
      "content-type": "application/json; charset=utf-8",
      "content-length": Buffer.byteLength(body),
    });
    response.end(body);
  } catch (error) {
    end(error);
  }
}

/** A limit that fails is none. */
function end(error) {
  console.error(error);
  process.exit(1);
}

answerParent({ start }, async () => {
  server?.closeAllConnections();
  server?.close();
  await pool?.end();
});
