import { type PlinthError, reasonOf } from "../base/error.js";
import {
  RegistryChangeError,
  RegistryDuplicateError,
  RegistryOpenError,
  RegistrySealedError,
  RegistryUnknownError,
} from "./errors.js";

interface Entry<V> {
  readonly value: V;
  readonly owner: string;
}

interface Change<V> {
  readonly owner: string;
  readonly apply: (inner: V) => V;
}

/** A registry once it is filled. */
export type ReadableRegistry<V> = Pick<Registry<V>, "label" | "get" | "has" | "keys" | "entries" | "ownerOf">;

/**
 * A table of named things: filled while plugins register, read afterwards. The kernel has one for each kind of thing.
 *
 * `extend` and `wrap` may come before what they change. All extends run before all wraps, each in the order of the
 * calls, and not before the thing is first asked for.
 */
export class Registry<V> {
  readonly #entries = new Map<string, Entry<V>>();
  readonly #extensions = new Map<string, Change<V>[]>();
  readonly #wrappers = new Map<string, Change<V>[]>();
  readonly #finished = new Map<string, V>();
  #sealed = false;

  /** @param label - singular noun for messages: "service", "policy". */
  constructor(readonly label: string) {}

  /**
   * @param owner - the plugin that adds it.
   * @throws PLINTH_REGISTRY_DUPLICATE, PLINTH_REGISTRY_SEALED
   */
  add(uid: string, value: V, owner: string): void {
    this.#assertOpen(uid, owner);
    const first = this.#entries.get(uid);
    if (first) throw new RegistryDuplicateError({ registry: this.label, uid, owner, first: first.owner });
    this.#entries.set(uid, { value, owner });
  }

  /** Changes a definition. @throws PLINTH_REGISTRY_SEALED; an unknown uid is found by `seal`. */
  extend(uid: string, apply: (inner: V) => V, owner: string): void {
    this.#change(this.#extensions, uid, { owner, apply });
  }

  /** Puts something around the extended thing; a later wrapper is the outer one. @throws PLINTH_REGISTRY_SEALED */
  wrap(uid: string, apply: (inner: V) => V, owner: string): void {
    this.#change(this.#wrappers, uid, { owner, apply });
  }

  /**
   * The thing with all its changes; the same one at every call.
   *
   * @throws PLINTH_REGISTRY_UNKNOWN details `{ registry, uid, known }`, PLINTH_REGISTRY_OPEN before `seal`,
   * PLINTH_REGISTRY_CHANGE_FAILED naming the plugin whose change failed
   */
  get(uid: string): V {
    if (this.#finished.has(uid)) return this.#finished.get(uid) as V;
    if (!this.#sealed) throw new RegistryOpenError({ registry: this.label, uid });
    const changes = [...(this.#extensions.get(uid) ?? []), ...(this.#wrappers.get(uid) ?? [])];
    const value = changes.reduce((inner, change) => this.#apply(uid, change, inner), this.#entry(uid).value);
    this.#finished.set(uid, value);
    return value;
  }

  has(uid: string): boolean {
    return this.#entries.has(uid);
  }

  /** Uids in the order in which they were added. */
  keys(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** Every uid with its thing. @throws PLINTH_REGISTRY_OPEN before `seal` */
  entries(): readonly (readonly [uid: string, value: V])[] {
    return this.keys().map((uid) => [uid, this.get(uid)] as const);
  }

  /** The plugin that added it. @throws PLINTH_REGISTRY_UNKNOWN */
  ownerOf(uid: string): string {
    return this.#entry(uid).owner;
  }

  /** Freezes the table. @returns one PLINTH_REGISTRY_UNKNOWN for every change of an entry that does not exist. */
  seal(): readonly PlinthError[] {
    this.#sealed = true;
    const known = this.keys();
    return [...this.#extensions, ...this.#wrappers]
      .filter(([uid]) => !this.has(uid))
      .flatMap(([uid, changes]) => changes.map(({ owner }) => ({ registry: this.label, uid, known, owner })))
      .map((details) => new RegistryUnknownError(details));
  }

  #entry(uid: string): Entry<V> {
    const entry = this.#entries.get(uid);
    if (!entry) throw new RegistryUnknownError({ registry: this.label, uid, known: this.keys() });
    return entry;
  }

  #change(changes: Map<string, Change<V>[]>, uid: string, change: Change<V>): void {
    this.#assertOpen(uid, change.owner);
    changes.set(uid, [...(changes.get(uid) ?? []), change]);
  }

  #apply(uid: string, { owner, apply }: Change<V>, inner: V): V {
    const details = { registry: this.label, uid, owner };
    let value: V;
    try {
      value = apply(inner);
    } catch (cause) {
      throw new RegistryChangeError({ ...details, reason: reasonOf(cause) }, { cause });
    }
    if (value === undefined) throw new RegistryChangeError({ ...details, reason: "the function returned nothing" });
    return value;
  }

  #assertOpen(uid: string, owner: string): void {
    if (this.#sealed) throw new RegistrySealedError({ registry: this.label, uid, owner });
  }
}
