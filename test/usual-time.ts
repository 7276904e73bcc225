// Facts about time that hold on a machine of any speed: which comes first, and how long the same run usually takes.

/** The name of the promise that is fulfilled or rejected first. */
export function firstOf(promises: Readonly<Record<string, Promise<unknown>>>): Promise<string> {
  const names = Object.entries(promises).map(([name, promise]) =>
    promise.then(
      () => name,
      () => name,
    ),
  );
  return Promise.race(names);
}

/** Milliseconds that some work takes now. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
}

/** The one in the middle of some numbers. */
export function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}
