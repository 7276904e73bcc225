import { createHash } from "node:crypto";
import type { LoadedVersion } from "../../documents/load/loaded-version.js";

const MODULUS = 2n ** 256n;

/** How many versions there are, and a hash of what they say. */
export interface ContentDigest {
  readonly versions: number;
  /** 64 digits, in hex. */
  readonly hash: string;
}

/**
 * The hash of the content of one type, its versions in any order: the sha256 of each one's canonical JSON, added
 * up modulo 2^256. Of an archive and of what was imported from it, it is the same.
 *
 * @source core/guides/archive.md, "The hash of content"
 */
export class ContentHash {
  #versions = 0;
  #sum = 0n;

  add(version: LoadedVersion): void {
    const { id: _, ...said } = version;
    const parts = { ...said, values: withoutEmpty(said.values), links: withoutEmpty(said.links) };
    const sha256 = createHash("sha256")
      .update(canonical(withoutEmpty(parts)))
      .digest("hex");
    this.#versions += 1;
    this.#sum = (this.#sum + BigInt(`0x${sha256}`)) % MODULUS;
  }

  digest(): ContentDigest {
    return { versions: this.#versions, hash: this.#sum.toString(16).padStart(64, "0") };
  }
}

/** The hash of several types: sha256 of a line `<uid> <versions> <hash>` for each, in the order of their uids. */
export function hashOfAll(types: ReadonlyMap<string, ContentDigest>): string {
  const lines = [...types].map(([uid, { versions, hash }]) => `${uid} ${versions} ${hash}\n`).sort();
  return createHash("sha256").update(lines.join("")).digest("hex");
}

/** What is null or an empty list may as well be left out. */
function withoutEmpty(value: object): object {
  const isSaid = (each: unknown) => each !== null && !(Array.isArray(each) && each.length === 0);
  return Object.fromEntries(Object.entries(value).filter(([, each]) => isSaid(each)));
}

/** JSON without spaces, its keys in the order of their UTF-16 units. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(",")}}`;
}
