import { once } from "node:events";
import { start as startRepl } from "node:repl";
import { createPlinth } from "../create-app.js";
import { endSoon } from "./end-soon.js";
import { codeFormOf, loadSetup } from "./load-setup.js";
import { say, withProgress } from "./terminal.js";

/** Runs the project in a folder on its configured database, without a port, and gives `app` to a prompt until that is left. */
export async function openConsole(root: string): Promise<void> {
  const plinth = createPlinth(await loadSetup(root, codeFormOf(root)));
  await withProgress("starting", () => plinth.start({ listen: false }));
  try {
    say("`app` is at hand, `await` works, .exit leaves");
    const repl = startRepl({ prompt: "plinth> " });
    repl.context["app"] = plinth.app;
    await once(repl, "exit");
  } finally {
    await plinth.stop();
    endSoon();
  }
}
