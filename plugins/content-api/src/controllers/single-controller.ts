import type { Endpoint } from "@plinth/core/http";
import { checkQuery } from "../check-query.js";
import type { SingleService } from "../contract.js";
import { forDraftActions } from "../services/draft-actions.js";
import type { ControllerTools, CoreEndpoints } from "./collection-controller.js";
import { callerOf, NO_CONTENT, writeOf } from "./respond.js";

/** The endpoints of a single type. The first PUT creates the document and answers 200 like every other. */
export function createSingleEndpoints(tools: ControllerTools<SingleService>): CoreEndpoints {
  const { uid, service, respond, isStrict } = tools;
  return {
    async find(request) {
      checkQuery(request.query, { isList: false, isStrict });
      return respond.one(request, await service.find(request.query, callerOf(request, `${uid}.find`)));
    },
    async update(request) {
      checkQuery(request.query, { isList: false, isStrict });
      const caller = callerOf(request, `${uid}.update`);
      return respond.one(request, await service.createOrUpdate(writeOf(request), caller));
    },
    async delete(request) {
      checkQuery(request.query, { isList: false, isStrict });
      await service.delete(request.query, callerOf(request, `${uid}.delete`));
      return NO_CONTENT;
    },
    ...forDraftActions(
      (action): Endpoint =>
        async (request) => {
          checkQuery(request.query, { isList: false, isStrict });
          return respond.versions(request, await service[action](request.query, callerOf(request, `${uid}.${action}`)));
        },
    ),
  };
}
