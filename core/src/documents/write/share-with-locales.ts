import type { Version } from "../../database/writes/version.js";
import type { WritePlan } from "../../database/writes/write-plan.js";
import type { WriteScope } from "./write-scope.js";

/**
 * Gives the shared attributes of a row to the same version (draft or published) of the document in its other locales,
 * in two statements; their `updated_at` stays.
 *
 * @param versions - all versions of the document.
 * @source plugins/content-api/WIRE.md#locales
 */
export async function shareWithLocales(
  scope: WriteScope,
  plan: WritePlan,
  row: Version,
  versions: readonly Version[],
): Promise<void> {
  const others = versions.filter((version) => version.isDraft === row.isDraft && version.locale !== row.locale);
  if (plan.sql.share === undefined || others.length === 0) return;
  if (!row.isDraft)
    for (const { documentId, locale } of others)
      scope.attempts.push({ plan, documentId, locale, content: row.content, generated: scope.generated });
  await scope.db.query({ text: plan.sql.share, values: [row.id], isPlan: true });
  await copySharedLinks(scope, plan, row, [...new Set(others.map(({ id }) => id))]);
}

/**
 * Copies the links of shared attributes. Links derived from components are only added: the same component may sit in an
 * attribute of the other locale that is not shared, and a derived link too many shows nowhere.
 */
export async function copySharedLinks(
  scope: WriteScope,
  { codes, sql }: WritePlan,
  row: Version,
  rowIds: readonly string[],
): Promise<void> {
  if (sql.links === undefined || codes.shared.length + codes.embedded.size === 0) return;
  const copied = [...codes.shared, ...codes.embedded.values()];
  await scope.db.query({ text: sql.links.copy, values: [row.id, rowIds, copied, codes.shared], isPlan: true });
}
