import { VersionMismatchError } from "@plinth/core";
import { forAllDocuments } from "@plinth/core/reads";
import type { Caller, CollectionService, DraftAction, Params } from "../contract.js";
import { foundOne, pageOfResult } from "../found.js";
import { forDraftActions, joinVersions, runDraftAction } from "./draft-actions.js";
import { readOne, type ServiceTools, trusted } from "./read-entries.js";
import { assertNoFallback, localeOf, prepareWrite } from "./write-entries.js";

/** What the endpoints of a collection do. */
export function createCollectionService(tools: ServiceTools): CollectionService {
  const documents = tools.app.documents(tools.type.uid);
  return {
    ...ofMany(tools),
    async find(params = {}, caller = trusted) {
      const prepared = tools.parseList(params, caller);
      return pageOfResult(await documents.read(prepared), prepared);
    },
    async findOne(documentId, params = {}, caller = trusted) {
      return readOne(tools, tools.parseOne(params, caller, documentId));
    },
    async create(params, caller = trusted) {
      const write = prepareWrite(tools, params, caller);
      // The document is a new one, so no version of it can be expected, and any may be unexpected.
      if (caller.ifVersion !== undefined) throw new VersionMismatchError({});
      return foundOne(await documents.create(write));
    },
    async update(documentId, params, caller = trusted) {
      const updated = await documents.update({ documentId, ...prepareWrite(tools, params, caller) });
      return updated && foundOne(updated);
    },
    async delete(documentId, { status: _status, ...params } = {}, caller = trusted) {
      tools.parseOne(params, caller, documentId);
      assertNoFallback(params);
      const { ability, ifVersion, unlessVersion } = caller;
      await documents.delete({ documentId, ability, ifVersion, unlessVersion, ...localeOf(tools, params) });
    },
    ...forDraftActions(
      (action) =>
        (documentId: string, params: Params = {}, caller: Caller = trusted) =>
          runDraftAction(tools, { action, documentId }, params, caller),
    ),
  };
}

/** Runs an action on several documents, by the service's own action on one, which an app may have extended. */
function ofMany({ app }: ServiceTools): Pick<CollectionService, `${DraftAction}Many`> {
  const many = (action: DraftAction) =>
    async function run(this: CollectionService, documentIds: unknown, params?: Params, caller?: Caller) {
      return joinVersions(await forAllDocuments(app.db, documentIds, (id) => this[action](id, params, caller)));
    };
  return { publishMany: many("publish"), unpublishMany: many("unpublish"), discardDraftMany: many("discardDraft") };
}
