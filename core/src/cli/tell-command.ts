import { userInfo } from "node:os";
import { type Act, onAct } from "../access/acts.js";
import { commandOrigin, withOrigin } from "../access/origin.js";
import type { CommandCall, Project } from "../app/command.js";
import { isPlinthError } from "../base/error.js";
import type { App } from "../kernel/app.js";

/** A command that is about to run. */
export interface ToldCommand {
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Of the system, on whose behalf it runs; undefined where the system has no name for them. */
  readonly user: string | undefined;
}

/** The user of the system who runs this process; undefined for one without a name, as in some containers. */
export function systemUser(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

/**
 * Runs a command, from which its writes come, and tells the hook `access:onAct` of it: before, its name and which options it
 * got, whose values may be secret; and once more where it fails.
 *
 * @param hasFailed - whether it has, although it did not throw. @throws what the command throws
 */
export async function tellingCommand<T>(
  app: App,
  { name, options, user }: ToldCommand,
  work: () => Promise<T>,
  hasFailed: () => boolean = () => false,
): Promise<T> {
  const origin = commandOrigin(user);
  const run = () => withOrigin(() => origin, work);
  if (!app.hooks.has(onAct)) return await run();
  const tell = (result: Act["result"], more: object = {}) =>
    app.hooks.notify(onAct, {
      ...{ action: "command.run", result, origin },
      details: { command: name, options: Object.keys(options).sort(), ...more },
    });
  await tell("accepted");
  try {
    const done = await run();
    if (hasFailed()) await tell("failed");
    return done;
  } catch (error) {
    await tell("failed", isPlinthError(error) ? { code: error.code } : {});
    throw error;
  }
}

/** The same of a command that works with an app; it may say that it failed. @throws what the command throws */
export async function runTold<Call extends Pick<CommandCall, "fail">>(
  app: App,
  command: ToldCommand,
  call: Call,
  run: (call: Call) => void | Promise<void>,
): Promise<void> {
  let hasFailed = false;
  const fail = () => {
    hasFailed = true;
    call.fail();
  };
  await tellingCommand(
    app,
    command,
    async () => run({ ...call, fail }),
    () => hasFailed,
  );
}

/** A project whose app, where it is started, has the command noted; one of another configuration is that of a copy. */
export function tellingProject<P extends Project>(project: P, command: ToldCommand): P {
  const withApp: Project["withApp"] = (work, config) =>
    project.withApp(
      async (app) => (config ? await work(app) : await tellingCommand(app, command, () => work(app))),
      config,
    );
  return { ...project, withApp };
}
