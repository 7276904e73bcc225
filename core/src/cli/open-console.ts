import { AsyncResource } from "node:async_hooks";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { type REPLServer, start as startRepl } from "node:repl";
import { PassThrough, type Readable } from "node:stream";
import type { Command, CommandCall } from "../app/command.js";

/** `plinth console`: a prompt with `app` in scope, until that is left. */
export const consoleCommand: Command & FollowsVersions = {
  description: "open a prompt with the app in scope",
  followsVersions: true,
  async run(context) {
    context.say("`app` is in scope, `await` works, .exit leaves");
    const repl = startPrompt(context);
    // Of an app that is developed, the version that serves now.
    Object.defineProperty(repl.context, "app", { get: () => context.app, enumerable: true });
    // Lines come as events of the terminal, which knows nothing of this command.
    const evaluate = repl.eval.bind(repl);
    Object.assign(repl, { eval: AsyncResource.bind((...given: Parameters<typeof evaluate>) => evaluate(...given)) });
    await once(repl, "exit");
  },
};

/** Of a command that asks `context.app` again and again; others work with the version that they began with. */
export interface FollowsVersions {
  readonly followsVersions: true;
}

function startPrompt({ stdin, stdout }: CommandCall): REPLServer {
  const prompt = "plinth> ";
  if (stdin.isTTY) return startRepl({ prompt, input: stdin, output: stdout, terminal: true });
  const lines = askByLine(stdin);
  const repl = startRepl({ prompt, input: lines.input, output: stdout });
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
