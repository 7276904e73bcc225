import { messageOf } from "../ui/state.js";
import { sayWrong } from "../ui/toast.js";

const failed = new WeakSet<object>();

/** Whether a part of an extension is to be shown: what its `when` says. One that throws is shown nowhere, which is said once. */
export function isWanted<Given extends readonly unknown[]>(
  owner: string,
  when: ((...given: Given) => boolean) | undefined,
  ...given: Given
): boolean {
  if (!when) return true;
  try {
    return when(...given);
  } catch (error) {
    // Not while the page is being drawn: what says it is drawn, too.
    if (!failed.has(when)) queueMicrotask(() => sayFailed(owner, error));
    failed.add(when);
    return false;
  }
}

/** Runs what somebody started of an extension. What goes wrong in it is said. */
export function runOf(owner: string, run: () => void | Promise<void>): void {
  Promise.resolve()
    .then(run)
    .catch((error: unknown) => sayFailed(owner, error));
}

const sayFailed = (owner: string, error: unknown): void => sayWrong(`${owner}: ${messageOf(error)}`);
