import { userInfo } from "node:os";
import { onAct } from "../access/acts.js";
import type { Project } from "../app/command.js";
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

/** Tells the hook `access:onAct` of a command before it runs: its name, and which options it got; their values may be secret. */
export async function tellCommand(app: App, { name, options, user }: ToldCommand): Promise<void> {
  if (!app.hooks.has(onAct)) return;
  await app.hooks.notify(onAct, {
    ...{ action: "command.run", result: "accepted" },
    origin: { transport: "command", actor: { kind: "system", id: user } },
    details: { command: name, options: Object.keys(options).sort() },
  });
}

/** A project whose app, where it is started, has the command noted first; one of another configuration is that of a copy. */
export function tellingProject<P extends Project>(project: P, command: ToldCommand): P {
  const withApp: Project["withApp"] = (work, config) =>
    project.withApp(async (app) => {
      if (!config) await tellCommand(app, command);
      return await work(app);
    }, config);
  return { ...project, withApp };
}
