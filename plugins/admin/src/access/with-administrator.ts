// Writes that name an administrator without a relation.
import { type App, UnauthenticatedError } from "@plinth/core";
import { ADMINISTRATOR_TYPE } from "../content-types/administrator.js";

/**
 * Runs a write that names an administrator, in a transaction that keeps them from being deleted: a later deletion deletes what
 * is theirs.
 *
 * @throws PLINTH_ACCESS_UNAUTHENTICATED (401) where they are deleted
 */
export async function withAdministrator<Result>(
  app: App,
  documentId: string,
  write: () => Promise<Result>,
): Promise<Result> {
  return await app.db.transaction(async () => {
    if (!(await app.documents(ADMINISTRATOR_TYPE).lock(documentId, "shared"))) throw new UnauthenticatedError({});
    return await write();
  });
}
