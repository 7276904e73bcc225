import type { Database } from "../database/database.js";
import type { Layout } from "../database/layout.js";
import type { Listeners } from "./listeners.js";
import type { Reads } from "./reads.js";
import type { ComponentIds } from "./write/component-ids.js";
import type { WriteRunner } from "./write/run-write.js";
import { readVersions, type Version } from "./write/version.js";
import type { WritePlan } from "./write/write-plan.js";
import type { Attempt, WriteScope } from "./write/write-scope.js";

/** What the writes of one content-type work with. */
export interface WriteParts {
  readonly db: Database;
  readonly runner: WriteRunner;
  readonly layout: Layout;
  readonly listeners: Listeners;
  readonly reads: Reads;
  readonly componentIds: ComponentIds;
  readonly plan: WritePlan;
}

/** All rows of a document, locked until the transaction ends; none when there is no such document. */
export function lockVersions({ db, plan }: WriteParts, documentId: string): Promise<Version[]> {
  return readVersions(db, { text: plan.sql.lock, values: [documentId] });
}

/** What a write starts with. @param versions - of the document; the write's time is later than every change of them. */
export function openScope(
  { db, layout, componentIds }: WriteParts,
  attempts: Attempt[],
  versions: readonly Version[],
  locale = layout.model.defaultLocale,
): WriteScope {
  const now = Math.max(Date.now(), ...versions.map(({ updatedAt }) => Math.round(updatedAt) + 1));
  return { db, layout, componentIds, locale, now, attempts };
}
