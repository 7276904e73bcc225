import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createPlinth } from "@plinth/core";
import { expect } from "chai";
import { pino } from "pino";
import { buildReferences, listErrors, packageSources } from "../../scripts/generate-docs.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const GUIDES = "core/guides";

/** Names of environment variables: the rows of the guides' tables whose first column is `variable`. */
function documentedVariables(): readonly string[] {
  const guides = readdirSync(join(ROOT, GUIDES)).filter((name) => name.endsWith(".md"));
  const tables = guides.flatMap((name) => read(`${GUIDES}/${name}`).match(/^\| variable \|(?:.*\n\|)+.*/gm) ?? []);
  return tables.flatMap((table) => [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, variable]) => variable ?? ""));
}

describe("the references of errors, hooks, configuration and commands", () => {
  it("are what `npm run docs` writes", async () => {
    for (const [path, text] of await buildReferences()) expect(read(path), path).to.equal(text);
  });

  it("list every code that is declared, once", async () => {
    const declared = packageSources().flatMap((file) => {
      const calls = read(file).matchAll(/\bcreateError(?:<[^(]*>)?\(\s*"(PLINTH_\w+)"/g);
      return [...calls].map(([, code]) => code ?? "");
    });
    const listed = (await listErrors()).map(({ entry }) => entry.code as string);
    expect(declared).to.have.length.above(50);
    expect([...listed].sort()).to.deep.equal(declared.sort());
    expect(new Set(listed).size).to.equal(listed.length);
  });

  it("list every hook that core declares", () => {
    const schema = {
      kind: "collectionType" as const,
      info: { singularName: "note", pluralName: "notes", displayName: "Note" },
      attributes: {},
    };
    const log = pino({ level: "silent" });
    const plinth = createPlinth({ root: ROOT, plugins: [], app: { contentTypes: { "api::note.note": schema } }, log });
    plinth.declareModel();
    const listed = read("core/HOOKS.md");
    const hooks = plinth.report().hooks.map(({ name }) => name.replace("api::note.note", "<uid>"));
    expect(hooks).to.have.length.above(10);
    for (const hook of hooks) expect(listed).to.include(`| \`${hook}\` |`);
  });

  it("say of every error, in whole sentences, how it comes about and what to do", async () => {
    for (const { entry } of await listErrors())
      for (const text of [entry.cause, entry.remedy]) expect(text, entry.code).to.match(/^\S+ \S.{10,}\.$/);
  });

  it("know every code that a docstring or a message of the sources names, variables of the guides aside", async () => {
    const listed = (await listErrors()).map(({ entry }) => entry.code as string);
    const variables = documentedVariables();
    expect(variables).to.have.length.above(3);
    const isKnown = (named: string) =>
      variables.includes(named) ||
      listed.some((code) => (named.endsWith("_") ? code.startsWith(named) : code === named));
    const unknown = packageSources().flatMap((file) => {
      const named = [...read(file).matchAll(/\bPLINTH_[A-Z]+_[A-Z_]*/g)].map(([code]) => code);
      return named.filter((code) => !isKnown(code)).map((code) => `${file}: ${code}`);
    });
    expect(unknown).to.deep.equal([]);
  });
});
