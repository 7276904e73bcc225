import { Command } from "commander";
import { print } from "./terminal.js";

/** `plinth database settings`: what sessions need behind a pooler. */
export function databaseCommand(): Command {
  const database = new Command("database").description("prepare the database server for the app");
  database
    .command("settings")
    .description("show the statements that give the app's role the settings of its sessions, as poolers need it")
    .option("--apply", "also run them")
    .action(async ({ apply = false }: { apply?: boolean }) => {
      const { listSettings } = await import("./role-settings.js");
      print(await listSettings(process.cwd(), { apply }));
    });
  return database;
}
