import { Command } from "commander";

/** `plinth start`: serves the built app. */
export function startCommand(): Command {
  return new Command("start")
    .description("serve the built app")
    .option("--sources", "run the TypeScript sources instead of the build")
    .action(async ({ sources = false }: { sources?: boolean }) => {
      // Before the app is loaded: the lines of a stack are then those of its sources.
      process.setSourceMapsEnabled(true);
      const { serve } = await import("../serve.js");
      await serve(process.cwd(), sources ? "sources" : "build");
    });
}
