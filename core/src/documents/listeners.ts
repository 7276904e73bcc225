import type { Database } from "../database/driver/database.js";
import type { AnyHook } from "../kernel/hook.js";
import type { HookBus } from "../kernel/hook-bus.js";
import { aroundOperation, type OperationContext, type WriteEvent, writeHooks } from "./hooks.js";

/** The hooks of documents as the operations call them: a hook without handlers costs nothing. */
export class Listeners {
  readonly #handled: ReadonlySet<string>;

  /** @param bus - sealed: no handler is added any more. */
  constructor(
    readonly bus: HookBus,
    private readonly db: Database,
  ) {
    this.#handled = new Set(
      bus
        .list()
        .filter(({ taps }) => taps.length > 0)
        .map(({ name }) => name),
    );
  }

  /** Whether a hook has handlers. @param uid - for this content-type; default: for any. */
  has(target: AnyHook, uid?: string): boolean {
    return this.#handled.has(target.name) && (uid === undefined || this.bus.has(target, uid));
  }

  /** Runs an operation inside the handlers around it. */
  around<Result>(context: OperationContext, run: () => Promise<Result>): Promise<Result> {
    // Handlers may return anything; what they return in place of the result is their contract with the caller.
    return this.bus.around(aroundOperation, context, run) as Promise<Result>;
  }

  /** Inside the transaction, before the change, which handlers may refuse. */
  async before(write: keyof typeof writeHooks, event: WriteEvent): Promise<void> {
    const { before } = writeHooks[write];
    if (this.has(before, event.uid)) await this.bus.series(before, event);
  }

  /** Inside the transaction, where something is going to change: what handlers have go ahead of it is sent with the next statement. */
  async ahead(write: keyof typeof writeHooks, event: WriteEvent): Promise<void> {
    await this.#defer(writeHooks[write].ahead, event);
  }

  /** Inside the transaction, sent with its next statement: what handlers have go along with the change. */
  async along(write: keyof typeof writeHooks, event: WriteEvent): Promise<void> {
    await this.#defer(writeHooks[write].along, event);
  }

  async #defer(target: (typeof writeHooks)["create"]["ahead" | "along"], event: WriteEvent): Promise<void> {
    if (!this.has(target, event.uid)) return;
    for (const statement of await this.bus.gather(target, event)) this.db.defer(statement);
  }

  /** Whether a hook runs before the change of a write, inside the transaction. */
  hasBefore(write: keyof typeof writeHooks, uid: string): boolean {
    return this.has(writeHooks[write].before, uid);
  }

  /** Whether a hook runs after the change of a write, inside the transaction. */
  hasAfter(write: keyof typeof writeHooks, uid: string): boolean {
    return this.has(writeHooks[write].after, uid);
  }

  /** Inside the transaction, after the change; handlers of `on*` run after the commit. */
  async after(write: keyof typeof writeHooks, event: WriteEvent): Promise<void> {
    const { after, on } = writeHooks[write];
    if (this.has(after, event.uid)) await this.bus.series(after, event);
    if (this.has(on, event.uid)) this.db.afterCommit(() => void this.bus.notify(on, event));
  }
}
