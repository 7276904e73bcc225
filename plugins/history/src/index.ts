/** The public entry of the history plugin. */
import { definePlugin, implement } from "@plinth/core";
import { commands } from "./commands.js";
import { type HistoryConfig, parseConfig } from "./config.js";
import { HistoryService } from "./history-service.js";
import { defineJobs, jobs } from "./jobs.js";
import { homeRoutes } from "./routes/home-routes.js";
import { adminRoutes } from "./routes/admin-routes.js";
import { contentRoutes } from "./routes/content-routes.js";
import { historyService } from "./service-ref.js";
import { historyTable, TABLE } from "./table.js";
import { listenToWrites } from "./writing/listen-to-writes.js";

export type { HistoryConfig } from "./config.js";
export type {
  DeletedDocument,
  DeletedQuery,
  Difference,
  History,
  Restored,
  Restorer,
  Version,
  VersionAction,
  VersionedDocument,
  VersionInfo,
  VersionProblem,
  Viewer,
} from "./contract.js";
export { history } from "./contract.js";

/** Earlier versions of documents, kept by the database itself in each write. */
export const historyPlugin = definePlugin<HistoryConfig>({
  name: "history",
  after: ["jobs", "api-tokens", "admin"],
  config: parseConfig,
  commands,
  services: [implement(historyService, { create: (_deps, context) => new HistoryService(context) })],
  register(context) {
    const { app, config, extension, has, registry, route } = context;
    registry("table").add(TABLE, historyTable);
    if (has("jobs")) defineJobs(extension(jobs));
    const kept = () => app.service(historyService).kept;
    if (config.contentApi) route("content", { createRoutes: () => contentRoutes(app, kept()) });
    if (has("admin")) {
      route("admin", { createRoutes: () => adminRoutes(app, kept()) });
      route("admin-home", { createRoutes: () => homeRoutes(app, kept()) });
    }
    listenToWrites(context, kept);
  },
});

export default historyPlugin;
