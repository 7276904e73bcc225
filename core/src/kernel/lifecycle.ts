import { AppTooEarlyError, KernelInterruptedError, KernelStateError } from "./errors.js";

/** The phases of a kernel, in order. */
export const PHASES = [
  "created",
  "declare",
  "register",
  "seal",
  "sync",
  "bootstrap",
  "listen",
  "running",
  "stopping",
  "stopped",
] as const;

/** One phase of a kernel. */
export type Phase = (typeof PHASES)[number];

/** The current phase of a kernel, and the operations that it allows. */
export class Lifecycle {
  #phase: Phase = "created";
  #isStopRequested = false;

  get phase(): Phase {
    return this.#phase;
  }

  /** Goes on to a phase. @throws PLINTH_KERNEL_INTERRUPTED when stop() was called meanwhile */
  enter(phase: Phase): void {
    this.#phase = phase;
    if (phase !== "stopping" && phase !== "stopped") this.assertWanted();
  }

  /** Lets the start give up at its next step. */
  requestStop(): void {
    this.#isStopRequested = true;
  }

  /** @throws PLINTH_KERNEL_INTERRUPTED when stop() was called */
  assertWanted(): void {
    if (this.#isStopRequested) throw new KernelInterruptedError({ phase: this.#phase });
  }

  /** @throws PLINTH_KERNEL_STATE once the start began */
  assertCreated(action: string): void {
    if (this.#phase !== "created") throw new KernelStateError({ action, phase: this.#phase });
  }

  /** @throws PLINTH_APP_TOO_EARLY details `{ what, phase, from }` */
  assertReached(what: string, from: Phase): void {
    if (PHASES.indexOf(this.#phase) < PHASES.indexOf(from)) {
      throw new AppTooEarlyError({ what, phase: this.#phase, from });
    }
  }
}
