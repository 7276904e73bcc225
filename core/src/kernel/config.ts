import { frozenCopy } from "../base/frozen-copy.js";

/** The type behind a default: `1337` stands for any number. */
type Widened<T> = T extends number ? number : T extends string ? string : T extends boolean ? boolean : T;

/**
 * File of `config/` -> what it says. Empty here: `plinth types` adds those of an app. A file of `config/env` may say
 * something else of the same type.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged into
export interface AppConfig {}

/** What a file of `config/` makes: `ConfigOf<typeof import("../config/server.js").default>`. */
export type ConfigOf<File> = WideDeep<File extends (...tools: never[]) => infer Made ? Awaited<Made> : File>;

type WideDeep<T> = T extends (...tools: never[]) => unknown
  ? T
  : T extends object
    ? { readonly [Key in keyof T]: WideDeep<T[Key]> }
    : Widened<T>;

/** The paths that the compiler knows, down to three names: `api.rest.prefix`. */
export type ConfigPath = PathsOf<AppConfig, [1, 2, 3]>;

type PathsOf<T, Levels extends readonly unknown[]> = Levels extends readonly [unknown, ...infer Rest]
  ? {
      [Key in keyof T & string]:
        | Key
        | (T[Key] extends readonly unknown[]
            ? never
            : T[Key] extends object
              ? `${Key}.${PathsOf<T[Key], Rest>}`
              : never);
    }[keyof T & string]
  : never;

/** What stands at a path. */
export type ConfigAt<Path, T = AppConfig> = Path extends keyof T
  ? T[Path]
  : Path extends `${infer Key}.${infer Rest}`
    ? Key extends keyof T
      ? ConfigAt<Rest, T[Key]>
      : never
    : never;

/** The configuration of the app, read by dotted paths and never written. */
export interface ConfigReader {
  /** The value at a path that the app's own files have. */
  get<Path extends ConfigPath>(path: Path): ConfigAt<Path>;
  /** The value at a path such as `server.port`, or undefined. `T` is not checked here. */
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
    // The overloads differ in types, not in what happens.
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
