import { hook } from "../kernel/hook.js";

/** A build of a project, after its own code was compiled. */
export interface BuildEvent {
  /** The folder of the project. */
  readonly root: string;
  /** The folder that the build goes to: `dist/` of the project, with its compiled code in it. */
  readonly directory: string;
  /** Writes a line about what is going on to stderr. */
  say(line: string): void;
}

/** For plugins that make something of the files of a project, such as what browsers run. A throw fails the build. */
export const afterBuild = hook.series<BuildEvent>(
  "app:afterBuild",
  "After `plinth build` has compiled the code of the app; the app is declared, and does not start.",
);
