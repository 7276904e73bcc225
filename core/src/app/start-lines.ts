import { hook } from "../kernel/hook.js";

/** A line that the start prints, such as `{ name: "GraphQL", text: "http://127.0.0.1:1337/graphql" }`. */
export interface StartLine {
  /** At most nine characters, so that lines are aligned. */
  readonly name: string;
  readonly text: string;
}

/** Adds lines below the addresses that `plinth start` and `plinth develop` print once the server listens. */
export const transformStartLines = hook.waterfall<readonly StartLine[], { readonly url: string }>(
  "start:transformLines",
  "The lines that `plinth start` and `plinth develop` print below the addresses; `url` is where the server listens.",
);
