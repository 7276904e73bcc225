// PostGraphile as a peer: installed from npm, with the content of the run.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withClient } from "../run-sql.mjs";
import { requestInPlaceOf } from "./requests.mjs";

const VERSION = "5.1.5";

/**
 * Starts it on a copy of the limit's content.
 *
 * @param {object} options
 * @param {string} options.database - URL; the limit's tables are there.
 * @param {(file: string, config: object) => Promise<object>} options.start - starts a child of run-bench.mjs.
 * @param {string} options.folder - where it is installed, once.
 * @param {(line: string) => void} options.say
 * @returns {Promise<{ server: import("../request.mjs").Server, seeded: object }>}
 */
export async function startPostgraphile({ database, start, folder, say }) {
  await install(folder, say);
  const seeded = await withClient(database, async (client) => {
    await client.query(readFileSync(new URL("./tables.sql", import.meta.url), "utf8"));
    const ids = async (table) =>
      (await client.query(`select id::text from "natural".${table} order by id`)).rows.map(({ id }) => id);
    return { articleIds: await ids("articles"), authorIds: await ids("authors"), categoryIds: await ids("categories") };
  });
  const child = await start("./postgraphile/server.mjs", { folder });
  return { server: { name: "postgraphile", token: "", isPeer: true, inPlaceOf: requestInPlaceOf, ...child }, seeded };
}

async function install(folder, say) {
  const manifest = join(folder, "node_modules", "postgraphile", "package.json");
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version === VERSION) return;
  say(`installing PostGraphile ${VERSION}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const args = ["install", `postgraphile@${VERSION}`, "--no-audit", "--no-fund", "--loglevel=error"];
  const npm = spawn("npm", args, { cwd: folder, stdio: ["ignore", 2, 2], shell: process.platform === "win32" });
  const code = await new Promise((done, fail) => npm.once("error", fail).once("exit", done));
  if (code !== 0) throw new Error(`"npm ${args.join(" ")}" ended with exit code ${code}`);
}
