import { definePlugin, transformOutput } from "@plinth/core";
import { createCoreController } from "@plinth/plugin-content-api";
import { checkCommand } from "./commands/check.js";
import { parseConfig, type UploadConfig } from "./config.js";
import { FILE_TYPE, fileType } from "./content-types/file.js";
import { FOLDER_TYPE, folderType } from "./content-types/folder.js";
import { storage } from "./contract.js";
import { fileController } from "./controllers/file-controller.js";
import { servedController } from "./controllers/served-controller.js";
import { keepFolderRules } from "./folders/folder-rules.js";
import { extendSchema, graphql } from "./graphql.js";
import { inspectorImpl } from "./inspect/inspector-service.js";
import { openStorage, storageImpls } from "./providers/open-storage.js";
import { removeLeftovers } from "./request/temporary-directory.js";
import { fileRoutes, folderRoutes, servedRoutes } from "./routes.js";
import { signFile } from "./services/file-view.js";
import { filesImpl } from "./services/files-service.js";
import { keepUploaders } from "./services/uploader.js";

/** Files: received, inspected, stored by a provider, and linked to documents. */
export const uploadPlugin = definePlugin<UploadConfig>({
  name: "upload",
  config: parseConfig,
  contentTypes: { file: fileType, folder: folderType },
  services: [filesImpl, inspectorImpl, ...storageImpls],
  controllers: {
    "content-api": fileController,
    folder: createCoreController(FOLDER_TYPE),
    served: servedController,
  },
  routes: [...fileRoutes, ...folderRoutes, ...servedRoutes],
  commands: { "upload check": checkCommand },
  register(context) {
    const { app, config, on } = context;
    if (context.has("graphql")) extendSchema(context.extension(graphql));
    keepFolderRules(context);
    keepUploaders(context);
    // Only where urls have to be signed: it makes reads of files slower.
    if (config.signUrls) on(transformOutput(FILE_TYPE), (file) => signFile(app.service(storage), file));
  },
  async bootstrap({ config, service }) {
    await removeLeftovers(config.temporaryDirectory);
    await service(openStorage).open();
  },
  destroy: ({ service }) => service(openStorage).close(),
});
