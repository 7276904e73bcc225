import { frozenCopy } from "../base/frozen-copy.js";

/** The type behind a default: `1337` stands for any number. */
type Widened<T> = T extends number ? number : T extends string ? string : T extends boolean ? boolean : T;

/** The configuration of the app, read by dotted paths and never written. */
export interface ConfigReader {
  /** The value at a path such as `server.port`, or undefined. `T` is the caller's word; nothing checks it here. */
  get<T = unknown>(path: string): T | undefined;
  /** The value at a path, or the default where there is none; null counts as a value. */
  get<T>(path: string, fallback: T): Widened<T>;
  has(path: string): boolean;
}

/** Makes the reader of a frozen copy of `tree`. */
export function createConfigReader(tree: Readonly<Record<string, unknown>>): ConfigReader {
  const frozen = frozenCopy(tree);
  const read = (path: string): unknown => path.split(".").reduce<unknown>(ownValue, frozen);
  return {
    // The overloads differ in what the caller is told, not in what happens.
    get: ((path: string, fallback?: unknown) => {
      const value = read(path);
      return value === undefined ? fallback : value;
    }) as ConfigReader["get"],
    has: (path) => read(path) !== undefined,
  };
}

function ownValue(tree: unknown, key: string): unknown {
  return typeof tree === "object" && tree !== null && Object.hasOwn(tree, key)
    ? (tree as Readonly<Record<string, unknown>>)[key]
    : undefined;
}
