// Finds out what our server does for one request, so that the limit can do just that, and checks that both do the same.

/** @typedef {{ name: string, path: string, body?: object }} AskedCase */

/**
 * Asks our server once and keeps the statement it ran.
 *
 * @param {{ ask: (name: string) => Promise<any>, url: string }} ours
 * @param {AskedCase} benchCase
 * @returns {Promise<{ path: string, statement: { text: string, values: unknown[] }, around: [string, string] }>} what the
 *   limit serves: the statement, and what stands around its data in the body.
 */
export async function recordAnswer(ours, benchCase) {
  const { name, path } = benchCase;
  // The first request of all also reads what the public may do, which is kept from then on.
  await read(ours, benchCase);
  await ours.ask("record");
  const body = await read(ours, benchCase);
  const statements = await ours.ask("recordedStatements");
  if (statements.length !== 1) {
    const texts = statements.map(({ text }) => `\n  ${text}`).join("");
    throw new Error(`"${name}" ran ${statements.length} statements where one is promised:${texts}`);
  }
  return {
    path,
    statement: statements[0],
    around: benchCase.body ? aroundField(name, body) : aroundEntries(name, body),
  };
}

/** REST: `{"data":<data>,"meta":{...}}`. */
function aroundEntries(name, body) {
  const { data, meta } = JSON.parse(body);
  assertFound(name, data);
  return ['{"data":', `,"meta":${JSON.stringify(meta)}}`];
}

/** GraphQL, with one field: `{"data":{"articles":<data>}}` and the end of the line. */
function aroundField(name, body) {
  const [[field, data]] = Object.entries(JSON.parse(body).data);
  assertFound(name, data);
  return [`{"data":{${JSON.stringify(field)}:`, "}}\n"];
}

function assertFound(name, data) {
  if (Array.isArray(data) ? data.length === 0 : !data) throw new Error(`"${name}" found nothing; nothing is measured`);
}

/** Compares the two bodies, byte for byte. @returns {Promise<number>} their length in bytes. */
export async function checkBodies(servers, benchCase) {
  const [ours, limit] = await Promise.all([read(servers.ours, benchCase), read(servers.limit, benchCase)]);
  if (ours !== limit) {
    const at = [...ours].findIndex((char, index) => char !== limit[index]);
    const around = (body) => JSON.stringify(body.slice(Math.max(0, at - 40), at + 80));
    throw new Error(`"${benchCase.name}": the bodies differ at ${at}: ours ${around(ours)}, limit ${around(limit)}`);
  }
  return Buffer.byteLength(ours);
}

/** Statements per request of our server, everything it sends counted, over a number of requests in a row. */
export async function countStatements(ours, benchCase, requests = 20) {
  const before = await ours.ask("statementCount");
  for (let i = 0; i < requests; i += 1) await read(ours, benchCase);
  return ((await ours.ask("statementCount")) - before) / requests;
}

/** The request of a case, in the words that fetch and autocannon share. */
export function requestOf({ body }) {
  if (body === undefined) return { method: "GET" };
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

async function read({ url: base }, benchCase) {
  const url = base + benchCase.path;
  const request = requestOf(benchCase);
  const response = await fetch(url, request);
  const body = await response.text();
  if (response.status !== 200)
    throw new Error(`${request.method} ${url} answered ${response.status}: ${body.slice(0, 2000)}`);
  return body;
}
