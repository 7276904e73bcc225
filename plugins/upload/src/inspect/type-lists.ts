import { type Fail, isRecord } from "../config-values.js";
import { TypeRefusedError } from "../errors.js";

/** Which types of files are taken. */
export interface TypeLists {
  /** Patterns such as `image/*`, `application/pdf` or `*`; what none of them matches is refused. */
  readonly allow: readonly string[];
  /** What one of them matches is refused, though it is allowed. */
  readonly deny: readonly string[];
}

/** Every type. */
export const ALL_TYPES: TypeLists = { allow: ["*"], deny: [] };

const PATTERN = /^(?:\*|[a-z]+\/(?:\*|[\w.+-]+))$/i;

/** Reads `types` of the configuration: `{ allow: ["image/*"], deny: ["image/svg+xml"] }`. */
export function parseTypeLists(value: unknown, fail: Fail): TypeLists {
  if (!isRecord(value)) {
    fail('must be an object such as { allow: ["image/*"], deny: ["image/svg+xml"] }');
    return ALL_TYPES;
  }
  for (const [key, patterns] of Object.entries(value)) {
    if (key !== "allow" && key !== "deny") fail(`has the key ${key}, which is not known; known are allow, deny`);
    else if (!isPatterns(patterns)) fail(`has under ${key} something other than a list of types such as "image/*"`);
  }
  return { ...ALL_TYPES, ...value };
}

const isPatterns = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === "string" && PATTERN.test(each));

/** @throws PLINTH_UPLOAD_TYPE_REFUSED (400) */
export function assertTaken(mime: string, name: string, { allow, deny }: TypeLists): void {
  const matches = (pattern: string) => isMatch(mime, pattern.toLowerCase());
  if (!allow.some(matches) || deny.some(matches)) throw new TypeRefusedError({ name, mime });
}

function isMatch(mime: string, pattern: string): boolean {
  if (pattern === "*") return true;
  return pattern.endsWith("/*") ? mime.startsWith(pattern.slice(0, -1)) : mime === pattern;
}
