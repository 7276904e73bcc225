// Finds out what our server does for one request, so that the limit can do just that, and checks that both do the same.

/**
 * Asks our server once and keeps the statement it ran.
 *
 * @param {{ ask: (name: string) => Promise<any>, url: string }} ours
 * @param {{ name: string, path: string }} benchCase
 * @returns {Promise<{ path: string, statement: { text: string, values: unknown[] }, meta: string }>}
 */
export async function recordAnswer(ours, { name, path }) {
  // The first request of all also reads what the public may do, which is kept from then on.
  await read(ours.url + path);
  await ours.ask("record");
  const body = await read(ours.url + path);
  const statements = await ours.ask("recordedStatements");
  if (statements.length !== 1) {
    const texts = statements.map(({ text }) => `\n  ${text}`).join("");
    throw new Error(`"${name}" ran ${statements.length} statements where one is promised:${texts}`);
  }
  const { data, meta } = JSON.parse(body);
  if (Array.isArray(data) ? data.length === 0 : !data) throw new Error(`"${name}" found nothing; nothing is measured`);
  return { path, statement: statements[0], meta: JSON.stringify(meta) };
}

/** Compares the two bodies, byte for byte. @returns {Promise<number>} their length in bytes. */
export async function checkBodies(servers, { name, path }) {
  const [ours, limit] = await Promise.all([read(servers.ours.url + path), read(servers.limit.url + path)]);
  if (ours !== limit) {
    const at = [...ours].findIndex((char, index) => char !== limit[index]);
    const around = (body) => JSON.stringify(body.slice(Math.max(0, at - 40), at + 80));
    throw new Error(`"${name}": the bodies differ at ${at}: ours ${around(ours)}, limit ${around(limit)}`);
  }
  return Buffer.byteLength(ours);
}

/** Statements per request of our server, everything it sends counted, over a number of requests in a row. */
export async function countStatements(ours, { path }, requests = 20) {
  const before = await ours.ask("statementCount");
  for (let i = 0; i < requests; i += 1) await read(ours.url + path);
  return ((await ours.ask("statementCount")) - before) / requests;
}

async function read(url) {
  const response = await fetch(url);
  const body = await response.text();
  if (response.status !== 200) throw new Error(`GET ${url} answered ${response.status}: ${body.slice(0, 2000)}`);
  return body;
}
