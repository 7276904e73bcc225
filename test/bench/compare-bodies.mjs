// Checks that two servers do the same for a row before their speed is compared.
import { ask } from "./request.mjs";

/** Further requests of a read whose answers are compared. */
const OTHERS = [1, 7, 12];

/** What two servers give to what each of them writes. */
const ITS_OWN = new Set(["id", "documentId", "createdAt", "updatedAt", "publishedAt"]);

/**
 * Compares the answer of the limit with ours: the same keys in the same order with the same values; of a write all but
 * ids and times. White space is free.
 *
 * @param {import("./run-bench.mjs").Row} row
 * @param {{ ours: import("./request.mjs").Server, limit: import("./request.mjs").Server }} servers
 * @param {import("./seed.mjs").Seeded} seeded - what is in ours; the limit has a copy.
 * @returns {Promise<number>} bytes of our body.
 * @throws when they differ, or when nothing was found.
 */
export async function compareBodies(row, { ours, limit }, seeded) {
  const isWrite = row.kind === "create" || row.kind === "update";
  // The first read is one that finds something, of the others some may not.
  if (!isWrite) for (const turn of OTHERS) await compareBody(row, { ours, limit }, row.ask(seeded, turn));
  const body = await compareBody(row, { ours, limit }, row.ask(seeded, isWrite ? row.nextTurn() : 0));
  assertFound(row, body);
  return Buffer.byteLength(body);
}

async function compareBody(row, { ours, limit }, asked) {
  const isWrite = row.kind === "create" || row.kind === "update";
  const bodies = [await ask(ours, row, asked), await ask(limit, row, asked)];
  const [left, right] = bodies.map((body) => canonical(body, isWrite));
  const at = [...left].findIndex((char, index) => char !== right[index]);
  if (at !== -1 || left.length !== right.length) {
    const around = (text) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 80));
    throw new Error(`"${row.name}": the bodies differ at ${at}: ours ${around(left)}, limit ${around(right)}`);
  }
  return bodies[0];
}

const canonical = (body, isWrite) =>
  JSON.stringify(JSON.parse(body), (key, value) => (isWrite && ITS_OWN.has(key) ? typeof value : value));

function assertFound({ name, kind }, body) {
  const { data } = JSON.parse(body);
  const found = kind === "graphql" ? data.articles : data;
  if (Array.isArray(found) ? found.length === 0 : !found)
    throw new Error(`"${name}" found nothing; nothing is measured`);
}
