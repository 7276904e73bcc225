// Searches for the most expensive request on a PostgreSQL of its own: `npm run test:cost [-- --seconds 60 --seed 1]`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { ROOT, ensureReady } from "./ensure-ready.mjs";
import { startPostgres } from "./postgres-server.mjs";

await ensureReady();
const server = await startPostgres();
try {
  const sources = ["--conditions=plinth-source", "--no-experimental-require-module", "--import=tsx"];
  const child = spawn(process.execPath, [...sources, "test/cost/run-search.ts", ...process.argv.slice(2)], {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, TEST_DATABASE_URL: server.url },
  });
  const [code] = await once(child, "exit");
  process.exitCode = code ?? 1;
} finally {
  await server.stop();
}
