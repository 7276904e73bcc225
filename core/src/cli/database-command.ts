import { Command } from "commander";
import { runNamed } from "./run-named.js";
import type { CommandHost } from "./host.js";

/** `plinth database`: what sessions need behind a pooler, and what readers of changes need. */
export function databaseCommand(host: CommandHost): Command {
  const database = new Command("database").description("prepare the database server for the app");
  database
    .command("settings")
    .description("show the statements that give the app's role the settings of its sessions, as poolers need it")
    .option("--apply", "also run them")
    .action(async ({ apply = false }: { apply?: boolean }) => {
      const { listSettings } = await import("./role-settings.js");
      host.terminal.print(await listSettings(host, { apply }));
    });
  database
    .command("publication")
    .description(
      "show the statement that publishes the tables of content-types to readers of changes (logical replication)",
    )
    .requiredOption(
      "--types <uid...>",
      "the content-types; their tables are published whole, private attributes included",
    )
    .option("--name <name>", "of the publication; `plinth` by default. One that is there is changed")
    .option("--apply", "also run it")
    .action((options: object) => runNamed("database publication", options, host));
  return database;
}
