// Errors that no code caught: they are logged, and the process goes on serving.
import type { EventEmitter } from "node:events";
import { reasonOf } from "../base/error.js";
import { explainStrapiCode } from "../base/strapi-code.js";
import { UncaughtError } from "./errors.js";

type Events = Pick<EventEmitter, "on" | "off">;

/** What is used of a process. */
interface WatchedProcess extends Events {
  readonly stdout: Events;
  readonly stderr: Events;
  exit(code: number): void;
}

/**
 * Reports what is thrown outside of any request, and rejected promises that nothing awaits, in place of ending the process:
 * one faulty line of an app would end the requests of everybody else. Output that cannot be written still ends it:
 * there is nothing left to report to.
 *
 * @param report - gets a PLINTH_UNCAUGHT with the error as its `cause`.
 * @returns leaves such errors to Node again
 * @source https://nodejs.org/docs/latest-v20.x/api/process.html#event-uncaughtexception
 */
export function reportUncaught(report: (error: Error) => void, watched: WatchedProcess = process): () => void {
  const told = (what: string) => (thrown: unknown) => {
    const cause = explainStrapiCode(thrown) ?? thrown;
    report(new UncaughtError({ what, reason: reasonOf(cause) }, { cause }));
  };
  const end = () => watched.exit(1);
  const listeners = [
    { of: watched, event: "uncaughtException", run: told("An error was thrown outside of any request") },
    { of: watched, event: "unhandledRejection", run: told("A promise was rejected that nothing awaits") },
    { of: watched.stdout, event: "error", run: end },
    { of: watched.stderr, event: "error", run: end },
  ];
  for (const { of, event, run } of listeners) of.on(event, run);
  return () => {
    for (const { of, event, run } of listeners) of.off(event, run);
  };
}
