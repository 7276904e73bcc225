import type { App } from "../../kernel/app.js";
import type { LoadedVersion } from "../../documents/load/loaded-version.js";
import type { ContentModel } from "../../schema/model.js";
import { secretsOf } from "../archive/archive-format.js";
import type { CheckedArchive } from "../archive/check-archive.js";
import { type ContentDigest, ContentHash } from "../archive/content-hash.js";
import { readVersions } from "../archive/read-versions.js";

const PAGE = 500;

/** What of an app an archive is compared with. */
export interface ComparedPart {
  /** Content-types by uid. */
  readonly uids: readonly string[];
  /** ISO 8601; only what was changed then or later. */
  readonly since: string | undefined;
  readonly withSecrets: boolean;
  /** Whether the people are among it whom `createdBy` and `updatedBy` name. */
  readonly withAuthors: boolean;
}

/** A content-type that is not what the archive says. */
export interface ContentDifference {
  readonly uid: string;
  readonly wanted: ContentDigest;
  readonly found: ContentDigest;
}

/** What is in a restored app. */
export interface RestoredContent {
  readonly digests: ReadonlyMap<string, ContentDigest>;
  /** ISO 8601: the latest `updatedAt`; empty without any content. */
  readonly newest: string;
}

/** What an archive can be compared with. */
export function comparedPart({ manifest, totals }: CheckedArchive, { authorType }: ContentModel): ComparedPart {
  const uids = Object.keys(manifest.model?.contentTypes ?? Object.fromEntries(totals));
  const withAuthors = authorType !== undefined && uids.includes(authorType);
  return { uids, since: manifest.since ?? undefined, withSecrets: manifest.secrets !== false, withAuthors };
}

/** The digests of an archive's content-types. */
export async function digestsOf(
  archive: CheckedArchive,
  part: ComparedPart,
): Promise<ReadonlyMap<string, ContentDigest>> {
  const hashes = new Map(part.uids.map((uid) => [uid, new ContentHash()]));
  for (const name of archive.parts)
    for await (const { uid, version } of readVersions(archive, name))
      hashes.get(uid)?.add(withoutUnknown(version, part, []));
  return new Map([...hashes].map(([uid, hash]) => [uid, hash.digest()]));
}

/** Reads the same content-types of a restored app. */
export async function readRestored(app: App, part: ComparedPart): Promise<RestoredContent> {
  const digests = new Map<string, ContentDigest>();
  let newest = "";
  for (const uid of part.uids) {
    const type = app.model.contentTypes.get(uid);
    const hidden = type && !part.withSecrets ? secretsOf(type) : [];
    const hash = new ContentHash();
    for await (const version of versionsOf(app, uid, part.since)) {
      if (version.updatedAt > newest) newest = version.updatedAt;
      hash.add(withoutUnknown(version, part, hidden));
    }
    digests.set(uid, hash.digest());
  }
  return { digests, newest };
}

async function* versionsOf(app: App, uid: string, since: string | undefined): AsyncIterable<LoadedVersion> {
  for (let after = 0; ; ) {
    const page = await app.loader.read(uid, { after, limit: PAGE, since });
    for (const { text } of page) yield JSON.parse(text) as LoadedVersion;
    if (page.length < PAGE) return;
    after = page.at(-1)?.id ?? after;
  }
}

/** Without what the archive cannot bring back. */
function withoutUnknown(
  version: LoadedVersion,
  { withAuthors }: ComparedPart,
  hidden: readonly string[],
): LoadedVersion {
  const { createdBy: _, updatedBy: _updatedBy, ...rest } = version;
  const known = withAuthors ? version : rest;
  if (hidden.length === 0) return known;
  const values = Object.entries(version.values).filter(([name]) => !hidden.includes(name));
  return { ...known, values: Object.fromEntries(values) };
}

/** Content-types whose digests differ. */
export function differencesIn(
  wanted: ReadonlyMap<string, ContentDigest>,
  found: ReadonlyMap<string, ContentDigest>,
): readonly ContentDifference[] {
  const none = new ContentHash().digest();
  return [...wanted]
    .map(([uid, digest]) => ({ uid, wanted: digest, found: found.get(uid) ?? none }))
    .filter((each) => each.wanted.hash !== each.found.hash || each.wanted.versions !== each.found.versions);
}
