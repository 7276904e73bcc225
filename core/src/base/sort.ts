/** Something that can be put in order. */
export interface Sortable {
  readonly name: string;
  /** Names this item follows. A name that no item has is ignored: ordering is not a dependency. */
  readonly after?: readonly string[];
  /** Names this item precedes; same rule. */
  readonly before?: readonly string[];
}

/** The items in order, or the names along one cycle, the first repeated at the end: `["a", "b", "a"]`, a after b after a. */
export type Sorted<T> = { readonly order: readonly T[] } | { readonly cycle: readonly string[] };

/** Orders items by `after` and `before`; items without a constraint between them keep their given order. */
export function sortByAfter<T extends Sortable>(items: readonly T[]): Sorted<T> {
  const predecessors = indexPredecessors(items);
  const order = new Set<T>();
  const path: T[] = [];

  const visit = (item: T): readonly string[] | undefined => {
    if (order.has(item)) return undefined;
    const start = path.indexOf(item);
    if (start >= 0) return [...path.slice(start), item].map((step) => step.name);
    path.push(item);
    for (const other of predecessors(item)) {
      const cycle = visit(other);
      if (cycle) return cycle;
    }
    path.pop();
    order.add(item);
    return undefined;
  };

  for (const item of items) {
    const cycle = visit(item);
    if (cycle) return { cycle };
  }
  return { order: [...order] };
}

/** Several items may carry one name (two handlers of one plugin); a name then stands for all of them. */
function indexPredecessors<T extends Sortable>(items: readonly T[]): (item: T) => readonly T[] {
  const byName = new Map<string, T[]>();
  for (const item of items) byName.set(item.name, [...(byName.get(item.name) ?? []), item]);
  const before = new Map<T, T[]>();
  for (const item of items) {
    for (const later of (item.before ?? []).flatMap((name) => byName.get(name) ?? [])) {
      before.set(later, [...(before.get(later) ?? []), item]);
    }
  }
  return (item) => [...(item.after ?? []).flatMap((name) => byName.get(name) ?? []), ...(before.get(item) ?? [])];
}
