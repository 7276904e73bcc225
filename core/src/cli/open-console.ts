import { once } from "node:events";
import { createInterface } from "node:readline";
import { type REPLServer, start as startRepl } from "node:repl";
import { PassThrough, type Readable } from "node:stream";
import { createPlinth } from "../app/create-app.js";
import { exitWhenIdle } from "./stop-on-signal.js";
import { codeFormOf, loadSetup } from "./load-setup.js";
import { say, withProgress } from "./terminal.js";

/** Runs the project in a folder on its configured database, without a port, and gives `app` to a prompt until that is left. */
export async function openConsole(root: string): Promise<void> {
  const plinth = createPlinth(await loadSetup(root, codeFormOf(root)));
  await withProgress("starting", () => plinth.start({ listen: false }));
  try {
    say("`app` is in scope, `await` works, .exit leaves");
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

/** Lines for a prompt that takes one when it asks for it. */
export interface LinesForPrompt {
  readonly input: Readable;
  /** Lets the prompt ask; called once, when it is there. */
  serve(repl: REPLServer): void;
}

/**
 * Gives a prompt the lines of a pipe one at a time. A prompt that reads a pipe itself takes all of its lines at once, so that
 * those after an `await` run, and print, before it is over, and `.exit` leaves while it runs.
 *
 * @param source - text, in lines.
 */
export function askByLine(source: Readable): LinesForPrompt {
  const lines = createInterface({ input: source })[Symbol.asyncIterator]();
  const input = new PassThrough();
  const feed = async () => {
    const { value, done } = await lines.next();
    if (done) input.end();
    else input.write(`${value}\n`);
  };
  return {
    input,
    serve: (repl) => {
      const display = repl.displayPrompt.bind(repl);
      repl.displayPrompt = (preserveCursor) => {
        display(preserveCursor);
        void feed();
      };
      void feed();
    },
  };
}
