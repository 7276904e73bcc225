import type { Version } from "../../database/writes/version.js";
import type { ExclusivePlan, WritePlan } from "../../database/writes/write-plan.js";
import type { WriteScope } from "./write-scope.js";

/**
 * Takes the target of a one-to-one from another document that holds it, for a version of a document.
 *
 * @throws PLINTH_ACCESS_FORBIDDEN (403) for a holder that the actor's rule on updating does not reach
 */
export async function releasePreviousOwner(
  { db, rules }: WriteScope,
  { type }: WritePlan,
  { takeText }: ExclusivePlan,
  { target, locale, isDraft, documentId }: Pick<Version, "locale" | "isDraft" | "documentId"> & { target: string },
): Promise<void> {
  const values = [target, locale, isDraft, documentId];
  const holders = await db.query<{ id: string }>({ text: takeText, values, isPlan: true });
  await rules.assertReached(
    type.uid,
    rules.asked(type, "update", !isDraft),
    holders.map(({ id }) => id),
  );
}
