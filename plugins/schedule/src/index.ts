/** The public entry of the schedule plugin: the plugin itself, and its contract. */
import { definePlugin, type ExtensionRef, extensionRef, implement, writeHooks } from "@plinth/core";
import type { AdminExtensions } from "@plinth/plugin-admin";
import { jobs } from "@plinth/plugin-jobs";
import { archivedPlans } from "./archived-plans.js";
import { releases, schedules } from "./contract.js";
import { defineJobs } from "./jobs.js";
import { ReleasesService } from "./releases/releases-service.js";
import { calendarRoutes } from "./rest/calendar-route.js";
import { homeRoutes } from "./rest/home-routes.js";
import * as releaseRoutes from "./rest/release-routes.js";
import * as scheduleRoutes from "./rest/schedule-routes.js";
import { forgetStatements } from "./schedules/schedule-store.js";
import { SchedulesService } from "./schedules/schedules-service.js";
import { declareTables } from "./tables.js";

export * from "./contract.js";

/** The admin page, by its name alone: it need not be installed. */
const admin: ExtensionRef<AdminExtensions> = extensionRef<AdminExtensions>("plugin::admin.extensions");

/** Publishes documents and takes them back at a time, and several together. */
export const schedulePlugin = definePlugin({
  name: "schedule",
  dependsOn: ["jobs"],
  after: ["admin", "api-tokens", "events", "users-permissions"],
  services: [
    implement(schedules, { create: (_deps, { app }) => new SchedulesService(app, app.extension(jobs)) }),
    implement(releases, { create: (_deps, { app }) => new ReleasesService(app, app.extension(jobs)) }),
  ],
  controllers: { release: releaseRoutes.releaseController },
  routes: releaseRoutes.contentRoutes,
  register({ app, extension, has, on, registry, route }) {
    declareTables((name, table) => registry("table").add(name, table));
    registry("archived-rows").add("plans", archivedPlans(app));
    defineJobs(extension(jobs));
    on(writeHooks.delete.along, ({ uid, documentId, locales }) =>
      app.model.contentTypes.get(uid)?.hasDrafts ? forgetStatements(uid, documentId, locales) : undefined,
    );
    route("schedule", scheduleRoutes.contentRoutes);
    if (has("admin")) extension(admin).actions({ [releaseRoutes.RELEASES_ACTION]: "make, schedule and run releases" });
    if (!has("api-tokens")) return;
    route("admin-calendar", calendarRoutes);
    route("admin-schedule", scheduleRoutes.adminRoutes);
    route("admin-releases", releaseRoutes.adminRoutes);
    if (has("admin")) route("admin-home", homeRoutes);
  },
});

export default schedulePlugin;
