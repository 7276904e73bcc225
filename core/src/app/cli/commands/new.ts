import { resolve } from "node:path";
import { Command } from "commander";
import { createProject } from "../scaffold/create-project.js";

/** `plinth new <dir>`: a new app in a folder. */
export function newCommand(): Command {
  return new Command("new")
    .description("make a new app in an empty folder")
    .argument("<dir>", "folder; made when it is not there")
    .option("--no-install", "leave `npm install` to you")
    .action((directory: string, { install }: { install: boolean }) =>
      createProject(resolve(directory), { shouldInstall: install }),
    );
}
