/** The public entry of the webhooks plugin: the plugin itself, and its contract. */
import { beforeStop, definePlugin, onStart, writeHooks } from "@plinth/core";
import { jobs } from "@plinth/plugin-jobs";
import { commands } from "./commands.js";
import { parseConfig, type WebhooksConfig } from "./config.js";
import { ENDPOINT_TYPE, endpointType, extendSchema, graphql } from "./content-types.js";
import { CHANNEL } from "./endpoints/live-endpoints.js";
import { createHomeRoutes } from "./home-routes.js";
import { healthCheck } from "./health-check.js";
import { createAdminRoutes } from "./routes.js";
import { TABLES } from "./tables.js";
import { webhooksImpl, webhooksService, webhooksServiceImpl } from "./webhooks-service.js";

export type { WebhooksConfig } from "./config.js";
export * from "./contract.js";

/** What happens to content, sent to other servers: signed, in order, at least once. */
export const webhooksPlugin = definePlugin<WebhooksConfig>({
  name: "webhooks",
  dependsOn: ["events", "jobs"],
  after: ["api-tokens", "admin"],
  config: parseConfig,
  contentTypes: { endpoint: endpointType },
  commands,
  services: [webhooksServiceImpl, webhooksImpl],
  register({ app, extension, has, on, registry, route }) {
    if (has("graphql")) extendSchema(extension(graphql));
    if (has("api-tokens")) route("admin", { createRoutes: () => createAdminRoutes(app) });
    if (has("admin")) route("admin-home", { createRoutes: () => createHomeRoutes(app) });
    for (const table of TABLES) registry("table").add(table.name, table);
    const service = () => app.service(webhooksService);
    const about = { about: [ENDPOINT_TYPE] };
    for (const { after } of [writeHooks.create, writeHooks.update, writeHooks.delete])
      on(after, () => app.db.messages.publish(CHANNEL, "changed"), about);
    // Here for all of them, those that code makes past the service as well.
    on(writeHooks.create.after, ({ documentId }) => service().begin(documentId), about);
    on(writeHooks.delete.after, ({ documentId }) => service().forget(documentId), about);
    on(onStart, ({ purpose }) => {
      // As jobs: a process that only takes requests sends nothing.
      if (purpose === "work" || app.plugin("jobs").config.work) service().deliverer.sender.start();
    });
    on(beforeStop, ({ timeout }) => service().deliverer.sender.stop(timeout));
    extension(jobs).define({ name: "webhooks:forget", run: () => service().deliverer.forget() });
    extension(jobs).cron("webhooks:forget", "43 * * * *");
  },
  async bootstrap({ app, service }) {
    const { deliverer } = service(webhooksService);
    await deliverer.open();
    app.health.add(healthCheck(app));
  },
  destroy: ({ service }) => service(webhooksService).deliverer.close(),
});

export default webhooksPlugin;
