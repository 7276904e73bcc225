import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createPlinth } from "@plinth/core";
import { expect } from "chai";
import { writeTypesApp } from "../bench/write-types-app.mjs";
import { eachDatabase, type TestDatabase } from "../databases.js";
import { loadForTest, ON_BUILT } from "../projects.js";

const LISTING = join(import.meta.dirname, "list-loaded-packages.ts");
const TEMPLATE = join(import.meta.dirname, "..", "..", "app-template", "package.json");
const COUNTING = join(import.meta.dirname, "count-start.mjs");
const TIMEOUT = 120_000;
/** Statements that come with a message of the database, before or after the app has started. */
const BY_CHANCE = 5;

/** Plugins that no app has to have, and that build on one another. */
const MORE_PLUGINS = ["events", "jobs", "webhooks", "schedule", "history", "live", "http-cache", "audit"];
/** What a start with all of them takes more than one without. Each file is about 0.5 ms, each statement a round trip. */
const MORE = { files: 12, statements: 12 };

/** Those of the sample app, imported before TypeScript is understood, as `plinth` does: that takes half as long. */
const PLUGINS = Object.keys(JSON.parse(readFileSync(TEMPLATE, "utf8")).dependencies)
  .filter((name) => name.startsWith("@plinth/plugin-"))
  .map((name) => `--import=${name}`);

/** What only some requests need, and takes much. */
const HEAVY = [
  "sharp",
  "@aws-sdk/client-s3",
  "file-type",
  "formidable",
  "koa-body",
  "zod",
  "objection",
  "nodemailer",
  "ioredis",
  "tar-stream",
  "chokidar",
  "commander",
  "otpauth",
  "@simplewebauthn/server",
];

/** Files of ours that were loaded, and statements that were sent. */
interface StartCount {
  readonly files: number;
  readonly statements: number;
}

describe("a start", () => {
  eachDatabase((database) => {
    it("loads no library that only some requests need", () => {
      const loaded = listLoaded(database);
      expect(loaded).to.include.members(["knex", "graphql", "koa"]);
      const unneeded = database.kind === "postgres" ? [...HEAVY, "@electric-sql/pglite"] : HEAVY;
      expect(loaded.filter((name) => unneeded.includes(name))).to.deep.equal([]);
    });
  });

  describe("with nothing to change in the database", () => {
    eachDatabase((database) => {
      if (database.kind === "pglite") return;
      it("takes no more statements when there are more content-types", async () => {
        const few = await countStatements(database, 3);
        const many = await countStatements(database, 40);
        expect(many).to.be.closeTo(few, BY_CHANCE);
      });

      it("takes few files and statements more with plugins from events to audit", () => {
        const { without, all } = countBuilt(database);
        expect(all.files - without.files).to.be.within(MORE_PLUGINS.length, MORE.files);
        expect(all.statements - without.statements).to.be.at.most(MORE.statements);
      });
    });
  });
});

function listLoaded(database: TestDatabase): readonly string[] {
  const args = [...PLUGINS, ...ON_BUILT, LISTING, JSON.stringify(database.config())];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: TIMEOUT });
  expect(status, stderr).to.equal(0);
  return JSON.parse(stdout) as readonly string[];
}

/** What starts of the built packages take. */
function countBuilt(database: TestDatabase): Readonly<Record<"without" | "all", StartCount>> {
  const names = MORE_PLUGINS.map((name) => `@plinth/plugin-${name}`);
  const config = { ...database.config(), schema: "built" };
  const args = [COUNTING, JSON.stringify(config), JSON.stringify(names)];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: TIMEOUT });
  expect(status, stderr).to.equal(0);
  return JSON.parse(stdout) as Readonly<Record<"without" | "all", StartCount>>;
}

/** Of the second start, in a schema of its own. */
async function countStatements(database: TestDatabase, types: number): Promise<number> {
  const { root, remove } = writeTypesApp(types);
  try {
    const setup = await loadForTest(root);
    const config = { ...setup.config, permissions: {}, database: { ...database.config(), schema: `types_${types}` } };
    let count = 0;
    for (let turn = 0; turn < 2; turn += 1) {
      const plinth = createPlinth({ ...setup, config });
      await plinth.start();
      count = plinth.app.db.statementCount;
      await plinth.stop();
    }
    return count;
  } finally {
    remove();
  }
}
