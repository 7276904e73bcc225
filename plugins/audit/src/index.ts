/** The public entry of the audit plugin. */
import {
  beforeStop,
  beforeSync,
  definePlugin,
  type ExtensionRef,
  extensionRef,
  implement,
  onStart,
} from "@plinth/core";
import type { AdminExtensions } from "@plinth/plugin-admin";
import { AuditService } from "./audit-service.js";
import { commands } from "./commands.js";
import { type AuditConfig, parseConfig } from "./config.js";
import { AuditCitusError } from "./errors.js";
import { healthCheck } from "./health-check.js";
import { adminRoutes, READ } from "./routes/admin-routes.js";
import { auditService } from "./service-ref.js";
import { TABLES } from "./tables.js";
import { listen } from "./writing/writer.js";

export type { AuditConfig } from "./config.js";
export * from "./contract.js";

/** The admin page, by its name alone: it need not be installed. */
const admin: ExtensionRef<AdminExtensions> = extensionRef<AdminExtensions>("plugin::admin.extensions");

/** Who did what, when and from where: append only, in a chain of hashes. */
export const auditPlugin = definePlugin<AuditConfig>({
  name: "audit",
  after: ["api-tokens", "admin"],
  config: parseConfig,
  commands,
  services: [implement(auditService, { create: (_deps, context) => new AuditService(context) })],
  register({ app, extension, has, on, registry, route }) {
    for (const table of TABLES) registry("table").add(table.name, table);
    const service = () => app.service(auditService);
    if (has("admin")) extension(admin).actions({ [READ]: "read the audit log" });
    if (has("api-tokens")) route("admin", { createRoutes: () => adminRoutes(app) });
    on(beforeSync, ({ db }) => {
      if (db.engine === "citus") throw new AuditCitusError({});
    });
    listen(on, () => service().writer);
    on(onStart, () => service().start());
    on(beforeStop, () => service().stop());
  },
  bootstrap: ({ app, service }) => {
    service(auditService).writer.queue.open();
    app.health.add(healthCheck(app));
  },
  destroy: ({ service }) => service(auditService).writer.queue.close(),
});

export default auditPlugin;
