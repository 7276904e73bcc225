import type { PlinthError } from "../base/error.js";
import { Registry } from "./registry.js";

/**
 * Kind -> what a registry of that kind holds. Empty here: the floor or plugin that owns a kind adds it by
 * declaration merging, such as `interface Registries { policy: Policy }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged into
export interface Registries {}

/** A kind that some floor or plugin declared: `policy`, `content-type`. */
export type RegistryKind = keyof Registries & string;

/** What a registry holds; unknown for a kind that is not declared. */
export type ValueOf<K extends string> = K extends keyof Registries ? Registries[K] : unknown;

/** The kinds that have a field of their own in a plugin's definition. */
export const FIELD_KINDS = {
  contentTypes: "content-type",
  components: "component",
  controllers: "controller",
  policies: "policy",
  middlewares: "middleware",
  routes: "route",
  strategies: "strategy",
  commands: "command",
  permissions: "permissions",
  management: "management",
} as const;

/** Kinds by the verb of register. */
export const VERB_KINDS = {
  contentType: "content-type",
  component: "component",
  controller: "controller",
  policy: "policy",
  middleware: "middleware",
  route: "route",
  strategy: "strategy",
  command: "command",
} as const;

/** Kinds whose names have no owner in them. */
const SHARED_NAMES: ReadonlySet<string> = new Set(["component", "command"]);

/** The name under which the app itself stands among the plugins. */
export const APP = "app";

/**
 * The uid of a plugin's own thing: `is-owner` of "bookmarks" is `plugin::bookmarks.is-owner`, of the app
 * `global::is-owner`. A uid is kept as it is, and so are names that all share: of components (`shared.seo`) and commands
 * (`token list`).
 */
export function qualify(owner: string, kind: string, name: string): string {
  if (name.includes("::") || SHARED_NAMES.has(kind)) return name;
  return owner === APP ? `global::${name}` : `plugin::${owner}.${name}`;
}

/** The registries of one kernel, made as they are asked for. */
export class RegistrySet {
  readonly #byKind = new Map<string, Registry<unknown>>();
  #sealed = false;

  /** The registry of a kind; an empty one where nothing was added. */
  of<K extends string>(kind: K): Registry<ValueOf<K>> {
    const known = this.#byKind.get(kind);
    // A registry stores what it is given and gives back the same: its type is known here only, by its kind.
    if (known) return known as Registry<ValueOf<K>>;
    const made = new Registry<ValueOf<K>>(kind);
    if (this.#sealed) made.seal();
    this.#byKind.set(kind, made as Registry<unknown>);
    return made;
  }

  /** Freezes all; see `Registry.seal`. */
  seal(): readonly PlinthError[] {
    this.#sealed = true;
    return [...this.#byKind.values()].flatMap((registry) => registry.seal());
  }
}
