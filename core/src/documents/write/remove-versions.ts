import { clearComponentUniques } from "./component-uniques.js";
import type { Version } from "../../database/writes/version.js";
import type { WritePlan } from "../../database/writes/write-plan.js";
import type { WriteScope } from "./write-scope.js";

/**
 * Deletes rows of a document; their own links go with them. When the last row goes, so does all that points to the
 * document.
 *
 * @param versions - all versions of the document.
 */
export async function removeVersions(
  scope: WriteScope,
  plan: WritePlan,
  removed: readonly Version[],
  versions: readonly Version[],
): Promise<void> {
  const [first] = removed;
  if (first === undefined) return;
  const isLast = removed.length === versions.length;
  const { lockHolders } = plan.sql;
  if (isLast && lockHolders !== undefined)
    await scope.db.query({ text: lockHolders, values: [first.documentId], isPlan: true });
  await scope.db.query({ text: plan.sql.remove, values: [removed.map(({ id }) => id)], isPlan: true });
  const locales = removed.filter(({ isDraft }) => !isDraft).map(({ locale }) => locale);
  await clearComponentUniques(scope, plan, first.documentId, locales);
  if (!isLast || plan.sql.forget === undefined) return;
  await scope.db.query({ text: plan.sql.forget, values: [first.documentId], isPlan: true });
}
