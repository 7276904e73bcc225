import { UnknownKeyError } from "@plinth/core";
import type { Endpoint, RequestInfo } from "@plinth/core/http";
import { checkQuery } from "../check-query.js";
import type { CollectionService, CoreAction } from "../contract.js";
import { MissingDataError } from "../errors.js";
import { forDraftActions } from "../services/draft-actions.js";
import { callerOf, dataOf, NO_CONTENT, type Responder, writeOf } from "./respond.js";

/** What controllers are made of. */
export interface ControllerTools<Service> {
  readonly uid: string;
  readonly service: Service;
  readonly respond: Responder;
  /** Whether unknown parameters are refused. */
  readonly isStrict: boolean;
}

/** The endpoints of a content-type, by action. */
export type CoreEndpoints = Readonly<Partial<Record<CoreAction, Endpoint>>>;

/** The endpoints of a collection: they translate between HTTP and the service, and do nothing else. */
export function createCollectionEndpoints(tools: ControllerTools<CollectionService>): CoreEndpoints {
  const { uid, service, respond, isStrict } = tools;
  const idOf = ({ params }: RequestInfo) => params["documentId"] ?? "";
  return {
    async find(request) {
      checkQuery(request.query, { isList: true, isStrict });
      return respond.page(request, await service.find(request.query, callerOf(request, `${uid}.find`)));
    },
    async findOne(request) {
      checkQuery(request.query, { isList: false, isStrict });
      const caller = callerOf(request, `${uid}.findOne`);
      return respond.one(request, await service.findOne(idOf(request), request.query, caller));
    },
    async create(request) {
      checkQuery(request.query, { isList: false, isStrict });
      const created = await service.create(writeOf(request), callerOf(request, `${uid}.create`));
      return respond.one(request, created, 201);
    },
    async update(request) {
      checkQuery(request.query, { isList: false, isStrict });
      const caller = callerOf(request, `${uid}.update`);
      return respond.one(request, await service.update(idOf(request), writeOf(request), caller));
    },
    async delete(request) {
      checkQuery(request.query, { isList: false, isStrict });
      await service.delete(idOf(request), request.query, callerOf(request, `${uid}.delete`));
      return NO_CONTENT;
    },
    ...forDraftActions(
      (action): Endpoint =>
        async (request) => {
          checkQuery(request.query, { isList: false, isStrict });
          const { documentId } = request.params;
          const caller = callerOf(request, `${uid}.${action}`);
          if (documentId !== undefined)
            return respond.versions(request, await service[action](documentId, request.query, caller));
          return respond.versions(request, await service[`${action}Many`](idsOf(request), request.query, caller));
        },
    ),
  };
}

/** The documents that an action on several is about. @throws PLINTH_REST_MISSING_DATA, PLINTH_INPUT_UNKNOWN_KEY (400) */
function idsOf(request: RequestInfo): unknown {
  const data = dataOf(request);
  if (typeof data !== "object" || data === null) throw new MissingDataError({});
  const { documentIds, ...others } = data as Readonly<Record<string, unknown>>;
  const [key] = Object.keys(others);
  if (key !== undefined) throw new UnknownKeyError({ key, path: null, source: "body" });
  return documentIds;
}
