import { createInterface } from "node:readline";
import type { REPLServer } from "node:repl";
import { PassThrough, type Readable } from "node:stream";

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
