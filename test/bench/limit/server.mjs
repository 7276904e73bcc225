// The limit: node:http and nothing else runs one prepared statement per request and writes its text. A child of the benchmark.
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import pg from "pg";
import { answerParent } from "../child.mjs";

/** What is written around the data of a statement's row; the last value of a list is its page. */
const FORMS = {
  list: ({ data, total }, { pageSize }, page) => {
    const pageCount = Math.ceil(total / pageSize);
    return `{"data":${data},"meta":{"pagination":{"page":${page},"pageSize":${pageSize},"pageCount":${pageCount},"total":${total}}}}`;
  },
  one: ({ data }) => `{"data":${data},"meta":{}}`,
  graphql: ({ data }) => `{"data":{"articles":${data}}}\n`,
};

/** The values of a statement, from what was sent: `rest` is what follows the start of the path. */
const VALUES = {
  create: (_rest, sent) => [randomBytes(12).toString("hex"), JSON.stringify(sent.data)],
  update: (rest, { data }) => [rest, data.title, data.views],
  list: (rest) => rest.split("&").map((part) => decode(part.slice(part.lastIndexOf("=") + 1))),
  one: (rest) => [rest.slice(0, rest.indexOf("?"))],
  graphql: (_rest, { variables }) => [variables.page],
};

const decode = (text) => decodeURIComponent(text.replaceAll("+", " "));

let pool;
let server;

/**
 * Starts on a free port.
 *
 * @param {object} options
 * @param {string} options.database - URL.
 * @param {number} options.pool - most connections.
 * @param {Record<string, string>} options.settings - of every session, by name.
 * @param {Answer[]} options.answers - what is served.
 * @returns {Promise<string>} its address.
 *
 * @typedef {object} Answer
 * @property {string} method
 * @property {string} start - of the paths that it is for; behind it are values.
 * @property {string} text - of the statement.
 * @property {unknown[]} [values] - where they do not come from the request.
 * @property {string} [query] - the GraphQL document that it is for.
 * @property {"create" | "update" | undefined} write
 * @property {"list" | "one" | "graphql"} form
 * @property {number} [pageSize] - of a list.
 */
async function start({ database, pool: max, settings, answers }) {
  const onConnect = (client) => applySettings(client, settings);
  pool = new pg.Pool({ connectionString: database, max, idleTimeoutMillis: 0, onConnect });
  const named = answers.map((answer, index) => ({ ...answer, name: `limit_${index}` }));
  server = createServer((request, response) => {
    serve(named, request, response).catch(end);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${server.address().port}`;
}

async function applySettings(client, settings) {
  for (const setting of Object.entries(settings)) await client.query("select set_config($1, $2, false)", setting);
}

async function serve(answers, request, response) {
  const { method, url } = request;
  const sent = method === "GET" ? undefined : JSON.parse(await readBody(request));
  const isAsked = (each) => each.method === method && url.startsWith(each.start) && each.query === sent?.query;
  const answer = answers.find(isAsked);
  if (!answer) return response.writeHead(404).end();
  const { name, text, write, form } = answer;
  const values = answer.values ?? VALUES[write ?? form](url.slice(answer.start.length), sent);
  const { rows } = await pool.query({ name, text, values });
  const body = FORMS[form](rows[0], answer, answer.values ? 1 : values.at(-1));
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
