import type { ProjectCommand } from "../app/command.js";
import type { Database } from "../database/driver/database.js";
import { buildTables } from "../database/layout/table-spec.js";
import { identifier } from "../database/sql/sql.js";
import type { ContentModel } from "../schema/model.js";
import { TypeUnknownError } from "./errors.js";
import type { DeclaredContext } from "./inspect.js";

/** Its name, where no other is given. */
const DEFAULT_NAME = "plinth";

/**
 * `plinth database publication`: publishes the tables of some content-types, whole, for logical replication. No slot is
 * made: the server keeps its log for a slot without a reader, until the disk is full. The reader makes its own.
 */
export const publicationCommand: ProjectCommand = {
  description:
    "show the statement that publishes the tables of content-types to readers of changes (logical replication)",
  async runOnProject({ project, options, print, say }: DeclaredContext) {
    const tables = tablesOf(project.model, options["types"] as readonly string[]);
    const name = String(options["name"] ?? DEFAULT_NAME);
    await project.withDatabase(async (db) => {
      if (db.kind === "pglite")
        return say("The embedded database has one session, so no reader of changes can have one.");
      const statement = publicationSql(name, tables, await isThere(db, name));
      print(`${statement};`);
      if (!options["apply"]) return;
      await db.query({ text: statement, values: [] });
      say(`applied; ${await describeLevel(db)}`);
    });
  },
};

/** The statement that makes a publication of these tables, or changes the one that is there to them. */
function publicationSql(name: string, tables: readonly string[], isThere: boolean): string {
  const list = tables.map(identifier).join(", ");
  const own = identifier(name);
  return isThere ? `alter publication ${own} set table ${list}` : `create publication ${own} for table ${list}`;
}

/** @throws PLINTH_CLI_TYPE_UNKNOWN */
function tablesOf(model: ContentModel, uids: readonly string[]): readonly string[] {
  const unknown = uids.find((uid) => !model.contentTypes.has(uid));
  if (unknown !== undefined) throw new TypeUnknownError({ uid: unknown, known: [...model.contentTypes.keys()] });
  const specs = buildTables(model).filter(({ type }) => uids.includes(type.uid));
  return specs.flatMap(({ table, links }) => (links === undefined ? [table] : [table, links]));
}

async function isThere(db: Database, name: string): Promise<boolean> {
  const rows = await db.query({ text: "select 1 from pg_publication where pubname = $1", values: [name] });
  return rows.length > 0;
}

async function describeLevel(db: Database): Promise<string> {
  const [row] = await db.query<{ level: string }>({ text: "select current_setting('wal_level') as level", values: [] });
  if (row?.level === "logical")
    return "make the slot where the changes are read, and drop it when they are not any more";
  return `the server has wal_level = ${row?.level}: readers need logical, which takes a restart of the server`;
}
