// What the limit serves for each row: the best statement on plain tables, or the very statement of our server.
import { ask } from "../request.mjs";
import { statements } from "./statements.mjs";

/**
 * Of the sessions of the limit on plain tables: what is best for short statements that are run again and again on what
 * fits into memory. With the usual random_page_cost of 4 the statements read whole tables: a deep page 3.4 -> 1.4 ms.
 */
export const SETTINGS = {
  jit: "off",
  max_parallel_workers_per_gather: "0",
  plan_cache_mode: "force_generic_plan",
  random_page_cost: "1",
};

/**
 * The answer of a row by the statement that was written for it, which has a parameter for each thing that differs between
 * two requests of the row.
 *
 * @param {import("../run-bench.mjs").Row} row
 * @param {import("../seed.mjs").Seeded} seeded
 */
export function plainAnswer(row, seeded) {
  const text = statements[row.sameAs ?? row.name];
  if (!text) throw new Error(`limit/statements.mjs has no statement for "${row.name}"`);
  const [asked, other] = [row.ask(seeded, 0), row.ask(seeded, 1)];
  return { ...outline(row, asked), start: commonStart(asked.path, other.path), text };
}

/**
 * The answer of a read by the statement that our server runs for it, with the values of one request.
 *
 * @param {import("../run-bench.mjs").Row} row
 * @param {import("../seed.mjs").Seeded} seeded
 * @param {import("../request.mjs").Server} ours
 * @throws when it runs more than one.
 */
export async function ownAnswer(row, seeded, ours) {
  const asked = row.ask(seeded, 0);
  // The first request of all also reads what the public may do, which is kept from then on.
  await ask(ours, row, asked);
  await ours.ask("record");
  await ask(ours, row, asked);
  const recorded = await ours.ask("recordedStatements");
  if (recorded.length !== 1) {
    const texts = recorded.map(({ text }) => `\n  ${text}`).join("");
    throw new Error(`"${row.name}" ran ${recorded.length} statements where one is promised:${texts}`);
  }
  return { ...outline(row, asked), start: asked.path, ...recorded[0] };
}

function outline({ kind }, { method, path, body }) {
  const write = kind === "create" || kind === "update" ? kind : undefined;
  const pageSize = Number(new URL(path, "http://localhost").searchParams.get("pagination[pageSize]"));
  const form = kind === "graphql" ? "graphql" : pageSize ? "list" : "one";
  return { method, write, form, pageSize, query: body?.query };
}

/** What two paths begin with, up to the value or segment that differs; two alike differ in their last value, if there is one. */
function commonStart(one, other) {
  let end = 0;
  while (end < one.length && one[end] === other[end]) end += 1;
  if (end === one.length && !one.includes("?")) return one;
  return one.slice(0, Math.max(one.lastIndexOf("=", end - 1), one.lastIndexOf("/", end - 1)) + 1);
}
