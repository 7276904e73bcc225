/** A promise, and what settles it. */
export interface Resolvers<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
}

/** A promise that something outside of it resolves: `Promise.withResolvers` for versions of node without it. */
export function withResolvers<T>(): Resolvers<T> {
  let resolve: Resolvers<T>["resolve"] | undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  // The function that a promise is given runs at once.
  return { promise, resolve: resolve as Resolvers<T>["resolve"] };
}
