import type { App, Handler, HttpContext } from "@plinth/core";
import { assertCan } from "@plinth/core/access";
import { type ChangeOptions, files, type FileView, type LinkTarget } from "../contract.js";
import { LinkInvalidError, NoFilesError, SeveralFilesError } from "../errors.js";
import { type Received, receive } from "../request/receive.js";
import { namingFullDisks } from "../request/space-error.js";
import { actionOnFiles } from "../services/file-ability.js";
import { parseInfos } from "../services/file-info.js";
import { parseId } from "./parse-id.js";

/**
 * `POST /upload`: new files, or, with `?id=`, another content or info for one, which `update` of files has to be granted
 * for.
 *
 * @source plugins/content-api/WIRE.md#files
 */
export function createUploadAction(app: App): Handler {
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
  return (ctx, next) => namingFullDisks(async () => answer(ctx, next));
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

function optionsOf({ state }: HttpContext, { files: received, fields }: Received) {
  const infos = received.length > 0 ? parseInfos(fields["fileInfo"], received.length) : [];
  const { ability, user } = state.actor;
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
