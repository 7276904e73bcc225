import { resolve } from "node:path";
import { Command, CommanderError } from "commander";
import { generateCommand } from "./generate/generate-command.js";
import { addProjectCommands } from "./project-commands.js";
import { hooksCommand, pluginsCommand, routesCommand } from "./report-commands.js";
import { databaseCommand } from "./database-command.js";
import { type CommandHost, ownHost } from "./host.js";
import { runNamed } from "./run-named.js";
import { schemaCommand } from "./schema-command.js";
import { coreVersion } from "./core-package.js";
import { failureText } from "./print-failure.js";

/**
 * Runs the command that the arguments name: one of core, or of the project in the working directory. A failure is printed
 * and sets the exit code.
 *
 * @param args - what follows `plinth`.
 */
export async function runProgram(args: readonly string[], host = ownHost(args)): Promise<void> {
  try {
    const program = createProgram(host);
    await addProjectCommands(program, host, args);
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    // The parser has printed what was wrong with the arguments, or the help that was asked for.
    if (error instanceof CommanderError) host.exitWith(error.exitCode);
    else fail(error, host);
    host.hasEnded();
  }
}

function fail(error: unknown, { cwd, terminal, withStack, exitWith }: CommandHost): void {
  terminal.stderr.write(failureText(error, { withStack, root: cwd }));
  exitWith(1);
}

/**
 * The `plinth` command with all its commands; a name that is nearly right is answered with the one that was meant. What
 * needs a server or a database is imported by the command that needs it, so that the others answer at once.
 */
export function createProgram(host: CommandHost = ownHost([])): Command {
  const { stdout, stderr } = host.terminal;
  const program = new Command("plinth")
    .description("A content server: content-types in, a REST API out.")
    .version(coreVersion())
    .option("--debug", "print the stack of what failed")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
    .exitOverride();
  const commands = [
    newCommand(host),
    developCommand(),
    startCommand(),
    workCommand(),
    buildCommand(host),
    generateCommand(host),
    routesCommand(host),
    pluginsCommand(host),
    hooksCommand(host),
    schemaCommand(host),
    processesCommand(host),
    databaseCommand(host),
    typesCommand(host),
    consoleCommand(host),
  ];
  for (const command of commands) program.addCommand(withSettingsOf(program, command));
  return program;
}

/** addCommand, unlike command(), hands no settings down. */
function withSettingsOf(parent: Command, command: Command): Command {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) withSettingsOf(command, child);
  return command;
}

function newCommand(host: CommandHost): Command {
  return new Command("new")
    .description("make a new app in an empty folder")
    .argument("<dir>", "folder; made when it does not exist")
    .option("--empty", "without sample content and its content-types")
    .option("--no-install", "do not run `npm install`")
    .action(async (directory: string, { install, empty = false }: { install: boolean; empty?: boolean }) => {
      const { createProject } = await import("./scaffold/create-project.js");
      await createProject(resolve(host.cwd, directory), { shouldInstall: install, isEmpty: empty }, host);
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

function buildCommand(host: CommandHost): Command {
  const description = "compile the TypeScript sources to dist/, with what plugins make of them";
  return new Command("build").description(description).action(async () => {
    const { build } = await import("./build.js");
    await build(host);
    host.hasEnded();
  });
}

function typesCommand(host: CommandHost): Command {
  return new Command("types")
    .description("write types/generated.d.ts: content-types, components, actions and configuration, for the compiler")
    .option("--check", "write nothing, and fail when the file is not up to date")
    .action(async ({ check = false }: { check?: boolean }) => {
      const { generateTypes } = await import("./types/write-types.js");
      await generateTypes(host, { check });
    });
}

function processesCommand(host: CommandHost): Command {
  return new Command("processes")
    .description("list the processes that use the database, with the version and the content model of each")
    .option("--json", "print JSON")
    .action((options: object) => runNamed("processes", options, host));
}

function consoleCommand(host: CommandHost): Command {
  return new Command("console")
    .description('open a prompt with the app in scope: await app.documents("api::article.article").findMany()')
    .action(() => runNamed("console", {}, host));
}
