import { readFile } from "node:fs/promises";
import { EnvironmentError } from "../errors.js";

/** Reads environment variables in configuration files: `env("HOST", "127.0.0.1")`, `env.int("PORT", 1337)`. */
export interface Env {
  /** @throws PLINTH_CONFIG_ENVIRONMENT when the variable is missing and there is no fallback */
  (name: string, fallback?: string): string;
  int(name: string, fallback?: number): number;
  /** `true`, `1` and `yes` are true; `false`, `0` and `no` are false. */
  bool(name: string, fallback?: boolean): boolean;
  /** A comma-separated list, spaces around its items removed. */
  array(name: string, fallback?: readonly string[]): readonly string[];
  /**
   * For a secret that changes while the app runs: what it returns reads the file that `<name>_FILE` names, whenever it is
   * called, without the line break at its end. Without that variable it is the value of `name`.
   *
   * @throws PLINTH_CONFIG_ENVIRONMENT when both are missing; the function rejects when the file cannot be read
   */
  file(name: string): () => Promise<string>;
}

/** An Env over a set of variables, such as those of the process. */
export function createEnv(variables: Readonly<Record<string, string | undefined>>): Env {
  const read = <T>(
    name: string,
    expected: string,
    parse: (text: string) => T | undefined,
    fallback: T | undefined,
  ): T => {
    const text = variables[name];
    const value = text === undefined || text === "" ? fallback : parse(text.trim());
    if (value === undefined) throw new EnvironmentError({ name, expected });
    return value;
  };
  const env = (name: string, fallback?: string) => read(name, "set", (text) => text, fallback);
  return Object.assign(env, {
    int: (name: string, fallback?: number) => read(name, "a whole number", parseInteger, fallback),
    bool: (name: string, fallback?: boolean) => read(name, "true or false", parseBoolean, fallback),
    array: (name: string, fallback?: readonly string[]) => read(name, "a comma-separated list", parseList, fallback),
    file: (name: string) => {
      const path = variables[`${name}_FILE`];
      if (path) return async () => (await readFile(path.trim(), "utf8")).replace(/\r?\n$/, "");
      const value = env(name);
      return () => Promise.resolve(value);
    },
  });
}

const parseInteger = (text: string): number | undefined => (/^[+-]?\d{1,15}$/.test(text) ? Number(text) : undefined);

const parseList = (text: string): readonly string[] =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);

function parseBoolean(text: string): boolean | undefined {
  if (/^(true|1|yes)$/i.test(text)) return true;
  if (/^(false|0|no)$/i.test(text)) return false;
  return undefined;
}
