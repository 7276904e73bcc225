import { Command } from "commander";

/** `plinth types`: writes what the compiler knows of the app. */
export function typesCommand(): Command {
  return new Command("types")
    .description("write types/generated.d.ts: content-types, components, actions and configuration, for the compiler")
    .option("--check", "write nothing, and fail when the file is not up to date")
    .action(async ({ check = false }: { check?: boolean }) => {
      const { generateTypes } = await import("../generate-types.js");
      await generateTypes(process.cwd(), { check });
    });
}
