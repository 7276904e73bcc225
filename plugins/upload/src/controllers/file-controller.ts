import type { App, ControllerFactory, Handler, HttpContext } from "@plinth/core";
import { assertCan } from "@plinth/core/access";
import { checkQuery, pageOfResult, parseRestConfig } from "@plinth/plugin-content-api";
import { type ChangeOptions, files, type FileView, type LinkTarget } from "../contract.js";
import { IdInvalidError, LinkInvalidError, NoFilesError, SeveralFilesError } from "../errors.js";
import { receive, type Received } from "../request/receive.js";
import { actionOnFiles } from "../services/file-ability.js";
import { parseInfos } from "../services/file-info.js";
import { findVisible, readFiles, type Viewer, viewOf } from "../services/read-files.js";
import { visibleUses } from "../services/visible-uses.js";
import { namingStorageFaults } from "../services/storage-faults.js";

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

/**
 * `POST /upload`: new files, or, with `?id=`, another content or info for one, which `update` of files has to be granted
 * for.
 *
 * @source plugins/content-api/WIRE.md#files
 */
function createUploadAction(app: App): Handler {
  const { config } = app.plugin("upload");
  const answer: Handler = async (ctx) => {
    if (ctx.query["id"] !== undefined) {
      const id = parseId(ctx.query["id"]);
      const { ability } = ctx.state.actor;
      assertCan(ability, [actionOnFiles("update")]);
      return await receive(ctx, config, (received) => change(app, id, received, { ability }));
    }
    ctx.body = await receive(ctx, config, (received) =>
      app.service(files).upload(received.files, optionsOf(ctx, received)),
    );
    ctx.status = 201;
  };
  return (ctx, next) => namingStorageFaults(async () => answer(ctx, next));
}

/** @throws PLINTH_UPLOAD_SEVERAL_FILES, PLINTH_UPLOAD_NO_FILES (400), and as Files do */
async function change(
  app: App,
  id: number,
  { files: received, fields }: Received,
  options: ChangeOptions,
): Promise<FileView> {
  if (received.length > 1) throw new SeveralFilesError({});
  const [info] = parseInfos(fields["fileInfo"], 1);
  const [file] = received;
  if (file) return await app.service(files).replace(id, file, info, options);
  if (!info) throw new NoFilesError({});
  return await app.service(files).updateInfo(id, info, options);
}

function optionsOf(ctx: HttpContext, { files: received, fields }: Received) {
  const infos = received.length > 0 ? parseInfos(fields["fileInfo"], received.length) : [];
  const { ability, user } = ctx.state.actor;
  return { infos, target: targetOf(fields), ability, user };
}

const TARGET_KEYS = ["ref", "refId", "field"] as const;

/** The attribute that the files are for; undefined when none is named. @throws PLINTH_UPLOAD_LINK_INVALID (400) */
function targetOf(fields: Received["fields"]): LinkTarget | undefined {
  if (TARGET_KEYS.every((key) => fields[key] === undefined)) return undefined;
  const [ref, refId, field] = TARGET_KEYS.map((key) => {
    const value = fields[key];
    if (typeof value === "string" && value !== "") return value;
    throw new LinkInvalidError({ key, reason: "is required, once, where ref, refId or field is sent" });
  }) as [string, string, string];
  return { ref, refId, field };
}

/** No row has a larger id. */
const ROW_ID = /^\d{1,15}$/;

/** The row id of a file, from a path or a query string. @throws PLINTH_UPLOAD_ID_INVALID (400) */
function parseId(id: unknown): number {
  if (typeof id !== "string" || !ROW_ID.test(id)) throw new IdInvalidError({ id: String(id) });
  return Number(id);
}
