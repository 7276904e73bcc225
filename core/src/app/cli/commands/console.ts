import { Command } from "commander";

/** `plinth console`: a prompt with the app at hand, on the configured database and without a port. */
export function consoleCommand(): Command {
  return new Command("console")
    .description('open a prompt with the app at hand: await app.documents("api::article.article").findMany()')
    .action(async () => {
      const { openConsole } = await import("../open-console.js");
      await openConsole(process.cwd());
    });
}
