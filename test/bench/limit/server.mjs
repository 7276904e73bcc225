// The limit: node:http and nothing else runs one prepared statement per request and writes its text. A child of the benchmark.
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import pg from "pg";
import { answerParent } from "../child.mjs";

/** What is written around the data of a statement's row. */
const FORMS = {
  list: ({ data, total }, { pageSize }) => {
    const pageCount = Math.ceil(total / pageSize);
    return `{"data":${data},"meta":{"pagination":{"page":1,"pageSize":${pageSize},"pageCount":${pageCount},"total":${total}}}}`;
  },
  one: ({ data }) => `{"data":${data},"meta":{}}`,
  graphql: ({ data }) => `{"data":{"articles":${data}}}\n`,
};

/** The values of a write, from what was sent. */
const VALUES = {
  create: (sent) => [randomBytes(12).toString("hex"), JSON.stringify(sent.data)],
  update: ({ data }, url) => [url.slice(url.lastIndexOf("/") + 1), data.title, data.views],
};

let pool;
let server;

/**
 * Starts on a free port.
 *
 * @param {object} options
 * @param {string} options.database - URL.
 * @param {number} options.pool - most connections.
 * @param {Record<string, string>} options.settings - of every session, by name.
 * @param {Answer[]} options.answers - what is served; writes are found by their method, reads by method and path.
 * @returns {Promise<string>} its address.
 *
 * @typedef {object} Answer
 * @property {string} key - "GET /api/articles?...", or "POST /api/articles" for every document.
 * @property {string} text - of the statement.
 * @property {unknown[]} values - of a read.
 * @property {"create" | "update" | undefined} write - where the values come from the body.
 * @property {"list" | "one" | "graphql"} form
 * @property {number} [pageSize] - of a list.
 */
async function start({ database, pool: max, settings, answers }) {
  const onConnect = (client) => applySettings(client, settings);
  pool = new pg.Pool({ connectionString: database, max, idleTimeoutMillis: 0, onConnect });
  const byKey = new Map(answers.map((answer, index) => [answer.key, { ...answer, name: `limit_${index}` }]));
  server = createServer((request, response) => {
    const { method, url } = request;
    const answer = byKey.get(`${method} ${method === "PUT" ? url.slice(0, url.lastIndexOf("/")) : url}`);
    if (!answer) return response.writeHead(404).end();
    serve(answer, request, response).catch(end);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${server.address().port}`;
}

async function applySettings(client, settings) {
  for (const setting of Object.entries(settings)) await client.query("select set_config($1, $2, false)", setting);
}

async function serve(answer, request, response) {
  const { name, text, write } = answer;
  const values = write ? VALUES[write](JSON.parse(await readBody(request)), request.url) : answer.values;
  const { rows } = await pool.query({ name, text, values });
  const body = FORMS[answer.form](rows[0], answer);
  response.writeHead(write === "create" ? 201 : 200, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
  });
  response.end(body);
}

function readBody(request) {
  return new Promise((done, fail) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.once("end", () => done(Buffer.concat(chunks).toString()));
    request.once("error", fail);
  });
}

/** A limit that fails is none; one whose client went away at the end of a round is. */
function end(error) {
  if (error.code === "ECONNRESET") return;
  console.error(error);
  process.exit(1);
}

answerParent({ start }, async () => {
  server?.closeAllConnections();
  server?.close();
  await pool?.end();
});
