import { Command } from "commander";
import { build } from "../build.js";

/** `plinth build`: compiles the project to dist/. */
export function buildCommand(): Command {
  return new Command("build").description("compile the TypeScript sources to dist/").action(() => build(process.cwd()));
}
