import { currentOrigin, type WriteOrigin } from "../../access/origin.js";
import { traceparentOf } from "../../base/tracing.js";
import type { Database } from "../../database/driver/database.js";
import type { Layout } from "../../database/layout/layout.js";
import {
  CLEAR_COMPONENT_UNIQUES,
  LOAD_COMPONENT_UNIQUES,
  RESERVE_COMPONENT_IDS,
} from "../../database/writes/component-sql.js";
import { uniqueValues } from "../write/component-uniques.js";
import { type LoadPlan, planLoad } from "../../database/writes/load-plan.js";
import { compileContent, compileVersions } from "../../database/reads/compile-version.js";
import { planAdoption } from "../../database/writes/adopt-plan.js";
import type { HookBus } from "../../kernel/hook-bus.js";
import { alongLoad } from "../hooks.js";
import { adoptDocuments } from "./adopt-documents.js";
import type { DocumentLoader, LoadedVersion, LoadResult, OnConflict, RefusedVersion } from "./loaded-version.js";
import { type Replacement, StoredVersions } from "./stored-versions.js";
import { authorColumns, creditPeople, findAuthors, type KnownAuthors, withKnownAuthors } from "./known-authors.js";
import { askedKeys, keyOf, linkRowsOf, rowOf } from "./version-rows.js";

/** A row as the database returns it. */
interface StoredRow {
  readonly id: string;
  readonly document_id: string;
  readonly locale: string;
  readonly is_draft: boolean;
}

/** What the loader of an app works with. */
interface LoaderParts {
  readonly db: Database;
  readonly layout: Layout;
  /** Sealed. */
  readonly hooks: HookBus;
}

/** Makes the loader of an app: each call costs a few statements, however many versions it is given. */
export function createLoader(parts: LoaderParts): DocumentLoader {
  const { db, layout } = parts;
  const plans = new Map<string, LoadPlan>();
  const planOf = (uid: string): LoadPlan => {
    const plan = plans.get(uid) ?? planLoad(layout, uid);
    plans.set(uid, plan);
    return plan;
  };
  const stored = new Map<string, StoredVersions>();
  const storedOf = (uid: string): StoredVersions => {
    const known = stored.get(uid) ?? new StoredVersions(db, compileVersions(layout, uid));
    stored.set(uid, known);
    return known;
  };
  const loadOf = (uid: string) => new Load(parts, planOf(uid), storedOf(uid));
  return {
    load: (uid, versions, onConflict = "skip") => db.transaction(() => loadOf(uid).run(versions, onConflict)),
    read: (uid, range) => storedOf(uid).page(range),
    contentSql: (uid, leavesOut) => compileContent(layout, uid, leavesOut),
    missing: (uid, versions, onConflict = "skip") => loadOf(uid).missing(versions, onConflict),
    adopt: async (uid, key, versions) => {
      const plan = planAdoption(layout, uid);
      return plan ? adoptDocuments(db, plan, { key, versions }) : [];
    },
    reserveIds: async (uid, highest) => {
      await db.query({ text: planOf(uid).sql.reserve, values: [highest] });
    },
    reserveComponentIds: async (highest) => {
      await db.query({ text: RESERVE_COMPONENT_IDS, values: [highest] });
    },
    completeDrafts: (uid) => completeDrafts(db, planOf(uid)),
  };
}

/** One call of `load`. */
class Load {
  constructor(
    private readonly parts: LoaderParts,
    private readonly plan: LoadPlan,
    private readonly stored: StoredVersions,
  ) {}

  /** Versions that are not there, and those that take the place of one that is. */
  async missing(versions: readonly LoadedVersion[], onConflict: OnConflict): Promise<readonly LoadedVersion[]> {
    const authors = await findAuthors(this.parts.db, this.plan, versions);
    const present = new Set(await this.#present(versions));
    const credited = versions.map((version) => withKnownAuthors(version, authors));
    for (const { version } of await this.#replaced(credited, present, onConflict)) present.delete(keyOf(version));
    return versions.filter((version) => !present.has(keyOf(version)));
  }

  async run(given: readonly LoadedVersion[], onConflict: OnConflict): Promise<LoadResult> {
    const authors = await findAuthors(this.parts.db, this.plan, given);
    const versions = given.map((version) => withKnownAuthors(version, authors));
    const present = new Set(await this.#present(versions));
    const replaced = await this.#replaced(versions, present, onConflict);
    for (const replacement of replaced) {
      await this.#remove(replacement);
      present.delete(keyOf(replacement.version));
    }
    const instead = new Map(replaced.map(({ version, id }) => [keyOf(version), { ...version, id }]));
    const missing = versions
      .filter((version) => !present.has(keyOf(version)))
      .map((version) => instead.get(keyOf(version)) ?? version);
    const stored = await this.#insert(missing, authors);
    const written = missing.filter((version) => stored.has(keyOf(version)));
    await creditPeople(
      this.parts.db,
      this.plan,
      written.map((version) => ({ id: stored.get(keyOf(version)) ?? "", version })),
    );
    await this.#link(written, stored);
    await this.#claim(written);
    const refused: RefusedVersion[] = [];
    for (const version of missing) if (!stored.has(keyOf(version))) refused.push(await this.#why(version));
    await this.#sendAlong(written, (version) => instead.has(keyOf(version)));
    return { written: written.length, present: present.size, refused };
  }

  async #sendAlong(written: readonly LoadedVersion[], isReplaced: (version: LoadedVersion) => boolean): Promise<void> {
    const { db, hooks } = this.parts;
    const { uid } = this.plan.writes.type;
    if (written.length === 0 || !hooks.has(alongLoad, uid)) return;
    const versions = written.map((version) => ({
      ...{ documentId: version.documentId, locale: version.locale, isDraft: version.publishedAt === null },
      isReplaced: isReplaced(version),
    }));
    const now = currentOrigin();
    const traceparent = traceparentOf({ traceparent: now.traceparent });
    const origin: WriteOrigin = { ...now, transport: "import", ...(traceparent === undefined ? {} : { traceparent }) };
    for (const statement of await hooks.gather(alongLoad, { uid, versions, origin })) db.defer(statement);
  }

  #replaced(
    versions: readonly LoadedVersion[],
    present: ReadonlySet<string>,
    onConflict: OnConflict,
  ): Promise<readonly Replacement[]> {
    return this.stored.replaced(
      versions.filter((version) => present.has(keyOf(version))),
      onConflict,
    );
  }

  /** The links of a row go with it. */
  async #remove({ id, version: { documentId, locale, publishedAt } }: Replacement): Promise<void> {
    const { hasComponentUniques, type } = this.plan.writes;
    await this.parts.db.query({ text: this.plan.sql.remove, values: [id] });
    if (!hasComponentUniques || publishedAt === null) return;
    await this.parts.db.query({ text: CLEAR_COMPONENT_UNIQUES, values: [type.uid, documentId, [locale]] });
  }

  async #present(versions: readonly LoadedVersion[]): Promise<ReadonlySet<string>> {
    const rows = await this.parts.db.query<StoredRow>({ text: this.plan.sql.present, values: [askedKeys(versions)] });
    return new Set(rows.map(keyOfRow));
  }

  /** Row ids by key of what was stored. */
  async #insert(versions: readonly LoadedVersion[], authors: KnownAuthors): Promise<ReadonlyMap<string, string>> {
    if (versions.length === 0) return new Map();
    const ids = versions.map(({ id }) => id);
    const taken = await this.parts.db.query<{ id: string }>({ text: this.plan.sql.takenIds, values: [ids] });
    const isTaken = new Set(taken.map(({ id }) => id));
    // Not spread into a literal: V8 makes those in its old space, 80 MB of garbage for 100,000 versions, and collects it late.
    const rows = versions.map((version) =>
      Object.assign(rowOf(this.plan.writes, version), authorColumns(version, authors), {
        id: isTaken.has(String(version.id)) ? null : version.id,
      }),
    );
    const stored = await this.parts.db.query<StoredRow>({ text: this.plan.sql.insert, values: [JSON.stringify(rows)] });
    return new Map(stored.map((row) => [keyOfRow(row), row.id]));
  }

  async #link(versions: readonly LoadedVersion[], ids: ReadonlyMap<string, string>): Promise<void> {
    const text = this.plan.sql.links;
    const rows = versions.flatMap((version) =>
      linkRowsOf(this.parts.layout.model, this.plan.writes, version, ids.get(keyOf(version)) ?? ""),
    );
    if (text !== undefined && rows.length > 0) await this.parts.db.query({ text, values: [JSON.stringify(rows)] });
  }

  /** Claims unique values inside of published components; one that is claimed already stays with its owner. */
  async #claim(versions: readonly LoadedVersion[]): Promise<void> {
    const { components, hasComponentUniques, type } = this.plan.writes;
    if (!hasComponentUniques) return;
    const claims = versions
      .filter(({ publishedAt }) => publishedAt !== null)
      .flatMap(({ documentId, locale, values }) =>
        components
          .flatMap((attribute) => uniqueValues(this.parts.layout.model, attribute, values[attribute.name]))
          .map(({ attribute, hash }) => ({ document_id: documentId, locale, path: attribute, hash })),
      );
    await this.parts.db.query({ text: LOAD_COMPONENT_UNIQUES, values: [type.uid, JSON.stringify(claims)] });
  }

  async #why(version: LoadedVersion): Promise<RefusedVersion> {
    const { exclusives, sql } = this.plan.writes;
    const row = JSON.stringify(rowOf(this.plan.writes, version));
    const values = [row, version.locale, version.documentId];
    const taken = sql.conflicts ? await this.parts.db.query<{ name: string }>({ text: sql.conflicts, values }) : [];
    const holders = exclusives.map(({ attribute }) => attribute.name).filter((name) => version.links[name]?.length);
    return { version, taken: taken.length > 0 ? taken.map(({ name }) => name) : holders };
  }
}

async function completeDrafts(db: Database, { writes, sql }: LoadPlan): Promise<number> {
  if (!writes.type.hasDrafts) return 0;
  const rows = await db.query<Pick<StoredRow, "document_id" | "locale">>({ text: sql.withoutDraft, values: [] });
  const { lock, quiet } = writes.sql;
  // One that is being deleted is not there any more when it is locked.
  for (const { document_id, locale } of rows)
    await db.queryAll([
      { text: lock, values: [document_id], isPlan: true },
      { text: quiet.copy, values: [document_id, locale, false, null], isPlan: true },
    ]);
  return rows.length;
}

const keyOfRow = (row: StoredRow): string => `${row.document_id} ${row.locale} ${row.is_draft}`;
