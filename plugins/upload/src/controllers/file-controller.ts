import type { ControllerFactory, HttpContext } from "@plinth/core";
import { checkQuery, pageOfResult, parseRestConfig } from "@plinth/plugin-content-api";
import { type FileUse, files, type FileView, type LinkTarget } from "../contract.js";
import { FileNotFoundError, IdInvalidError, LinkInvalidError, NoFilesError, SeveralFilesError } from "../errors.js";
import { type Received, receive } from "../request/receive.js";
import { parseInfos } from "../services/file-info.js";
import { viewOf } from "../services/file-view.js";
import { readFile, readFiles, type Viewer } from "../services/read-files.js";
import { visibleUses } from "../services/visible-uses.js";

/** Larger numbers are no row's. */
const ROW_ID = /^\d{1,15}$/;

/** Files over REST: no envelope but for pages. @source wire.md section 10; section 13, 39; corpus 21 */
export const fileController: ControllerFactory = ({ app }) => {
  const { config } = app.plugin("upload");
  const limits = parseRestConfig(app.config.get("api.rest"));
  const service = () => app.service(files);

  const found = async (ctx: HttpContext, id: number, action: string): Promise<FileView> => {
    const file = await readFile(app, id, action === "findOne" ? ctx.query : {}, viewerOf(ctx, action));
    if (!file) throw new FileNotFoundError({});
    return file;
  };

  return {
    find: async (ctx) => {
      checkQuery(ctx.query, { isList: true, isStrict: limits.strictParams });
      const all = { ...limits, defaultLimit: Number.POSITIVE_INFINITY, withCount: false };
      const { result } = await readFiles(app, ctx.query, viewerOf(ctx, "find"), all);
      return result.rows().map((file) => viewOf(file, config.signUrls));
    },

    findPage: async (ctx) => {
      checkQuery(ctx.query, { isList: true, isStrict: limits.strictParams });
      const { result, prepared } = await readFiles(app, ctx.query, viewerOf(ctx, "findPage"), limits);
      const { pagination, rows } = pageOfResult(result, prepared);
      return { data: rows().map((file) => viewOf(file, config.signUrls)), meta: { pagination } };
    },

    findOne: (ctx) => {
      checkQuery(ctx.query, { isList: false, isStrict: limits.strictParams });
      return found(ctx, parseId(ctx.params["id"]), "findOne");
    },

    upload: async (ctx) => {
      const { id } = ctx.query;
      if (id !== undefined) return await receive(ctx, config, (received) => change(parseId(id), received));
      ctx.body = await receive(ctx, config, (received) => service().upload(received.files, optionsOf(ctx, received)));
      ctx.status = 201;
    },

    destroy: async (ctx) => {
      const id = parseId(ctx.params["id"]);
      await found(ctx, id, "destroy");
      return await service().delete(id, { force: ctx.query["force"] === "true" });
    },

    findUses: async (ctx): Promise<{ data: readonly FileUse[] }> => {
      const id = parseId(ctx.params["id"]);
      await found(ctx, id, "findUses");
      return { data: await visibleUses(app, await service().usesOf(id), ctx.state.actor.ability) };
    },
  };

  function change(id: number, { files: received, fields }: Received): Promise<FileView> {
    if (received.length > 1) throw new SeveralFilesError({});
    const [info] = parseInfos(fields["fileInfo"], 1);
    const [file] = received;
    if (file) return service().replace(id, file, info);
    if (!info) throw new NoFilesError({});
    return service().updateInfo(id, info);
  }

  function optionsOf({ state }: HttpContext, { files: received, fields }: Received) {
    const infos = received.length > 0 ? parseInfos(fields["fileInfo"], received.length) : [];
    return { infos, target: targetOf(fields), ability: state.actor.ability };
  }
};

const viewerOf = ({ state }: HttpContext, action: string): Viewer => ({
  ability: state.actor.ability,
  action: `plugin::upload.content-api.${action}`,
});

/** @throws PLINTH_UPLOAD_ID_INVALID (400) */
function parseId(id: unknown): number {
  if (typeof id !== "string" || !ROW_ID.test(id)) throw new IdInvalidError({ id: String(id) });
  return Number(id);
}

const TARGET_KEYS = ["ref", "refId", "field"] as const;

/** The attribute that the files are for; undefined when none is named. @throws PLINTH_UPLOAD_LINK_INVALID (400) */
function targetOf(fields: Received["fields"]): LinkTarget | undefined {
  if (TARGET_KEYS.every((key) => fields[key] === undefined)) return undefined;
  const target: Record<string, string> = {};
  for (const key of TARGET_KEYS) {
    const value = fields[key];
    if (typeof value !== "string" || value === "") {
      throw new LinkInvalidError({ key, reason: "is a required field beside ref, refId and field, and has one value" });
    }
    target[key] = value;
  }
  return target as unknown as LinkTarget;
}
