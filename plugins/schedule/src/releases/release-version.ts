/** The version of a release, by which a caller says at which one they looked. */
import { createHash } from "node:crypto";
import type { LookedAt } from "../contract.js";
import { ReleaseChangedError } from "../errors.js";
import type { StoredAction } from "../act.js";

/** What of a release its version is about. */
interface Contents {
  readonly transaction: boolean;
  readonly actions: readonly StoredAction[];
}

/** An entity tag of what a release does; what came of it does not change it. */
export function versionOf({ actions, transaction }: Contents): string {
  const done = actions.map(({ uid, documentId, locale, action }) => [uid, documentId, locale, action]);
  const text = JSON.stringify([transaction, done]);
  return `"${createHash("sha256").update(text).digest("base64url").slice(0, 16)}"`;
}

/** @throws PLINTH_RELEASE_CHANGED (412) */
export function assertLookedAt(release: Contents, { version: seen }: LookedAt): void {
  const version = versionOf(release);
  const isSame = seen === undefined || seen.split(",").some((tag) => ["*", version].includes(tag.trim()));
  if (!isSame) throw new ReleaseChangedError({ version });
}
