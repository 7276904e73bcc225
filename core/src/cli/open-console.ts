import { once } from "node:events";
import { type REPLServer, start as startRepl } from "node:repl";
import { createPlinth } from "../app/create-app.js";
import { askByLine } from "./ask-by-line.js";
import { exitWhenIdle } from "./exit-when-idle.js";
import { codeFormOf, loadSetup } from "./load-setup.js";
import { say, withProgress } from "./terminal.js";

/** Runs the project in a folder on its configured database, without a port, and gives `app` to a prompt until that is left. */
export async function openConsole(root: string): Promise<void> {
  const plinth = createPlinth(await loadSetup(root, codeFormOf(root)));
  await withProgress("starting", () => plinth.start({ listen: false }));
  try {
    say("`app` is at hand, `await` works, .exit leaves");
    const repl = startPrompt();
    repl.context["app"] = plinth.app;
    await once(repl, "exit");
  } finally {
    await plinth.stop();
    exitWhenIdle();
  }
}

function startPrompt(): REPLServer {
  const prompt = "plinth> ";
  if (process.stdin.isTTY) return startRepl({ prompt });
  const lines = askByLine(process.stdin);
  const repl = startRepl({ prompt, input: lines.input, output: process.stdout });
  lines.serve(repl);
  return repl;
}
