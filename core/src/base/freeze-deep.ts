/** Freezes a tree of plain objects and lists; it does not descend into frozen ones. */
export function freezeDeep<T>(tree: T): T {
  if (typeof tree !== "object" || tree === null || Object.isFrozen(tree)) return tree;
  Object.freeze(tree);
  for (const child of Object.values(tree)) freezeDeep(child as unknown);
  return tree;
}
