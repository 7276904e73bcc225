import { isPlinthError } from "../base/error.js";
import type { Database } from "../database/driver/database.js";
import { type DocumentProblem, InvalidDocumentIdsError, InvalidDocumentsError, type InputProblem } from "./errors.js";
import { listProblems } from "./problems.js";

/** Most documents in one transaction: each of them stays locked until it ends. */
const MAX_DOCUMENTS = 1_000;

/**
 * Runs an operation on several documents, all or nothing: in one transaction, each document in a savepoint of its own,
 * so that what is wrong with one does not keep the others from being looked at. Ids that are named twice count once.
 *
 * @param documentIds - 1 to 1,000 texts; checked here, since they may come from a client.
 * @param work - its refusals (`details.errors` of a 400, or a 404) are collected; any other error ends all.
 * @returns what `work` returned, in the order of the ids.
 * @throws PLINTH_DOCUMENT_INVALID_IDS (400) for another list, before anything happens
 * @throws PLINTH_DOCUMENT_BULK_REFUSED (400) with the problems of all documents; nothing has been changed
 */
export async function forAllDocuments<Result>(
  db: Database,
  documentIds: unknown,
  work: (documentId: string) => Promise<Result>,
): Promise<readonly Result[]> {
  const ids = readIds(documentIds);
  return await db.transaction(async () => {
    const results = new Map<string, Result>();
    const problems = new Map<string, readonly DocumentProblem[]>();
    // In one order for every caller, so that two lists with the same documents do not wait for each other.
    for (const documentId of [...ids].sort()) {
      try {
        results.set(documentId, await db.transaction(() => work(documentId)));
      } catch (error) {
        problems.set(documentId, problemsOf(documentId, error));
      }
    }
    const errors = ids.flatMap((id) => problems.get(id) ?? []);
    if (errors.length > 0) throw new InvalidDocumentsError(listProblems(errors));
    return ids.map((id) => results.get(id) as Result);
  });
}

function readIds(documentIds: unknown): readonly string[] {
  const ids: readonly unknown[] = Array.isArray(documentIds) ? documentIds : [];
  const isText = (id: unknown): id is string => typeof id === "string" && id !== "";
  if (ids.length === 0 || ids.length > MAX_DOCUMENTS || !ids.every(isText))
    throw new InvalidDocumentIdsError({ key: "documentIds", maximum: MAX_DOCUMENTS });
  return [...new Set(ids)];
}

/** The problems of a rejected document. @throws the error itself where it is not about the document */
function problemsOf(documentId: string, error: unknown): readonly DocumentProblem[] {
  if (!isPlinthError(error)) throw error;
  const { errors } = error.details as { readonly errors?: readonly InputProblem[] };
  if (error.status === 400 && errors) return errors.map((problem) => ({ documentId, ...problem }));
  if (error.status !== 404) throw error;
  const message = `Document with id "${documentId}" not found`;
  return [{ documentId, path: [], message, name: "ValidationError" }];
}
