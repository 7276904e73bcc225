import { realpathSync } from "node:fs";
import type { App } from "../../kernel/app.js";
import type { CommandCall, CommandContext } from "../../app/command.js";
import { CommandUnknownError, DatabaseInUseError } from "../errors.js";
import { type DeclaredProject, declareProject } from "../inspect.js";
import { ownCommand } from "../own-commands.js";
import { runTold, tellingProject } from "../tell-command.js";
import { table, type Terminal } from "../terminal.js";
import type { CommandRequest } from "./request.js";
import type { RunningApp } from "./running-app.js";

/**
 * Runs a command for a caller in the app of this process.
 *
 * @throws PLINTH_CLI_COMMAND_UNKNOWN, PLINTH_CLI_DATABASE_IN_USE (500), and what the command throws
 */
export async function runRequest(request: CommandRequest, running: RunningApp, terminal: Terminal): Promise<void> {
  const { command: name, arguments: given, options, root } = request;
  if (root !== realpathSync(running.root))
    throw new DatabaseInUseError({ what: `The project in ${root}`, by: running.by, pid: process.pid });
  const command = ownCommand(name) ?? commandOf(running.app, name);
  if (!command) throw new CommandUnknownError({ command: name, by: running.by, pid: process.pid });
  const call = { arguments: given, options, table, ...terminal };
  const told = { name, options, user: request.user };
  if ("runOnProject" in command) {
    const project = tellingProject(await readProject(running, name), told);
    await running.hold(async () => command.runOnProject({ ...call, project }));
    return;
  }
  const run = (own: CommandCall) => command.run(withCurrentApp(own, running));
  await runTold(running.app, told, call, (own) =>
    "followsVersions" in command ? run(own) : running.hold(async () => run(own)),
  );
}

function commandOf(app: App, name: string) {
  const commands = app.registry("command");
  return commands.has(name) ? commands.get(name) : undefined;
}

const withCurrentApp = (call: CommandCall, running: RunningApp): CommandContext => ({
  ...call,
  get app() {
    return running.app;
  },
});

/** The project as its files are now, whose app is the one that runs. */
async function readProject(running: RunningApp, name: string): Promise<DeclaredProject> {
  const refuse = () => {
    throw new DatabaseInUseError({ what: `plinth ${name}`, by: running.by, pid: process.pid });
  };
  const project = declareProject(await running.read());
  return {
    ...project,
    writeFiles: async (files) => (files.length > 0 ? refuse() : undefined),
    // Another configuration is that of another app, on another database.
    withApp: (work, config) => (config ? project.withApp(work, config) : work(running.app)),
    withDatabase: async (work, { isAlone = false } = {}) => (isAlone ? refuse() : work(running.app.db)),
  };
}
