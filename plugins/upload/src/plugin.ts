import { type Command, type ControllerFactory, definePlugin, NotFoundError, transformOutput } from "@plinth/core";
import { createCoreController } from "@plinth/plugin-content-api";
import { admin, createAdminRoutes } from "./admin/admin-routes.js";
import { parseConfig, type UploadConfig } from "./config.js";
import { FILE_TYPE, fileType, FOLDER_TYPE, folderType } from "./content-types.js";
import { storage } from "./contract.js";
import { fileController } from "./controllers/file-controller.js";
import { keepFolderRules } from "./folders/folder-rules.js";
import { extendSchema, graphql } from "./graphql.js";
import { inspectorImpl } from "./inspect/inspector-service.js";
import { openStorage, storageImpls } from "./providers/open-storage.js";
import { removeLeftovers } from "./request/temporary-directory.js";
import { fileRoutes, folderRoutes, servedRoutes } from "./routes.js";
import { archivedFiles } from "./services/archived-files.js";
import { compareStorage, repairStorage } from "./services/compare-storage.js";
import { signFile } from "./services/read-files.js";
import { filesImpl } from "./services/files-service.js";
import { defineUnusedFiles, jobs, keysToRemove, removeDeleted } from "./services/unused-files.js";
import { keepUploaders } from "./services/uploader.js";

const REPAIR = "--repair";
const REMOVE_DELETED = "--remove-deleted";

/** `plinth upload check`. */
const checkCommand: Command = {
  description: "compare the storage with the table of files",
  options: {
    [REPAIR]: "remove files that no row knows, and rows and formats whose file is gone",
    [REMOVE_DELETED]: "remove deleted files at once, which would stay for `keepDeleted` days",
    "--json": "print JSON",
  },
  run: async ({ app, options, print, table }) => {
    const removed = options["removeDeleted"] ? await removeDeleted(app) : undefined;
    const differences = await compareStorage(app);
    if (options["repair"]) await repairStorage(app, differences);
    if (options["json"]) return print(JSON.stringify(differences, undefined, 2));
    if (removed !== undefined) print(`Removed ${removed} stored file(s) that were deleted.`);
    const rows = differences.map(({ kind, key, id }) => [key, kind, id === undefined ? "" : String(id)]);
    const { size } = await keysToRemove(app);
    if (size > 0) print(`${size} stored file(s) wait for a job that removes those which no row uses.`);
    if (rows.length === 0) return print("Storage and table agree.");
    print(table(["KEY", "WHAT", "FILE"], rows));
    print(options["repair"] ? `Repaired ${rows.length}.` : `${rows.length} difference(s); ${REPAIR} removes them.`);
  },
};

/** Serves files, for providers whose files this server serves. */
const servedController: ControllerFactory = ({ app }) => ({
  findOne: (ctx, next) => {
    const { serve } = app.service(storage);
    if (!serve) throw new NotFoundError({});
    return serve(ctx, next);
  },
});

/** Files: received, inspected, stored by a provider, and linked to documents. */
export const uploadPlugin = definePlugin<UploadConfig>({
  name: "upload",
  after: ["jobs"],
  config: parseConfig,
  contentTypes: { file: fileType, folder: folderType },
  services: [filesImpl, inspectorImpl, ...storageImpls],
  controllers: { "content-api": fileController, folder: createCoreController(FOLDER_TYPE), served: servedController },
  routes: [...fileRoutes, ...folderRoutes, ...servedRoutes].map((route) => ({ ...route, api: "upload" })),
  commands: { "upload check": checkCommand },
  register(context) {
    const { app, config, on } = context;
    if (context.has("graphql")) extendSchema(context.extension(graphql));
    if (context.has("jobs")) defineUnusedFiles(context.extension(jobs));
    if (context.has("admin")) {
      context.route("admin", { createRoutes: () => createAdminRoutes(app) });
      context.extension(admin).mediaOrigins(async () => (await app.service(storage).origins?.()) ?? []);
    }
    keepFolderRules(context);
    keepUploaders(context);
    context.registry("file-store").add(FILE_TYPE, archivedFiles);
    // Only where urls have to be signed: it makes reads of files slower.
    if (config.signUrls) on(transformOutput(FILE_TYPE), (file) => signFile(app.service(storage), file));
  },
  async bootstrap({ config, service }) {
    await removeLeftovers(config.temporaryDirectory);
    await service(openStorage).open();
  },
  destroy: ({ service }) => service(openStorage).close(),
});
