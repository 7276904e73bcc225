import { InvalidUidError } from "./errors.js";

/** A name that is unique in an app: its owner, then its name, such as `plugin::upload.file`. */
export type Uid =
  | `api::${string}.${string}`
  | `plugin::${string}.${string}`
  | `global::${string}`
  | `plinth::${string}`;

/** A uid in parts; `global` is the app's own, `plinth` the core's. */
export type UidParts =
  | { readonly namespace: "api" | "plugin"; readonly owner: string; readonly name: string }
  | { readonly namespace: "global" | "plinth"; readonly name: string };

const WORD = "[A-Za-z0-9][A-Za-z0-9_-]*";
const PATTERN = new RegExp(`^(?:(api|plugin)::(${WORD})\\.(${WORD})|(global|plinth)::(${WORD}))$`);

/** Whether a text is a uid. */
export function isUid(text: string): text is Uid {
  return PATTERN.test(text);
}

/**
 * Takes a uid apart: `api::article.comment` is `{ namespace: "api", owner: "article", name: "comment" }`.
 *
 * @throws PLINTH_UID_INVALID (500) details `{ uid }`
 */
export function parseUid(text: string): UidParts {
  const [, owned, owner, ownedName, shared, sharedName] = PATTERN.exec(text) ?? [];
  if (owned !== undefined && owner !== undefined && ownedName !== undefined) {
    return { namespace: owned as "api" | "plugin", owner, name: ownedName };
  }
  if (shared === undefined || sharedName === undefined) throw new InvalidUidError({ uid: text });
  return { namespace: shared as "global" | "plinth", name: sharedName };
}

/** Puts a uid together; the reverse of `parseUid`. */
export function formatUid(parts: UidParts): Uid {
  return "owner" in parts ? `${parts.namespace}::${parts.owner}.${parts.name}` : `${parts.namespace}::${parts.name}`;
}

/**
 * The owner of a uid: `api::article`, `plugin::upload`, `global` or `plinth`.
 *
 * @throws PLINTH_UID_INVALID (500) details `{ uid }`
 */
export function namespaceOf(uid: string): string {
  const parts = parseUid(uid);
  return "owner" in parts ? `${parts.namespace}::${parts.owner}` : parts.namespace;
}
