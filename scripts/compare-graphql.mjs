// Compares the schema of the corpus app with that of the reference: `npm run graphql:compare -- <file.graphql>`.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildClientSchema, buildSchema, getIntrospectionQuery } from "graphql";
import { compareSchemas } from "./compare-schemas.mjs";
import { ensureReady, ROOT } from "./ensure-ready.mjs";

const PROJECT = join(ROOT, "test", "apps", "corpus");

/** The schema of the corpus app, empty and on the embedded database. */
async function readSchema() {
  // The package exists once the clone is ready.
  const { createPlinth, loadProject } = await import("@plinth/core");
  const where = { root: PROJECT, code: PROJECT };
  const project = await loadProject(where, { variables: process.env, environment: "production" });
  const config = {
    ...project.config,
    server: { host: "127.0.0.1", port: 0 },
    database: { client: "pglite", directory: ":memory:" },
    log: { level: "warn" },
  };
  const plinth = createPlinth({ ...project, config });
  try {
    return await introspect(await plinth.start());
  } finally {
    await plinth.stop();
  }
}

async function introspect(base) {
  const answer = await fetch(`${base}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: getIntrospectionQuery() }),
  });
  const { data, errors } = await answer.json();
  if (errors) throw new Error(`the corpus app does not tell its schema: ${errors[0].message}`);
  return buildClientSchema(data);
}

async function main(file) {
  if (!file || !existsSync(file))
    throw new Error(`"${file ?? ""}" is not a file: npm run graphql:compare -- <file.graphql>`);
  await ensureReady();
  const decisions = JSON.parse(readFileSync(join(ROOT, "scripts", "graphql-decisions.json"), "utf8"));
  const { decided, problems } = compareSchemas(buildSchema(readFileSync(file, "utf8")), await readSchema(), decisions);
  for (const { sentence, changes } of decided)
    console.log(`${sentence}\n${changes.map((change) => `  ${change}\n`).join("")}`);
  for (const problem of problems) console.error(`not decided: ${problem}`);
  console.log(problems.length === 0 ? "Every document for the reference is valid here, but for the above." : "");
  process.exitCode = problems.length === 0 ? 0 : 1;
}

await main(process.argv[2]).catch((error) => {
  console.error(`[plinth] ${error.message}`);
  process.exitCode = 1;
});
