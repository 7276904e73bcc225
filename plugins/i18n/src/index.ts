/** The public entry of the i18n plugin: the plugin itself, and its contract. */
import { beforeSync, definePlugin, implement, writeHooks } from "@plinth/core";
import { locales } from "./contract.js";
import { keepLocales } from "./keep-locale.js";
import { extendSchema, graphql, LOCALE_TYPE, localeType } from "./locale-type.js";
import { CHANNEL, LiveLocales, liveLocales } from "./live-locales.js";
import { createLocales, seedLocales, useStoredDefault } from "./locales-service.js";
import { contentRoutes, createAdminRoutes, publicView } from "./routes.js";

export type { Locale, LocaleChanges, Locales, NewLocale, RemovalOptions } from "./contract.js";
export { locales } from "./contract.js";

/** The locales of the app, and which is the default. */
export const i18nPlugin = definePlugin({
  name: "i18n",
  contentTypes: { locale: localeType },
  services: [
    implement(liveLocales, { create: (_deps, { app }) => new LiveLocales(app) }),
    implement(locales, { deps: { live: liveLocales }, create: ({ live }, { app }) => createLocales(app, live) }),
  ],
  controllers: {
    locales: ({ app }) => ({ listLocales: async () => (await app.service(locales).list()).map(publicView) }),
  },
  routes: contentRoutes,
  register({ app, extension, has, on, route }) {
    if (has("graphql")) extendSchema(extension(graphql));
    if (has("api-tokens")) route("admin", { createRoutes: () => createAdminRoutes(app) });
    on(beforeSync, useStoredDefault);
    keepLocales({ app, on });
    for (const { after } of [writeHooks.create, writeHooks.update, writeHooks.delete])
      on(after, () => app.db.messages.publish(CHANNEL, "changed"), { about: [LOCALE_TYPE] });
  },
  async bootstrap({ app, service }) {
    await seedLocales(app, service(locales));
    await service(liveLocales).open();
  },
  destroy: ({ service }) => service(liveLocales).close(),
});

export default i18nPlugin;
