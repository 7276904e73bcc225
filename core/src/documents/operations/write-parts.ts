import type { Ability } from "../../access/ability.js";
import type { Reader } from "../../database/reads/read.js";
import type { Database } from "../../database/driver/database.js";
import type { Layout } from "../../database/layout/layout.js";
import type { HashPassword } from "../input/parse-input.js";
import type { Listeners } from "../listeners.js";
import type { Reads } from "../reads.js";
import type { ComponentIds } from "../../database/writes/component-sql.js";
import { RowRules } from "../write/row-rules.js";
import type { WriteRunner } from "../write/run-write.js";
import { UnitOfWork } from "../../database/writes/unit-of-work.js";
import { toVersions, type Version, type VersionRow } from "../../database/writes/version.js";
import type { WritePlan } from "../../database/writes/write-plan.js";
import type { Attempt, WriteScope } from "../write/write-scope.js";

/** What the writes of one content-type work with. */
export interface WriteParts {
  readonly db: Database;
  readonly runner: WriteRunner;
  readonly layout: Layout;
  readonly reader: Reader;
  readonly listeners: Listeners;
  readonly reads: Reads;
  readonly componentIds: ComponentIds;
  readonly hashPassword: HashPassword;
  /** Whether any role or token is granted an action by its name; see Permissions. */
  readonly isNamed: (action: string) => boolean;
  readonly plan: WritePlan;
}

/**
 * All rows of a document, locked until the transaction ends; none when there is no such document. They are read by a
 * second statement of the same round trip: one that waits for a lock does not see the rows that were made meanwhile. Nor
 * does it lock them, so both run again until all that are read are locked.
 *
 * @param lock - `lockToRemove` where rows are going to be deleted: waits for writers that link to the document.
 */
export async function lockVersions(
  { db, plan }: WriteParts,
  documentId: string,
  lock: "lock" | "lockToRemove" = "lock",
): Promise<readonly Version[]> {
  const of = (text: string) => ({ text, values: [documentId], isPlan: true });
  for (;;) {
    const [rows, found] = await db.queryAll([of(plan.sql[lock]), of(plan.sql.versions)]);
    const locked = new Set((rows as { readonly id: string }[]).map(({ id }) => id));
    const versions = toVersions(found as VersionRow[]);
    if (versions.every(({ id }) => locked.has(id))) return versions;
  }
}

/** The id of the document of a single type, with any version. */
export async function singleId({ db, plan }: Pick<WriteParts, "db" | "plan">): Promise<string | undefined> {
  const [found] = await db.query<{ documentId: string }>({ text: plan.sql.anyDocument, values: [], isPlan: true });
  return found?.documentId;
}

/** The state of a write when it starts. */
export interface ScopeStart {
  readonly attempts: Attempt[];
  /** Of the document; the write's time is later than every change of them. */
  readonly versions: readonly Version[];
  /** Default: the default one. */
  readonly locale?: string;
  /** Default: everything. */
  readonly ability: Ability | undefined;
}

/** What the steps of a run of a write share. */
export function openScope(parts: WriteParts, { attempts, versions, locale, ability }: ScopeStart): WriteScope {
  const { db, layout, componentIds } = parts;
  const now = Math.max(Date.now(), ...versions.map(({ updatedAt }) => Math.round(updatedAt) + 1));
  const rules = new RowRules(parts, ability);
  return {
    db,
    unit: new UnitOfWork(db),
    layout,
    componentIds,
    rules,
    locale: locale ?? layout.model.defaultLocale,
    now,
    attempts,
    generated: new Set(),
  };
}
