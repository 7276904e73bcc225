/**
 * What a handler of each kind of hook looks like. `A` is the event or context, `R` the value or result.
 *
 * | verb in the name | kind      | handler                          | when a handler throws   |
 * | ---------------- | --------- | -------------------------------- | ----------------------- |
 * | before*, after*  | series    | (event) => void, one by one      | the caller fails        |
 * | transform*       | waterfall | (value, context) => value        | the caller fails        |
 * | resolve*         | bail      | (event) => answer or undefined   | the caller fails        |
 * | ahead*, along*   | gather    | (event) => list of what goes along, or undefined | the caller fails |
 * | on*              | notify    | (event) => void, in parallel     | logged, the caller goes on |
 * | around*          | around    | (context, next) => result        | the caller fails        |
 */
export interface HookTypes<A, R> {
  series: (event: A) => void | Promise<void>;
  waterfall: (value: R, context: A) => R | Promise<R>;
  bail: (event: A) => R | undefined | Promise<R | undefined>;
  gather: (event: A) => readonly R[] | undefined;
  notify: (event: A) => void | Promise<void>;
  around: (context: A, next: () => Promise<R>) => Promise<R>;
}

/** How the handlers of a hook work together. */
export type HookKind = keyof HookTypes<unknown, unknown>;

/** A hook of any kind, without its types. */
export interface AnyHook {
  readonly kind: HookKind;
  /** `<owner>:<verb><Subject>`: `documents:beforeCreate`. */
  readonly name: string;
  /** One sentence for the list of hooks: when it is called, and with what. */
  readonly description: string;
}

declare const TYPE: unique symbol;

/** A place where plugins may take part; a value, exported by its owner and listed in the owner's `hooks`. */
export interface Hook<K extends HookKind, A, R = void> extends AnyHook {
  readonly kind: K;
  /** Absent at run time; holds the types for inference. */
  readonly [TYPE]?: { readonly a: A; readonly r: R };
}

/** The handler that a hook takes. */
export type HandlerOf<H> = H extends Hook<infer K, infer A, infer R> ? HookTypes<A, R>[K] : never;

/** A hook's name with one of the verbs of its kind. */
export type HookName<Verb extends string> = `${string}:${Verb}${Capitalize<string>}`;

/** Makes hooks, by kind: `hook.series<Event>("bookmarks:afterAdd", "After a bookmark was added.")`. */
export const hook = {
  series: <E>(name: HookName<"before" | "after">, description: string): Hook<"series", E> => ({
    kind: "series",
    name,
    description,
  }),
  waterfall: <V, C = undefined>(name: HookName<"transform">, description: string): Hook<"waterfall", C, V> => ({
    kind: "waterfall",
    name,
    description,
  }),
  bail: <E, R>(name: HookName<"resolve">, description: string): Hook<"bail", E, R> => ({
    kind: "bail",
    name,
    description,
  }),
  gather: <E, R>(name: HookName<"ahead" | "along">, description: string): Hook<"gather", E, R> => ({
    kind: "gather",
    name,
    description,
  }),
  notify: <E>(name: HookName<"on">, description: string): Hook<"notify", E> => ({ kind: "notify", name, description }),
  around: <C, R>(name: HookName<"around">, description: string): Hook<"around", C, R> => ({
    kind: "around",
    name,
    description,
  }),
};

/** Where a handler stands among those of other plugins; names of plugins that are not there are ignored. */
export interface TapOrder {
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  /**
   * Uids of what the handler is about: it is called for events (of transform* and around* hooks: contexts) with one of
   * them as their `uid`. Default: for all. Work on other types can then be done as if there were no handler.
   */
  readonly about?: readonly string[];
}

/** One call of one handler, as an interceptor sees it. */
export interface HookCall {
  readonly hook: string;
  readonly kind: HookKind;
  /** The plugin whose handler runs. */
  readonly owner: string;
}

/** Runs around every handler of every hook; awaits `next()` and returns what that gave. For tracing. */
export type Interceptor = (call: HookCall, next: () => Promise<unknown>) => Promise<unknown>;

/** A hook and its handlers, in the order in which they run. */
export interface HookReport extends AnyHook {
  readonly owner: string;
  readonly taps: readonly string[];
}
