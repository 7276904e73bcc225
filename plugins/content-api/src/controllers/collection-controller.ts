import { type HttpContext, UnknownKeyError } from "@plinth/core";
import { checkQuery } from "../check-query.js";
import type { CollectionService, CoreController } from "../contract.js";
import { forDraftActions } from "../services/draft-actions.js";
import { MissingDataError } from "../errors.js";
import { dataOf, type Responder, readerOf, writeOf } from "./respond.js";

/** What controllers are made of. */
export interface ControllerTools<Service> {
  readonly uid: string;
  readonly service: Service;
  readonly respond: Responder;
  /** Whether unknown parameters are refused. */
  readonly isStrict: boolean;
}

/** The endpoints of a collection: they translate between HTTP and the service, and do nothing else. */
export function createCollectionController(tools: ControllerTools<CollectionService>): CoreController {
  const { uid, service, respond, isStrict } = tools;
  const idOf = (ctx: HttpContext) => ctx.params["documentId"] ?? "";
  return {
    async find(ctx) {
      checkQuery(ctx.query, { isList: true, isStrict });
      return respond.page(ctx, await service.find(ctx.query, readerOf(ctx, `${uid}.find`)));
    },
    async findOne(ctx) {
      checkQuery(ctx.query, { isList: false, isStrict });
      return respond.one(ctx, await service.findOne(idOf(ctx), ctx.query, readerOf(ctx, `${uid}.findOne`)));
    },
    async create(ctx) {
      checkQuery(ctx.query, { isList: false, isStrict });
      const created = await service.create(writeOf(ctx), readerOf(ctx, `${uid}.create`));
      ctx.status = 201;
      return respond.one(ctx, created);
    },
    async update(ctx) {
      checkQuery(ctx.query, { isList: false, isStrict });
      return respond.one(ctx, await service.update(idOf(ctx), writeOf(ctx), readerOf(ctx, `${uid}.update`)));
    },
    async delete(ctx) {
      checkQuery(ctx.query, { isList: false, isStrict });
      await service.delete(idOf(ctx), ctx.query, readerOf(ctx, `${uid}.delete`));
      ctx.status = 204;
    },
    ...forDraftActions((action) => async (ctx: HttpContext) => {
      checkQuery(ctx.query, { isList: false, isStrict });
      const documentId = ctx.params["documentId"];
      const reader = readerOf(ctx, `${uid}.${action}`);
      if (documentId !== undefined) return respond.versions(ctx, await service[action](documentId, ctx.query, reader));
      return respond.versions(ctx, await service[`${action}Many`](idsOf(ctx), ctx.query, reader));
    }),
  };
}

/** The documents that an action on several is about. @throws PLINTH_REST_MISSING_DATA, PLINTH_INPUT_UNKNOWN_KEY (400) */
function idsOf(ctx: HttpContext): unknown {
  const data = dataOf(ctx);
  if (typeof data !== "object" || data === null) throw new MissingDataError({});
  const { documentIds, ...others } = data as Readonly<Record<string, unknown>>;
  const [key] = Object.keys(others);
  if (key !== undefined) throw new UnknownKeyError({ key, path: null, source: "body" });
  return documentIds;
}
