import { resolve } from "node:path";
import { Command } from "commander";
import { createProject } from "../scaffold/create-project.js";

/** `plinth new <dir>`: a new app in a folder. */
export function newCommand(): Command {
  return new Command("new")
    .description("make a new app in an empty folder")
    .argument("<dir>", "folder; made when it does not exist")
    .option("--empty", "without sample content and its content-types")
    .option("--no-install", "do not run `npm install`")
    .action((directory: string, { install, empty = false }: { install: boolean; empty?: boolean }) =>
      createProject(resolve(directory), { shouldInstall: install, isEmpty: empty }),
    );
}
