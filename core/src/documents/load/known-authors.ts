import type { Database } from "../../database/driver/database.js";
import type { LoadPlan } from "../../database/writes/load-plan.js";
import type { LoadedVersion } from "./loaded-version.js";

/** Row ids of people by their document ids; undefined for those who are about to be stored. */
export type KnownAuthors = ReadonlyMap<string, string | undefined>;

/** Finds the authors of versions among the people of the app: one statement, and none where no version names any. */
export async function findAuthors(
  db: Database,
  { sql }: LoadPlan,
  versions: readonly LoadedVersion[],
): Promise<KnownAuthors> {
  const named = new Set(versions.flatMap(({ createdBy, updatedBy }) => [createdBy ?? [], updatedBy ?? []].flat()));
  const known = new Map<string, string | undefined>();
  if (sql.people === undefined || named.size === 0) return known;
  // People name each other.
  if (sql.credit !== undefined) for (const { documentId } of versions) known.set(documentId, undefined);
  const rows = await db.query<{ id: string; document_id: string }>({ text: sql.people, values: [[...named]] });
  for (const { id, document_id } of rows) known.set(document_id, id);
  return known;
}

/** A version whose authors are people of the app; others are left out as null, and what is not known stays so. */
export function withKnownAuthors(version: LoadedVersion, known: KnownAuthors): LoadedVersion {
  const { createdBy, updatedBy } = version;
  if (createdBy === undefined && updatedBy === undefined) return version;
  const authorOf = (documentId: string | null = null) =>
    documentId !== null && known.has(documentId) ? documentId : null;
  // Not spread: see the rows of Load.
  return Object.assign({}, version, { createdBy: authorOf(createdBy), updatedBy: authorOf(updatedBy) });
}

/** The columns of a version's authors. */
export const authorColumns = ({ createdBy, updatedBy }: LoadedVersion, known: KnownAuthors) => ({
  created_by_id: known.get(createdBy ?? "") ?? null,
  updated_by_id: known.get(updatedBy ?? "") ?? null,
});

/** Says of people who were just stored who made them. */
export async function creditPeople(
  db: Database,
  { sql }: LoadPlan,
  people: readonly { readonly id: string; readonly version: LoadedVersion }[],
): Promise<void> {
  const rows = people
    .filter(({ version: { createdBy, updatedBy } }) => createdBy || updatedBy)
    .map(({ id, version: { createdBy, updatedBy } }) => ({ id, created_by: createdBy, updated_by: updatedBy }));
  if (sql.credit !== undefined && rows.length > 0) await db.query({ text: sql.credit, values: [JSON.stringify(rows)] });
}
