import { isDeepStrictEqual } from "node:util";
import type { Database } from "../../database/driver/database.js";
import type { VersionStatements } from "../../database/reads/compile-version.js";
import type { LoadedVersion, OnConflict, StoredRange, StoredVersion } from "./loaded-version.js";
import { askedKeys, keyOf } from "./version-rows.js";

/** A version that takes the place of a stored one, whose row id it gets. */
export interface Replacement {
  readonly id: number;
  readonly version: LoadedVersion;
}

interface VersionRow {
  readonly id: string;
  readonly version: string;
}

/** Reads the stored versions of one content-type. */
export class StoredVersions {
  constructor(
    private readonly db: Database,
    private readonly sql: VersionStatements,
  ) {}

  /** See `DocumentLoader.read`. */
  async page({ after, limit, since, from = this.db }: StoredRange): Promise<readonly StoredVersion[]> {
    const values = [after, limit, since ?? null];
    const rows = await from.query<VersionRow>({ text: this.sql.page, values });
    return rows.map(({ id, version }) => ({ id: Number(id), text: version }));
  }

  /** Those of versions that are there which are to take the place of what is stored. */
  async replaced(versions: readonly LoadedVersion[], onConflict: OnConflict): Promise<readonly Replacement[]> {
    if (onConflict === "skip" || versions.length === 0) return [];
    const rows = await this.db.query<VersionRow>({ text: this.sql.byKey, values: [askedKeys(versions)] });
    const stored = new Map(
      rows.map(({ version }) => JSON.parse(version) as LoadedVersion).map((version) => [keyOf(version), version]),
    );
    return versions.flatMap((given) => {
      const before = stored.get(keyOf(given));
      if (!before) return [];
      const version = withAuthorsOf(before, given);
      return isToReplace(before, version, onConflict) ? [{ id: before.id, version }] : [];
    });
  }
}

/** Who is not known to have written a version is who wrote the one before; an app without authors has none. */
function withAuthorsOf(before: LoadedVersion, version: LoadedVersion): LoadedVersion {
  const { createdBy = before.createdBy, updatedBy = before.updatedBy, ...rest } = version;
  if (createdBy === undefined || updatedBy === undefined || before.createdBy === undefined) return rest;
  return { ...rest, createdBy, updatedBy };
}

function isToReplace(before: LoadedVersion, version: LoadedVersion, onConflict: OnConflict): boolean {
  if (onConflict === "newer") return Date.parse(version.updatedAt) > Date.parse(before.updatedAt);
  return !isDeepStrictEqual({ ...before, id: 0 }, { ...version, id: 0 });
}
