import { Command } from "commander";
import { runNamed } from "./run-named.js";
import type { CommandHost } from "./host.js";

/** `plinth schema`: the content model; `plan` and `apply`: the way to it from the tables. */
export function schemaCommand(host: CommandHost): Command {
  const schema = new Command("schema").description(
    "list content-types, components and attributes; compare the database with them, and change it",
  );
  schema
    .command("show [uid]", { isDefault: true })
    .description("list content-types and components with their attributes, or the one named; needs no database")
    .option("--json", "print JSON")
    .action(async (uid: string | undefined, { json = false }: { json?: boolean }) => {
      const { declare } = await import("./inspect.js");
      const { describeSchema, pickShapes, schemaAsJson } = await import("./describe-schema.js");
      const shapes = pickShapes((await declare(host)).model, uid);
      host.terminal.print(json ? JSON.stringify(schemaAsJson(shapes), undefined, 2) : describeSchema(shapes));
    });
  schema
    .command("plan")
    .description("show what would be changed, with its SQL; changes nothing")
    .option("--json", "print JSON")
    .action((options: object) => runNamed("schema plan", options, host));
  schema
    .command("apply")
    .description("run migrations, then change the tables; refuses to lose content")
    .option("--allow-data-loss", "also run the steps that lose content")
    .option("--force", "take away what processes of another version may still use")
    .action((options: object) => runNamed("schema apply", options, host));
  return schema;
}
