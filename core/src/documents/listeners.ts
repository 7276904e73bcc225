import type { AnyHook } from "../kernel/hook.js";
import type { HookBus } from "../kernel/hook-bus.js";
import type { Database } from "../database/driver/database.js";
import { aroundOperation, type Operation, type WriteEvent, writeHooks } from "./hooks.js";

/** The hooks of documents as the operations call them: a hook that nobody listens to costs nothing. */
export class Listeners {
  readonly #heard: ReadonlySet<string>;

  /** @param hooks - sealed: who listens does not change any more. */
  constructor(
    readonly bus: HookBus,
    private readonly db: Database,
  ) {
    this.#heard = new Set(
      bus
        .list()
        .filter(({ taps }) => taps.length > 0)
        .map(({ name }) => name),
    );
  }

  /** @param uid - a content-type; default: whether anybody hears of any. */
  hears(target: AnyHook, uid?: string): boolean {
    return this.#heard.has(target.name) && (uid === undefined || this.bus.has(target, uid));
  }

  /** Runs an operation inside the handlers around it. */
  around<Result>(
    context: { uid: string; operation: Operation; params: unknown },
    run: () => Promise<Result>,
  ): Promise<Result> {
    // Handlers may return anything; what they return in place of the result is their contract with the caller.
    return this.hears(aroundOperation, context.uid)
      ? (this.bus.around(aroundOperation, context, run) as Promise<Result>)
      : run();
  }

  /** Inside the transaction, before the change. */
  async before(write: keyof typeof writeHooks, event: WriteEvent): Promise<void> {
    const target = writeHooks[write].before;
    if (this.hears(target, event.uid)) await this.bus.series(target, event);
  }

  /** Whether somebody takes part in a write before the change, inside the transaction. */
  hearsBefore(write: keyof typeof writeHooks, uid: string): boolean {
    return this.hears(writeHooks[write].before, uid);
  }

  /** Whether somebody takes part in a write after the change, inside the transaction. */
  hearsAfter(write: keyof typeof writeHooks, uid: string): boolean {
    return this.hears(writeHooks[write].after, uid);
  }

  /** Inside the transaction, after the change; those who listen to `on*` are told after the commit. */
  async after(write: keyof typeof writeHooks, event: WriteEvent): Promise<void> {
    const { after, on } = writeHooks[write];
    if (this.hears(after, event.uid)) await this.bus.series(after, event);
    if (this.hears(on, event.uid)) this.db.afterCommit(() => void this.bus.notify(on, event));
  }
}
