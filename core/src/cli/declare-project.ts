import { pino } from "pino";
import type { AppSetup } from "../app/app-setup.js";
import type { Project } from "../app/command.js";
import { createPlinth } from "../app/create-app.js";
import { coreCommands } from "./core-commands.js";
import { writeNewFiles } from "./generate/new-file.js";
import { codeFormOf, loadSetup } from "./load-setup.js";

/**
 * Declares the plugins of a project, with the commands of core, and its content model; starts nothing.
 *
 * @throws what declaring throws, PLINTH_SCHEMA_INVALID
 */
export function declareProject(setup: AppSetup): Project {
  const { root } = setup;
  const plugins = [coreCommands, ...setup.plugins];
  const declared = createPlinth({ ...setup, plugins, log: pino({ level: "silent" }) });
  const model = declared.declareModel();
  return {
    root,
    app: declared.app,
    model,
    writeFiles: (files) => writeNewFiles(root, files),
    withApp: async (work) => {
      const { app: { bootstrap: _, ...app } = {}, ...anew } = await loadSetup(root, codeFormOf(root));
      const plinth = createPlinth({ ...anew, app });
      await plinth.start({ listen: false });
      try {
        return await work(plinth.app);
      } finally {
        await plinth.stop();
      }
    },
  };
}
