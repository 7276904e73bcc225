import type { HttpContext } from "@plinth/core";
import { checkQuery } from "../check-query.js";
import type { CoreController, SingleService } from "../contract.js";
import { forDraftActions } from "../services/draft-actions.js";
import type { ControllerTools } from "./collection-controller.js";
import { readerOf, writeOf } from "./respond.js";

/** The endpoints of a single type. The first PUT creates the document and answers 200 like every other. */
export function createSingleController(tools: ControllerTools<SingleService>): CoreController {
  const { uid, service, respond, isStrict } = tools;
  return {
    async find(ctx) {
      checkQuery(ctx.query, { isList: false, isStrict });
      return respond.one(ctx, await service.find(ctx.query, readerOf(ctx, `${uid}.find`)));
    },
    async update(ctx) {
      checkQuery(ctx.query, { isList: false, isStrict });
      return respond.one(ctx, await service.createOrUpdate(writeOf(ctx), readerOf(ctx, `${uid}.update`)));
    },
    async delete(ctx) {
      checkQuery(ctx.query, { isList: false, isStrict });
      await service.delete(ctx.query, readerOf(ctx, `${uid}.delete`));
      ctx.status = 204;
    },
    ...forDraftActions((action) => async (ctx: HttpContext) => {
      checkQuery(ctx.query, { isList: false, isStrict });
      return respond.versions(ctx, await service[action](ctx.query, readerOf(ctx, `${uid}.${action}`)));
    }),
  };
}
