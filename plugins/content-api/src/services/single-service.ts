import type { Caller, Params, SingleService } from "../contract.js";
import { foundOne } from "../found.js";
import { forDraftActions, runDraftAction } from "./draft-actions.js";
import { readOne, type ServiceTools, trusted } from "./read-entries.js";
import { assertNoFallback, localeOf, prepareWrite } from "./write-entries.js";

/** What the endpoints of a single type do: there is one document, made by the first write. */
export function createSingleService(tools: ServiceTools): SingleService {
  const { app, type } = tools;
  const documents = app.documents(type.uid);
  return {
    async find(params = {}, caller = trusted) {
      return readOne(tools, tools.parseOne(params, caller));
    },
    async createOrUpdate(params, caller = trusted) {
      const written = await documents.upsertSingle(prepareWrite(tools, params, caller));
      return written && foundOne(written);
    },
    async delete({ status: _status, ...params } = {}, caller = trusted) {
      tools.parseOne(params, caller);
      const documentId = await documents.singleId();
      assertNoFallback(params);
      const { ability, ifVersion, unlessVersion } = caller;
      // No document has this id, so an expected version is missing.
      if (documentId === undefined && ifVersion === undefined) return;
      await documents.delete({
        documentId: documentId ?? "",
        ability,
        ifVersion,
        unlessVersion,
        ...localeOf(tools, params),
      });
    },
    ...forDraftActions((action) => async (params: Params = {}, caller: Caller = trusted) => {
      const documentId = (await documents.singleId()) ?? "";
      return await runDraftAction(tools, { action, documentId }, params, caller);
    }),
  };
}
