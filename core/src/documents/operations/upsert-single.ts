import type { Database } from "../../database/driver/database.js";
import type { CreateParams, Document, Documents, Precondition } from "../documents.js";
import { VersionMismatchError } from "../errors.js";

/** What the upsert of a single type is made of. */
export interface SingleParts extends Pick<Documents, "create" | "update" | "singleId"> {
  readonly db: Database;
  readonly uid: string;
}

/**
 * Updates the document of a single type, or creates it where there is none yet. First writes at the same time wait for
 * each other, so that one creates the document and the others update it.
 *
 * @returns null for a document that the ability does not reach.
 * @throws as create and update
 */
export async function upsertSingle(
  { db, uid, singleId, create, update }: SingleParts,
  params: CreateParams & Precondition,
): Promise<Document | null> {
  const known = await singleId();
  const updated = known === undefined ? null : await update({ ...params, documentId: known });
  if (updated) return updated;
  return await db.transaction(async () => {
    await db.lock(`plinth single type ${uid}`);
    const documentId = await singleId();
    if (documentId !== undefined) return await update({ ...params, documentId });
    if (params.ifVersion !== undefined) throw new VersionMismatchError({});
    return await create(params);
  });
}
