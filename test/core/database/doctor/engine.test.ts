import type { App, Project } from "@plinth/core";
import { expect } from "chai";
import pg from "pg";
import { doctorCommand } from "#core/cli/doctor-command.js";
import { connectDatabase, type DatabaseConfig } from "#core/database/driver/connect.js";
import type { EngineExamination } from "#core/database/doctor/examine-engine.js";
import { eachDatabase } from "../../../databases.js";
import { type CommandOutcome, runOnProject } from "../../../run-command.js";

/** `plinth doctor --engine` of a project with a database. */
const run = (database: DatabaseConfig, options: object = {}): Promise<CommandOutcome> => {
  const app = { config: { get: () => database } } as unknown as App;
  const withApp: Project["withApp"] = async (work) => {
    const db = await connectDatabase(database);
    return await work({ db } as unknown as App).finally(() => db.close());
  };
  return runOnProject(
    doctorCommand,
    { root: import.meta.dirname, app, withApp },
    { options: { engine: true, ...options } },
  );
};

/** What it says in JSON, and what is missing by name, with the reason. */
async function examine(database: DatabaseConfig) {
  const { stdout, hasFailed } = await run(database, { json: true });
  const { version, features } = JSON.parse(stdout) as EngineExamination;
  const missing = new Map(features.filter(({ works }) => !works).map(({ name, reason }) => [name, reason]));
  return { version, features, missing, hasFailed };
}

/** What servers have only where somebody has set it. */
const BY_CHOICE = ["logical replication", "pg_stat_statements"];

describe("plinth doctor --engine", () => {
  eachDatabase((database) => {
    it("finds all that is needed, each by using it, and leaves nothing behind", async () => {
      const { version, features, missing, hasFailed } = await examine(database.config());
      expect(version).to.match(/^PostgreSQL 1\d/);
      expect([...missing].filter(([name]) => !BY_CHOICE.includes(name))).to.deep.equal([]);
      expect(features.filter(({ isNeeded }) => isNeeded).length).to.be.greaterThan(12);
      expect(hasFailed).to.equal(false);
      if (database.kind === "pglite") return;
      const db = await database.connect();
      const left =
        "select relname from pg_class where relname like 'plinth%' and relnamespace = 'public'::regnamespace";
      expect(await db.query({ text: left, values: [] })).to.deep.equal([]);
    });

    it("shows one table, with what is done without", async () => {
      const { stdout } = await run(database.config());
      expect(stdout).to.match(/^FEATURE +THERE +WITHOUT IT$/m);
      expect(stdout).to.match(/^prepared statements by name +useful +yes +each statement is planned again/m);
      expect(stdout).to.match(/It has (?:everything|all that is needed)\.$/);
    });

    if (database.kind !== "postgres") return;
    const { connection } = database.config() as { connection: string };
    const ask = async (...statements: readonly string[]) => {
      const client = new pg.Client({ connectionString: connection });
      await client.connect();
      for (const text of statements) await client.query(text);
      await client.end();
    };
    const at = (change: (url: URL) => unknown): DatabaseConfig => {
      const url = new URL(connection);
      change(url);
      return { client: "postgres", connection: url.href };
    };

    it("names functions that are not there, or do something else, and ends with 1", async () => {
      await ask(
        "create schema stub",
        "create function stub.hashtextextended(text, bigint) returns bigint language plpgsql as $$ begin raise exception 'hashtextextended() is not supported'; end $$",
        "create function stub.pg_notify(text, text) returns void language sql as 'select'",
        "create function stub.pg_try_advisory_xact_lock(bigint) returns boolean language sql as 'select true'",
      );
      const database = at(({ searchParams }) => searchParams.set("options", "-c search_path=stub,pg_catalog,public"));
      const { features, missing, hasFailed } = await examine(database);
      expect(features[0], "what is needed and missing comes first").to.deep.equal({
        name: "advisory locks, by names",
        isNeeded: true,
        without: "two processes could change one thing at once: the app does not start",
        works: false,
        reason: "hashtextextended() is not supported",
      });
      expect(missing.get("LISTEN and NOTIFY")).to.equal("a message did not arrive");
      expect([...missing.keys()].filter((name) => !BY_CHOICE.includes(name))).to.deep.equal([
        "advisory locks, by names",
        "LISTEN and NOTIFY",
      ]);
      expect(hasFailed).to.equal(true);
      await ask("drop function stub.hashtextextended", "drop function stub.pg_notify");
      expect((await examine(database)).missing.get("advisory locks, by names")).to.equal("two sessions have one lock");
      const { stdout } = await run(database);
      expect(stdout).to.include("Plinth cannot use this server: it lacks 1 of what is needed.");
    });

    it("says what a role may not do", async () => {
      await ask(
        "drop role if exists plinth_guest",
        "create role plinth_guest login",
        "revoke create on schema public from public",
      );
      try {
        const { missing, hasFailed } = await examine(at((url) => Object.assign(url, { username: "plinth_guest" })));
        expect(missing.get("tables of its own, and their indexes")).to.equal("permission denied for schema public");
        expect(missing.has("LISTEN and NOTIFY")).to.equal(false);
        expect(hasFailed).to.equal(true);
      } finally {
        await ask("drop role plinth_guest");
      }
    });

    it("spares Citus the triggers of statements, and makes the schema of the configuration", async () => {
      const { features } = await examine({ client: "postgres", connection, engine: "citus", schema: "tenant" });
      const triggers = features.find(({ name }) => name.startsWith("triggers"));
      expect(triggers).to.include({ isNeeded: false, works: true });
    });

    it("says where nobody answers", async () => {
      const error = await run({ client: "postgres", connection: "postgres://plinth@127.0.0.1:9/none" }).catch(
        (thrown: { readonly code: string }) => thrown.code,
      );
      expect(error).to.equal("PLINTH_DATABASE_UNREACHABLE");
    });
  });
});
