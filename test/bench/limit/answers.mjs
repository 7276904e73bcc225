// What the limit serves for each row: the best statement on plain tables, or the very statement of our server.
import { ask } from "../request.mjs";
import { statementOf } from "./statements.mjs";

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
 * The answer of a row by the statement that was written for it.
 *
 * @param {import("../run-bench.mjs").Row} row
 * @param {import("../seed.mjs").Seeded} seeded
 */
export function plainAnswer(row, seeded) {
  const asked = row.ask(seeded, 0);
  const documentId = asked.path.split("?")[0].split("/")[3];
  const text = statementOf(row.sameAs ?? row.name, documentId);
  if (!text) throw new Error(`limit/statements.mjs has no statement for "${row.name}"`);
  return { ...outline(row, asked), text, values: [] };
}

/**
 * The answer of a read by the statement that our server runs for it.
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
  const statements = await ours.ask("recordedStatements");
  if (statements.length !== 1) {
    const texts = statements.map(({ text }) => `\n  ${text}`).join("");
    throw new Error(`"${row.name}" ran ${statements.length} statements where one is promised:${texts}`);
  }
  return { ...outline(row, asked), ...statements[0] };
}

function outline({ kind }, { method, path }) {
  const write = kind === "create" || kind === "update" ? kind : undefined;
  const pageSize = Number(new URL(path, "http://localhost").searchParams.get("pagination[pageSize]"));
  const form = kind === "graphql" ? "graphql" : pageSize ? "list" : "one";
  return { key: `${method} ${method === "PUT" ? path.slice(0, path.lastIndexOf("/")) : path}`, write, form, pageSize };
}
