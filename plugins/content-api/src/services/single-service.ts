import { VersionMismatchError } from "@plinth/core";
import type { Params, Reader, SingleService } from "../contract.js";
import { foundOne } from "../found.js";
import { forDraftActions, runDraftAction } from "./draft-actions.js";
import { prepareOne, readOne, type ServiceTools, trusted } from "./read-entries.js";
import { assertNoFallback, localeOf, prepareWrite } from "./write-entries.js";

/** What the endpoints of a single type do: there is one document, made by the first write. */
export function createSingleService(tools: ServiceTools): SingleService {
  const { app, type } = tools;
  const documents = app.documents(type.uid);
  return {
    async find(params = {}, reader = trusted) {
      return readOne(tools, prepareOne(tools, params, reader));
    },
    async createOrUpdate(params, reader = trusted) {
      const write = prepareWrite(tools, params, reader);
      const { ifVersion } = reader;
      return app.db.transaction(async () => {
        const known = (await findDocumentId(tools)) ?? (await lockAndFind(tools));
        const written = known === undefined ? null : await documents.update({ ...write, documentId: known });
        if (written) return foundOne(written);
        const isOutOfReach = known !== undefined && (await findDocumentId(tools)) !== undefined;
        if (ifVersion !== undefined) throw new VersionMismatchError({});
        return isOutOfReach ? null : foundOne(await documents.create(write));
      });
    },
    async delete({ status: _status, ...params } = {}, reader = trusted) {
      prepareOne(tools, params, reader);
      const documentId = await findDocumentId(tools);
      assertNoFallback(params);
      const { ability, ifVersion, unlessVersion } = reader;
      // No document has this id, so one that is expected is missed.
      if (documentId === undefined && ifVersion === undefined) return;
      await documents.delete({
        documentId: documentId ?? "",
        ability,
        ifVersion,
        unlessVersion,
        ...localeOf(tools, params),
      });
    },
    ...forDraftActions((action) => async (params: Params = {}, reader: Reader = trusted) => {
      const documentId = (await findDocumentId(tools)) ?? "";
      return await runDraftAction(tools, { action, documentId }, params, reader);
    }),
  };
}

/** The one document, whatever versions it has. */
async function findDocumentId({ app, type }: ServiceTools): Promise<string | undefined> {
  for (const status of ["published", "draft"] as const) {
    const locale = type.isLocalized ? { locale: "*" } : {};
    const params = { ...locale, status, fields: ["documentId"], pagination: { limit: 1 } };
    const [found] = await app.documents(type.uid).findMany(params);
    if (found) return found.documentId;
  }
  return undefined;
}

/** First writes at the same time wait for each other here, so that one makes the document and the others change it. */
async function lockAndFind(tools: ServiceTools): Promise<string | undefined> {
  const values = [tools.type.uid];
  await tools.app.db.query({ text: "select pg_advisory_xact_lock(hashtextextended($1, 0))", values });
  return findDocumentId(tools);
}
