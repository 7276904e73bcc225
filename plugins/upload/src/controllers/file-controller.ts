import type { ControllerFactory, HttpContext } from "@plinth/core";
import { checkQuery, pageOfResult, parseRestConfig } from "@plinth/plugin-content-api";
import { files } from "../contract.js";
import { viewOf } from "../services/file-view.js";
import { findVisible, readFiles, type Viewer } from "../services/read-files.js";
import { visibleUses } from "../services/visible-uses.js";
import { parseId } from "./parse-id.js";
import { createUploadAction } from "./upload-action.js";

/** Files over REST: no envelope but for pages. @source plugins/content-api/WIRE.md#files */
export const fileController: ControllerFactory = ({ app }) => {
  const { signUrls } = app.plugin("upload").config;
  const limits = parseRestConfig(app.config.get("api.rest"));
  const isStrict = limits.strictParams;
  return {
    upload: createUploadAction(app),

    find: async (ctx) => {
      checkQuery(ctx.query, { isList: true, isStrict });
      const all = { ...limits, defaultLimit: Number.POSITIVE_INFINITY, withCount: false };
      const { result } = await readFiles(app, ctx.query, viewerOf(ctx, "find"), all);
      return result.rows().map((file) => viewOf(file, signUrls));
    },

    findPage: async (ctx) => {
      checkQuery(ctx.query, { isList: true, isStrict });
      const { result, prepared } = await readFiles(app, ctx.query, viewerOf(ctx, "find"), limits);
      const { pagination, rows } = pageOfResult(result, prepared);
      return { data: rows().map((file) => viewOf(file, signUrls)), meta: { pagination } };
    },

    findOne: (ctx) => {
      checkQuery(ctx.query, { isList: false, isStrict });
      return findVisible(app, idOf(ctx), viewerOf(ctx, "findOne"), ctx.query);
    },

    findUses: async (ctx) => {
      const { id } = await findVisible(app, idOf(ctx), viewerOf(ctx, "findOne"));
      return { data: await visibleUses(app, await app.service(files).usesOf(id), ctx.state.actor.ability) };
    },

    destroy: (ctx) => {
      const { ability } = ctx.state.actor;
      return app.service(files).delete(idOf(ctx), { force: ctx.query["force"] === "true", ability });
    },
  };
};

const idOf = ({ params }: HttpContext): number => parseId(params["id"]);

const viewerOf = ({ state }: HttpContext, action: Viewer["action"]): Viewer => ({
  ability: state.actor.ability,
  action,
});
