import { Command } from "commander";

/** `plinth schema plan` and `plinth schema apply`: the way from the tables to the content model. */
export function schemaCommand(): Command {
  const schema = new Command("schema").description("compare the database with the content-types, and change it");
  schema
    .command("plan")
    .description("show what would be changed, with its SQL; changes nothing")
    .option("--json", "print JSON")
    .action(async ({ json = false }: { json?: boolean }) => {
      const { planSchema } = await import("../sync-schema.js");
      await planSchema(process.cwd(), { json });
    });
  schema
    .command("apply")
    .description("run migrations, then change the tables; refuses to lose content")
    .option("--allow-data-loss", "also run the steps that lose content")
    .action(async ({ allowDataLoss = false }: { allowDataLoss?: boolean }) => {
      const { applySchema } = await import("../sync-schema.js");
      await applySchema(process.cwd(), { allowDataLoss });
    });
  return schema;
}
