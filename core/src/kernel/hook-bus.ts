import { isPlinthError, type PlinthError, reasonOf } from "../base/error.js";
import { sortByAfter } from "../base/sort.js";
import {
  HookHandlerError,
  HookHandlerInvalidError,
  HookNextTwiceError,
  HookNoReturnError,
  HookOrderError,
  RegistryOpenError,
  RegistrySealedError,
  RegistryUnknownError,
} from "./errors.js";
import type { AnyHook, HandlerOf, Hook, HookReport, Interceptor, TapOrder } from "./hook.js";
import { Registry } from "./registry.js";

interface Tap extends TapOrder {
  /** The plugin. */
  readonly name: string;
  readonly handler: (...args: readonly unknown[]) => unknown;
}

/** The plugin order of listeners. */
export interface TapOptions extends TapOrder {
  readonly owner: string;
}

/** The hooks, their handlers, and the calls. Every failure names the hook and the plugin, and keeps its cause. */
export class HookBus {
  readonly #declared = new Registry<AnyHook>("hook");
  readonly #taps = new Map<string, Tap[]>();
  readonly #pending = new Set<Promise<void>>();
  #ordered: ReadonlyMap<string, readonly Tap[]> | undefined;
  #interceptors: readonly Interceptor[] = [];

  /** @param log - where failures of `on*` handlers go; they never reach the caller. */
  constructor(private readonly log: (error: Error) => void) {}

  /** Whether the handlers are in their final order; hooks are called and listed from then on. */
  get isSealed(): boolean {
    return this.#ordered !== undefined;
  }

  /** Makes a hook known. @throws PLINTH_REGISTRY_DUPLICATE, PLINTH_REGISTRY_SEALED */
  declare(target: AnyHook, owner: string): void {
    this.#declared.add(target.name, target, owner);
  }

  /**
   * Adds a handler; its hook may be declared later.
   *
   * @throws PLINTH_REGISTRY_SEALED after register, PLINTH_HOOK_HANDLER_INVALID
   */
  tap<H extends AnyHook>(target: H, handler: HandlerOf<H>, { owner, ...order }: TapOptions): void {
    assertFunction(handler, target.name);
    if (this.#ordered) throw new RegistrySealedError({ registry: "hook", uid: target.name, owner });
    const taps = this.#taps.get(target.name) ?? [];
    // The hook's type has checked the handler; from here on it is called through that type only.
    taps.push({ ...order, name: owner, handler: handler as unknown as Tap["handler"] });
    this.#taps.set(target.name, taps);
  }

  /** Wraps every handler from now on. @returns a function that removes the wrapper. @throws PLINTH_HOOK_HANDLER_INVALID */
  intercept(interceptor: Interceptor): () => void {
    assertFunction(interceptor, "intercept");
    this.#interceptors = [...this.#interceptors, interceptor];
    return () => {
      this.#interceptors = this.#interceptors.filter((other) => other !== interceptor);
    };
  }

  /**
   * Orders the handlers of every hook, once.
   *
   * @returns a PLINTH_REGISTRY_UNKNOWN for every handler of an undeclared hook, a PLINTH_HOOK_ORDER_CYCLE for every
   * hook whose handlers contradict each other.
   */
  seal(): readonly PlinthError[] {
    this.#declared.seal();
    const known = this.#declared.keys();
    const problems: PlinthError[] = [];
    const ordered = new Map<string, readonly Tap[]>(known.map((name) => [name, []]));
    for (const [uid, taps] of this.#taps) {
      const sorted = sortByAfter(taps);
      if (!this.#declared.has(uid)) {
        problems.push(
          ...taps.map(({ name: owner }) => new RegistryUnknownError({ registry: "hook", uid, known, owner })),
        );
      } else if ("cycle" in sorted) problems.push(new HookOrderError({ hook: uid, path: sorted.cycle }));
      else ordered.set(uid, sorted.order);
    }
    this.#ordered = ordered;
    return problems;
  }

  /** Every declared hook with its handlers. */
  list(): readonly HookReport[] {
    return this.#declared.entries().map(([name, target]) => ({
      ...target,
      owner: this.#declared.ownerOf(name),
      taps: this.#tapsOf(target).map((tap) => tap.name),
    }));
  }

  /** The uids that handlers of the given hooks are limited to by `about`, with the plugin that says so. */
  subjectsOf(targets: readonly AnyHook[]): readonly { readonly owner: string; readonly uid: string }[] {
    const taps = targets.flatMap((target) => this.#tapsOf(target));
    return taps.flatMap(({ name: owner, about = [] }) => about.map((uid) => ({ owner, uid })));
  }

  /** Whether a hook has handlers for a uid: cheap, so that a caller can skip work that only a handler would see. */
  has(target: AnyHook, uid?: string): boolean {
    return (uid === undefined ? this.#tapsOf(target) : this.#tapsAbout(target, { uid })).length > 0;
  }

  /** Calls the handlers of a before* or after* hook one by one; the first failure ends it. */
  async series<E>(target: Hook<"series", E>, event: E): Promise<void> {
    for (const tap of this.#tapsAbout(target, event)) await this.#call(target, tap, [event]);
  }

  /** Passes a value through the handlers of a transform* hook. @throws PLINTH_HOOK_NO_RETURN */
  async waterfall<C, V>(target: Hook<"waterfall", C, V>, value: V, context: C): Promise<V> {
    let current = value;
    for (const tap of this.#tapsAbout(target, context)) {
      const next = await this.#call(target, tap, [current, context]);
      if (next === undefined) throw new HookNoReturnError({ hook: target.name, owner: tap.name });
      current = next as V;
    }
    return current;
  }

  /** Asks the handlers of a resolve* hook in order; the first answer that is not undefined is it. */
  async bail<E, R>(target: Hook<"bail", E, R>, event: E): Promise<R | undefined> {
    for (const tap of this.#tapsAbout(target, event)) {
      const answer = await this.#call(target, tap, [event]);
      if (answer !== undefined) return answer as R;
    }
    return undefined;
  }

  /** What the handlers of an ahead* or along* hook return, one after the other. */
  async gather<E, R>(target: Hook<"gather", E, R>, event: E): Promise<readonly R[]> {
    const gathered: R[] = [];
    for (const tap of this.#tapsAbout(target, event)) {
      const added = (await this.#call(target, tap, [event])) as readonly R[] | undefined;
      gathered.push(...(added ?? []));
    }
    return gathered;
  }

  /** Runs the handlers of an on* hook, in parallel. Never rejects: failures go to the log. May be left unawaited. */
  notify<E>(target: Hook<"notify", E>, event: E): Promise<void> {
    const running = Promise.all(this.#tapsAbout(target, event).map((tap) => this.#tell(target, tap, event))).then(
      () => {
        this.#pending.delete(running);
      },
    );
    this.#pending.add(running);
    return running;
  }

  /** Runs `core` inside the handlers of an around* hook; a failure of `core` itself reaches the caller unchanged. */
  async around<C, R>(target: Hook<"around", C, R>, context: C, core: () => Promise<R>): Promise<R> {
    const taps = this.#tapsAbout(target, context);
    const passing = new Set<unknown>();
    const run = async (index: number): Promise<R> => {
      const tap = taps[index];
      if (tap) return (await this.#call(target, tap, [context, once(target, tap, () => run(index + 1))], passing)) as R;
      try {
        return await core();
      } catch (error) {
        passing.add(error);
        throw error;
      }
    };
    return await run(0);
  }

  /** Waits until no notification is under way. */
  async idle(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  #tapsOf(target: AnyHook): readonly Tap[] {
    const taps = this.#ordered?.get(target.name);
    if (taps) return taps;
    const uid = target.name;
    if (!this.#ordered) throw new RegistryOpenError({ registry: "hook", uid });
    throw new RegistryUnknownError({ registry: "hook", uid, known: this.#declared.keys() });
  }

  /** Without handlers for other types. */
  #tapsAbout(target: AnyHook, subject: unknown): readonly Tap[] {
    const { uid } = (subject ?? {}) as { readonly uid?: unknown };
    return this.#tapsOf(target).filter(({ about }) => about === undefined || about.includes(String(uid)));
  }

  async #tell(target: AnyHook, tap: Tap, event: unknown): Promise<void> {
    try {
      await this.#run(target, tap, [event]);
    } catch (cause) {
      this.log(handlerError(target, tap, cause));
    }
  }

  /** @param passing - errors that are not the handler's own; they go on as they are. */
  async #call(target: AnyHook, tap: Tap, args: readonly unknown[], passing?: ReadonlySet<unknown>): Promise<unknown> {
    try {
      return await this.#run(target, tap, args);
    } catch (cause) {
      if (isPlinthError(cause) || passing?.has(cause)) throw cause;
      throw handlerError(target, tap, cause);
    }
  }

  #run(target: AnyHook, tap: Tap, args: readonly unknown[]): Promise<unknown> {
    const call = { hook: target.name, kind: target.kind, owner: tap.name };
    const handler = async (): Promise<unknown> => await tap.handler(...args);
    const run = this.#interceptors.reduceRight<() => Promise<unknown>>(
      (next, interceptor) => () => interceptor(call, next),
      handler,
    );
    return run();
  }
}

function handlerError(target: AnyHook, tap: Tap, cause: unknown): PlinthError {
  return new HookHandlerError({ hook: target.name, owner: tap.name, reason: reasonOf(cause) }, { cause });
}

/** @throws PLINTH_HOOK_NEXT_TWICE at the second call */
function once<R>(target: AnyHook, tap: Tap, next: () => Promise<R>): () => Promise<R> {
  let isCalled = false;
  return async () => {
    if (isCalled) throw new HookNextTwiceError({ hook: target.name, owner: tap.name });
    isCalled = true;
    return await next();
  };
}

/** Found when it is added: when it runs, it would fail the work of everybody. */
function assertFunction(handler: unknown, hook: string): void {
  if (typeof handler !== "function") throw new HookHandlerInvalidError({ hook, given: typeof handler });
}
