import type { App, ControllerFactory, HttpContext } from "@plinth/core";
import { checkQuery, pageOfResult, parseRestConfig } from "@plinth/plugin-content-api";
import { files, type FileView } from "../contract.js";
import { FileNotFoundError } from "../errors.js";
import { viewOf } from "../services/file-view.js";
import { readFile, readFiles, type Viewer } from "../services/read-files.js";
import { visibleUses } from "../services/visible-uses.js";
import { parseId } from "./parse-id.js";
import { createUploadAction } from "./upload-action.js";

/** Files over REST: no envelope but for pages. @source wire.md section 10; section 13, 39; corpus 21 */
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
      const { result, prepared } = await readFiles(app, ctx.query, viewerOf(ctx, "findPage"), limits);
      const { pagination, rows } = pageOfResult(result, prepared);
      return { data: rows().map((file) => viewOf(file, signUrls)), meta: { pagination } };
    },

    findOne: (ctx) => {
      checkQuery(ctx.query, { isList: false, isStrict });
      return findVisible(app, ctx, "findOne");
    },

    findUses: async (ctx) => {
      const { id } = await findVisible(app, ctx, "findUses");
      return { data: await visibleUses(app, await app.service(files).usesOf(id), ctx.state.actor.ability) };
    },

    destroy: async (ctx) => {
      const { id } = await findVisible(app, ctx, "destroy");
      return await app.service(files).delete(id, { force: ctx.query["force"] === "true" });
    },
  };
};

/** The file of the path, if the rule of the action reaches it. @throws PLINTH_UPLOAD_NOT_FOUND (404) */
async function findVisible(app: App, ctx: HttpContext, action: "findOne" | "findUses" | "destroy"): Promise<FileView> {
  const query = action === "findOne" ? ctx.query : {};
  const file = await readFile(app, parseId(ctx.params["id"]), query, viewerOf(ctx, action));
  if (!file) throw new FileNotFoundError({});
  return file;
}

const viewerOf = ({ state }: HttpContext, action: string): Viewer => ({
  ability: state.actor.ability,
  action: `plugin::upload.content-api.${action}`,
});
