import type { Problem } from "../../src/wire/content.js";
import { below, isWithin, type Path, upwards } from "./paths.js";
import { Revealed } from "./revealed.js";
import { problemText } from "./problem-text.js";
import { isSameValue } from "./same-value.js";
import { attributeAt, type Attributes, type Flat, type ItemRef, initialLeaves, type Shapes } from "./shape.js";

type Listener = () => void;

/** One change, as the journal keeps it. */
export interface Change {
  readonly path: Path;
  readonly value: unknown;
}

const NOTHING: readonly string[] = [];

/**
 * The values of one form. A field subscribes to its path, and gets no other news; a card subscribes to the count of what
 * changed below it. Setting a value costs the same for every size of form.
 */
export class FormStore {
  readonly #listeners = new Map<Path, Set<Listener>>();
  readonly #watchers = new Set<(change: Change) => void>();
  readonly #changedBelow = new Map<Path, number>();
  #base: Flat;
  #mine: Map<Path, unknown>;
  #changed = new Set<Path>();
  #problems = new Map<Path, readonly string[]>();
  #problemsBelow = new Map<Path, number>();
  /** Where somebody is led to. */
  readonly revealed = new Revealed();

  constructor(
    readonly shapes: Shapes,
    readonly attributes: Attributes,
    base: Flat,
  ) {
    this.#base = base;
    this.#mine = new Map(base.leaves);
  }

  /** The value at a path, as it is typed. */
  get(path: Path): unknown {
    return this.#mine.get(path);
  }

  /** The value at a path as it was read. */
  baseOf(path: Path): unknown {
    return this.#base.leaves.get(path);
  }

  get base(): Flat {
    return this.#base;
  }

  /** All values; not to be changed. */
  get leaves(): ReadonlyMap<Path, unknown> {
    return this.#mine;
  }

  /** Items of a component, a repeatable one or a zone. */
  itemsAt(path: Path): readonly ItemRef[] {
    return (this.#mine.get(path) as readonly ItemRef[] | undefined) ?? [];
  }

  /** Paths whose value is another than was read. */
  get changedPaths(): ReadonlySet<Path> {
    return this.#changed;
  }

  /** How many values changed at or below a path. */
  changedBelow(path: Path): number {
    return this.#changedBelow.get(path) ?? 0;
  }

  /** What is wrong with the value at a path. */
  problemsAt(path: Path): readonly string[] {
    return this.#problems.get(path) ?? NOTHING;
  }

  /** How many problems there are at or below a path. */
  problemsBelow(path: Path): number {
    return this.#problemsBelow.get(path) ?? 0;
  }

  /** Takes what somebody typed. What was wrong with it is no longer said. */
  set(path: Path, value: unknown): void {
    if (Object.is(this.#mine.get(path), value)) return;
    this.#mine.set(path, value);
    this.#note(path);
    this.#clearProblems(path);
    for (const watcher of this.#watchers) watcher({ path, value });
    this.#tell(path);
  }

  /** Adds an item with its first values. */
  insert(path: Path, item: ItemRef, index: number, values?: ReadonlyMap<Path, unknown>): void {
    const attributes = (this.shapes.components.get(item.component)?.attributes ?? {}) satisfies Attributes;
    const first = values ?? initialLeaves(this.shapes, attributes, below(path, item.key));
    for (const [place, value] of first) this.set(place, value);
    const items = this.itemsAt(path);
    this.set(path, [...items.slice(0, index), item, ...items.slice(index)]);
  }

  /** Calls a listener when the value, the changes below or the problems below a path are others. @returns what stops it */
  subscribe(path: Path, listener: Listener): () => void {
    const listeners = this.#listeners.get(path) ?? new Set();
    this.#listeners.set(path, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(path) === listeners) this.#listeners.delete(path);
    };
  }

  /** Calls a watcher at each change. @returns what stops it */
  watch(watcher: (change: Change) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** More of a relation was read: it is part of what there was, and of what there is. */
  extend(path: Path, more: readonly unknown[]): void {
    this.#base.leaves.set(path, [...((this.baseOf(path) as readonly unknown[] | undefined) ?? []), ...more]);
    this.#mine.set(path, [...((this.get(path) as readonly unknown[] | undefined) ?? []), ...more]);
    this.#note(path);
    this.#tell(path);
  }

  /** Another document was read: what was saved, or what somebody else wrote with mine put upon it. */
  rebase(base: Flat, mine: ReadonlyMap<Path, unknown> = base.leaves): void {
    const before = this.#mine;
    this.#base = base;
    this.#mine = new Map(mine);
    this.#changed = new Set();
    this.#changedBelow.clear();
    for (const path of this.#mine.keys()) this.#note(path);
    for (const path of new Set([...before.keys(), ...this.#mine.keys(), ...this.#listeners.keys()])) this.#call(path);
  }

  /** Puts changes of a journal upon what was read. */
  apply(changes: Iterable<readonly [Path, unknown]>): void {
    for (const [path, value] of changes) this.set(path, value);
  }

  /** Says what is wrong; paths of the server count items by index. @returns the problems in words for people */
  setProblems(problems: readonly Problem[]): readonly Problem[] {
    const old = [...this.#problems.keys()];
    const placed = problems.map((problem) => {
      const path = this.#placeOf(problem.path);
      const attribute = attributeAt(this.shapes, this.attributes, this.#mine, path);
      return { path, problem: { ...problem, message: problemText(attribute, this.get(path), problem.message) } };
    });
    this.#problems = new Map();
    this.#problemsBelow = new Map();
    for (const { path, problem } of placed) {
      this.#problems.set(path, [...(this.#problems.get(path) ?? []), problem.message]);
      for (const above of upwards(path)) this.#problemsBelow.set(above, (this.#problemsBelow.get(above) ?? 0) + 1);
    }
    for (const path of new Set([...old, ...this.#problems.keys()].flatMap(upwards))) this.#call(path);
    return placed.map(({ problem }) => problem);
  }

  /** The path of a field, of a path that counts items. */
  placeOf(steps: readonly (string | number)[]): Path {
    return this.#placeOf(steps);
  }

  #placeOf(steps: readonly (string | number)[]): Path {
    let path = "";
    let items: readonly ItemRef[] | undefined;
    for (const step of steps) {
      const item = items?.[Number(step)];
      // A single component has one item, which paths of the server do not count.
      const [only] = items ?? [];
      if (item && /^\d+$/.test(String(step))) path = below(path, item.key);
      else path = below(only ? below(path, only.key) : path, String(step));
      const value = this.#mine.get(path);
      items = isItems(value) ? value : undefined;
    }
    return path;
  }

  #clearProblems(path: Path): void {
    const gone = [...this.#problems].filter(([place]) => isWithin(place, path));
    for (const [place, messages] of gone) {
      this.#problems.delete(place);
      for (const above of upwards(place))
        this.#problemsBelow.set(above, (this.#problemsBelow.get(above) ?? 0) - messages.length);
    }
  }

  #note(path: Path): void {
    const isChanged = !this.#isAsRead(path);
    if (isChanged === this.#changed.has(path)) return;
    if (isChanged) this.#changed.add(path);
    else this.#changed.delete(path);
    for (const above of upwards(path))
      this.#changedBelow.set(above, (this.#changedBelow.get(above) ?? 0) + (isChanged ? 1 : -1));
  }

  #isAsRead(path: Path): boolean {
    const [mine, base] = [this.#mine.get(path) ?? null, this.#base.leaves.get(path) ?? null];
    if (Object.is(mine, base)) return true;
    // Only what has parts is compared by its kind.
    const hasParts = typeof mine === "object" && typeof base === "object";
    const attribute = hasParts ? attributeAt(this.shapes, this.attributes, this.#mine, path) : undefined;
    return isSameValue(attribute, mine, base);
  }

  #tell(path: Path): void {
    for (const above of upwards(path)) this.#call(above);
  }

  #call(path: Path): void {
    for (const listener of this.#listeners.get(path) ?? []) listener();
  }
}

const isItems = (value: unknown): value is readonly ItemRef[] =>
  Array.isArray(value) && value.every((item) => typeof item === "object" && item !== null && "key" in item);
