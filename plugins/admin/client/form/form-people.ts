import type { PersonAt } from "../../src/wire/live.js";
import { isAlike } from "./equal.js";
import { below, type Path, upwards } from "./paths.js";
import { itemsIn, keyOfId, type Leaves } from "./shape.js";

type Listener = () => void;

const NOBODY: readonly PersonAt[] = [];

/** Others who have the form of a document open. A field is notified of those at its own path only. */
export class FormPeople {
  readonly #listeners = new Map<Path, Set<Listener>>();
  #all: readonly PersonAt[] = NOBODY;
  #here = new Map<Path, readonly PersonAt[]>();
  #below = new Map<Path, readonly PersonAt[]>();

  /** Everybody at the document, in any locale and field. */
  get all(): readonly PersonAt[] {
    return this.#all;
  }

  /** Those in the field at a path. @param isClosed - in any field below it as well */
  at(path: Path, isClosed = false): readonly PersonAt[] {
    return (isClosed ? this.#below : this.#here).get(path) ?? NOBODY;
  }

  /** @param path - empty: everybody */
  subscribe(path: Path, listener: Listener): () => void {
    const listeners = this.#listeners.get(path) ?? new Set();
    this.#listeners.set(path, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /**
   * Takes who is there now.
   *
   * @param leaves - values of the form, in which items may have other keys than for others
   * @param locale - of the form
   */
  set(people: readonly PersonAt[], leaves: Leaves, locale: string | null): void {
    if (isAlike(people, this.#all)) return;
    const before = new Map(this.#below);
    const paths = new Map(this.#here);
    this.#all = people;
    this.#here = new Map();
    this.#below = new Map();
    for (const person of people) {
      if (person.field === null || person.locale !== locale) continue;
      const path = ownPath(leaves, person.field);
      this.#here.set(path, [...(this.#here.get(path) ?? []), person]);
      for (const above of upwards(path)) this.#below.set(above, [...(this.#below.get(above) ?? []), person]);
    }
    const touched = new Set([...before.keys(), ...paths.keys(), ...this.#below.keys(), ""]);
    for (const path of touched) for (const listener of this.#listeners.get(path) ?? []) listener();
  }
}

/** A path with the keys of this form; it ends where an item is that this form does not have yet. */
export function ownPath(leaves: Leaves, field: Path): Path {
  let place = "";
  for (const step of field.split(".")) {
    const items = itemsIn(leaves, place);
    const isItem = Array.isArray(leaves.get(place)) && /^[in][0-9a-z]+$/i.test(step) && place !== "";
    const item = items.find(({ key, id }) => (id === null ? key === step : keyOfId(id) === step));
    if (isItem && !item) return place;
    place = below(place, item?.key ?? step);
  }
  return place;
}
