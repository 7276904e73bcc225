import { resolve } from "node:path";
import { Command } from "commander";
import { generateCommand } from "./generate/generate-command.js";
import { addProjectCommands } from "./project-commands.js";
import { hooksCommand, pluginsCommand, routesCommand } from "./report-commands.js";
import { databaseCommand } from "./database-command.js";
import { runNamed } from "./run-named.js";
import { schemaCommand } from "./schema-command.js";
import { coreVersion } from "./core-package.js";

/**
 * Runs the command that the arguments name: one of core, or of the project in a folder.
 *
 * @param args - what follows `plinth`.
 * @throws what the command throws
 */
export async function runProgram(args: readonly string[], root: string): Promise<void> {
  const program = createProgram();
  await addProjectCommands(program, root, args);
  await program.parseAsync(args, { from: "user" });
}

/**
 * The `plinth` command with all its commands; a name that is nearly right is answered with the one that was meant. What
 * needs a server or a database is imported by the command that needs it, so that the others answer at once.
 */
export function createProgram(): Command {
  const program = new Command("plinth")
    .description("A content server: content-types in, a REST API out.")
    .version(coreVersion())
    .option("--debug", "print the stack of what failed")
    .configureHelp({ showGlobalOptions: true });
  const commands = [
    newCommand(),
    developCommand(),
    startCommand(),
    workCommand(),
    buildCommand(),
    generateCommand(),
    routesCommand(),
    pluginsCommand(),
    hooksCommand(),
    schemaCommand(),
    processesCommand(),
    databaseCommand(),
    typesCommand(),
    consoleCommand(),
  ];
  // addCommand, unlike command(), hands no settings down.
  for (const command of commands) program.addCommand(command.copyInheritedSettings(program));
  return program;
}

function newCommand(): Command {
  return new Command("new")
    .description("make a new app in an empty folder")
    .argument("<dir>", "folder; made when it does not exist")
    .option("--empty", "without sample content and its content-types")
    .option("--no-install", "do not run `npm install`")
    .action(async (directory: string, { install, empty = false }: { install: boolean; empty?: boolean }) => {
      const { createProject } = await import("./scaffold/create-project.js");
      await createProject(resolve(directory), { shouldInstall: install, isEmpty: empty });
    });
}

function developCommand(): Command {
  return new Command("develop")
    .description("serve the sources, and start again when a file changes")
    .option("--inspect [port]", "let a debugger attach to the app, on 127.0.0.1; 9229 by default")
    .action(async (_options: object, command: Command) => {
      const { develop } = await import("./develop/develop.js");
      await develop(process.cwd(), command.optsWithGlobals<{ debug?: boolean; inspect?: string | true }>());
    });
}

interface StartOptions {
  readonly sources?: boolean;
  readonly workers?: string;
  readonly debug?: boolean;
}

function startCommand(): Command {
  return new Command("start")
    .description("serve the built app")
    .option("--sources", "run the TypeScript sources instead of the build")
    .option("--workers <n>", "serve with so many processes, or `auto` for one a processor core; SIGHUP replaces them")
    .action(async (_options: object, command: Command) => {
      const { sources, workers, debug = false } = command.optsWithGlobals<StartOptions>();
      const form = sources ? "sources" : "build";
      if (workers === undefined) return (await import("./serve.js")).serve(process.cwd(), form);
      const { countWorkers } = await import("./workers/count-workers.js");
      const count = countWorkers(workers);
      const { startWorkers } = await import("./workers/start-workers.js");
      await startWorkers(process.cwd(), { count, form, withStack: debug });
    });
}

function workCommand(): Command {
  return new Command("work")
    .description("do what is to be done in the background, such as jobs, and take no requests")
    .option("--sources", "run the TypeScript sources instead of the build")
    .action(async (_options: object, command: Command) => {
      const { sources } = command.optsWithGlobals<StartOptions>();
      const { serve, WORKING } = await import("./serve.js");
      await serve(process.cwd(), sources ? "sources" : "build", WORKING);
    });
}

function buildCommand(): Command {
  const description = "compile the TypeScript sources to dist/, with what plugins make of them";
  return new Command("build").description(description).action(async () => {
    const { build } = await import("./build.js");
    const { exitWhenIdle } = await import("./stop-on-signal.js");
    await build(process.cwd());
    exitWhenIdle();
  });
}

function typesCommand(): Command {
  return new Command("types")
    .description("write types/generated.d.ts: content-types, components, actions and configuration, for the compiler")
    .option("--check", "write nothing, and fail when the file is not up to date")
    .action(async ({ check = false }: { check?: boolean }) => {
      const { generateTypes } = await import("./types/write-types.js");
      await generateTypes(process.cwd(), { check });
    });
}

function processesCommand(): Command {
  return new Command("processes")
    .description("list the processes that use the database, with the version and the content model of each")
    .option("--json", "print JSON")
    .action((options: object) => runNamed("processes", options));
}

function consoleCommand(): Command {
  return new Command("console")
    .description('open a prompt with the app in scope: await app.documents("api::article.article").findMany()')
    .action(() => runNamed("console", {}));
}
