import { expect } from "chai";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { i18nPlugin } from "@plinth/plugin-i18n";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { liveLocales } from "#plugins/i18n/src/live-locales.js";
import { eitherDatabase } from "../../databases.js";
import { CONFIG, type LocaleApp, serveLocales, startLocaleApp } from "./serve-locales.js";

const LIST_LOCALES = "plugin::i18n.locales.listLocales";

/** Waits for what another process is told. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((done) => setTimeout(done, 10));
}

eitherDatabase("postgres", (database) => {
  describe("locales in several processes", () => {
    const started: LocaleApp[] = [];
    const start = async (...args: Parameters<typeof startLocaleApp>) => {
      const app = await startLocaleApp(...args);
      started.push(app);
      return app;
    };
    afterEach("stop the apps", () => Promise.all(started.splice(0).map(({ plinth }) => plinth.stop())));

    it("are those of config/i18n where the plugin is not enabled", async () => {
      const { plinth, content } = await start(database, { plugins: [contentApiPlugin, apiTokensPlugin] });
      expect(plinth.app.model.locales).to.deep.equal(["en", "fr"]);
      expect((await content("GET", "/i18n/locales")).status).to.equal(404);
    });

    // Every app on the embedded database has one of its own.
    if (database.kind === "postgres") {
      it("are the same in all of them soon after a change", async () => {
        const [here, there] = await Promise.all([start(database), start(database)]);
        expect((await here.content("GET", "/i18n/locales")).body).to.have.lengthOf(2);
        await here.admin("POST", "/locales", { code: "de", isDefault: true });
        await until(() => there.plinth.app.model.defaultLocale === "de");
        expect((await there.content("POST", "/pages", { data: { title: "Hallo" } })).body.data.locale).to.equal("de");
      });

      it("are read until they could be, when a lock kept the process that heard of a change from it", async () => {
        const { connection } = database.config() as { connection: string };
        const config = { ...CONFIG, database: { client: "postgres", connection, statementTimeout: 2_000 } };
        const { model } = (await start(database, { config })).plinth.app;
        const other = await database.connect();
        await other.transaction(async () => {
          await other.query({ text: "lock table i18n_locales in access exclusive mode", values: [] });
          const heard = JSON.stringify({ from: "another", channel: "i18n", text: "" });
          await other.knex.raw("select pg_notify('plinth', ?)", [heard]);
          await new Promise((done) => setTimeout(done, 3_000));
          await other.query({ text: "update i18n_locales set code = 'it' where code = 'fr'", values: [] });
        });
        await until(() => model.locales.includes("it"));
        await other.query({ text: "update i18n_locales set code = 'fr' where code = 'it'", values: [] });
      });

      it("stay what they became, whatever config/i18n says at a later start", async () => {
        const config = { i18n: { defaultLocale: "sv", locales: ["sv"] } };
        const { model } = (await start(database, { config })).plinth.app;
        expect(model.locales).to.have.members(["en", "fr", "de"]);
        expect(model.defaultLocale).to.equal("de");
      });
    }
  });

  describe("a locale that another process has just deleted", () => {
    const app = serveLocales(database);
    const says = /^There is no locale "nl"\. Use one of: (?!.*\bnl\b)/;

    // A process that hears of nothing: when messages arrive is chance.
    before("stop to listen", async () => {
      const { model, service } = app().plinth.app;
      await service(liveLocales).close();
      const { defaultLocale, locales } = model;
      const made = await app().admin("POST", "/locales", { code: "nl" });
      await app().admin("DELETE", `/locales/${made.body.data.documentId}`);
      model.useLocales({ defaultLocale, locales: [...locales, "nl"] });
    });

    it("takes no content from a process that has not heard of it yet", async () => {
      const { content, plinth } = app();
      const { documentId } = (await content("POST", "/pages", { data: { title: "One" } })).body.data;
      const data = { title: "Een" };
      for (const [method, path] of [
        ["POST", "/pages?locale=nl"],
        ["POST", "/pages?locale=nl&status=draft"],
        ["PUT", `/pages/${documentId}?locale=nl`],
      ] as const) {
        const { status, body } = await content(method, path, { data });
        expect([status, body.error.code]).to.deep.equal([400, "PLINTH_DOCUMENT_UNKNOWN_LOCALE"]);
        expect(body.error.message).to.match(says);
      }
      const text = "select locale from pages where locale = 'nl'";
      expect(await plinth.app.db.query({ text, values: [] })).to.deep.equal([]);
    });

    const at = new Date().toISOString();
    const load = (id: number, locale: string) => {
      const times = { publishedAt: at, createdAt: at, updatedAt: at };
      const version = { id, documentId: `imported-${id}`, locale, ...times, values: { title: "Een" }, links: {} };
      return app().plinth.app.loader.load("api::page.page", [version]);
    };

    it("takes no content that is imported", async () => {
      const loaded = await load(900, "nl").catch((error: unknown) => error as Error);
      expect(loaded).to.include({ code: "PLINTH_DOCUMENT_UNKNOWN_LOCALE" });
      const text = "select locale from pages where document_id = 'imported-900'";
      expect(await app().plinth.app.db.query({ text, values: [] })).to.deep.equal([]);
    });

    it("and that no process knows any more comes along with an archive that has content of it", async () => {
      expect(await load(901, "eo")).to.include({ written: 1 });
    });
  });

  describe("the action of the list of locales", () => {
    it("stands in the permission tree of users and permissions", async () => {
      const plugins = [contentApiPlugin, apiTokensPlugin, i18nPlugin, usersPermissionsPlugin];
      const app = await startLocaleApp(database, { plugins });
      try {
        const { body } = await app.content("GET", "/users-permissions/permissions");
        expect(body.permissions["plugin::i18n"].controllers.locales.listLocales).to.include({ enabled: false });
        const { body: actions } = await app.ask("GET", "/admin/permissions", await adminKey(app));
        expect(actions.data).to.deep.include({ action: LIST_LOCALES, routes: ["GET /api/i18n/locales"] });
      } finally {
        await app.plinth.stop();
      }
    });
  });
});

async function adminKey({ tokens }: LocaleApp): Promise<string> {
  return (await tokens.create({ name: "actions", type: "admin" })).accessKey;
}
