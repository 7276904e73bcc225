/** Actions that were granted, with some more or without some. */
export function withActions(
  granted: ReadonlySet<string>,
  actions: readonly string[],
  isGranted: boolean,
): ReadonlySet<string> {
  const next = new Set(granted);
  for (const action of actions) {
    if (isGranted) next.add(action);
    else next.delete(action);
  }
  return next;
}
