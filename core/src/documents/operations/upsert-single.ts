import type { Asked, CreateParams, Document, Documents, Precondition } from "../documents.js";
import { VersionMismatchError } from "../errors.js";
import { singleId, type WriteParts } from "./write-steps.js";

/**
 * Updates the document of a single type, or creates it where there is none yet. First writes at the same time wait for
 * each other, so that one creates the document and the others update it.
 *
 * @param operations - with the hooks around them.
 * @returns null for a document that the ability does not reach.
 * @throws as create and update
 */
export async function upsertSingle(
  { db, plan }: Pick<WriteParts, "db" | "plan">,
  { create, update }: Pick<Documents, "create" | "update">,
  params: Asked<CreateParams & Precondition>,
): Promise<Document | null> {
  const known = await singleId({ db, plan });
  const updated = known === undefined ? null : await update({ ...params, documentId: known });
  if (updated) return updated;
  return await db.transaction(async () => {
    await db.lock(`plinth single type ${plan.type.uid}`);
    const documentId = await singleId({ db, plan });
    if (documentId !== undefined) return await update({ ...params, documentId });
    if (params.ifVersion !== undefined) throw new VersionMismatchError({});
    return await create(params);
  });
}
