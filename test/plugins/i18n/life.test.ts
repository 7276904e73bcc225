import { expect } from "chai";
import { aroundOperation, writeHooks } from "#core/index.js";
import { locales } from "@plinth/plugin-i18n";
import { eitherDatabase } from "../../databases.js";
import { LIBRARY_CONFIG, library } from "./library.js";
import { type LocaleApp, serveLocales, startLocaleApp } from "./serve-locales.js";

eitherDatabase("postgres", (database) => {
  describe("deleting a locale by force", () => {
    const deleted: string[] = [];
    const app = serveLocales(database, {
      config: LIBRARY_CONFIG,
      app: {
        ...library,
        register: ({ on }) => {
          on(writeHooks.delete.after, ({ locales: gone }) => void deleted.push(...gone.filter(Boolean)));
          on(writeHooks.delete.before, ({ locales: gone }) => {
            if (gone.includes("it")) throw new RangeError("Italian stays");
          });
          on(aroundOperation, async ({ operation, params }, next) => {
            const { documentId, locale } = params as { readonly documentId: string; readonly locale?: string };
            return operation === "delete" && locale === "fr" ? { documentId, entries: [] } : next();
          });
        },
      },
    });
    const books = () => app().plinth.app.documents("api::book.book");
    const count = (locale: string, status: "draft" | "published") =>
      books().count({ locale, status, fallbackLocale: [] });

    before("write books, drafts included", async () => {
      for (let n = 0; n < 12; n += 1) {
        const { documentId } = await books().create({ data: { title: `${n}` }, status: "published" });
        const status = n % 2 === 0 ? "published" : "draft";
        await books().update({ documentId, locale: "de", data: { title: `${n} de` }, status });
      }
      await books().create({ locale: "de", data: { title: "nur deutsch" } });
      await books().create({ locale: "it", data: { title: "solo" } });
    });

    it("deletes what documents have in it, and no other version, hooks included", async () => {
      const { documentId } = await app().localeOf("de");
      expect((await app().admin("DELETE", `/locales/${documentId}`)).status).to.equal(409);
      expect((await app().admin("DELETE", `/locales/${documentId}?force=false`)).status).to.equal(409);
      expect(await count("de", "draft")).to.equal(13);
      expect((await app().admin("DELETE", `/locales/${documentId}?force=true`)).status).to.equal(204);
      expect([await count("de", "draft"), await count("de", "published")]).to.deep.equal([0, 0]);
      expect([await count("en", "draft"), await count("en", "published")]).to.deep.equal([12, 12]);
      expect(deleted).to.have.lengthOf(13).and.to.include("de");
      expect(app().plinth.app.model.locales).to.not.include("de");
    });

    it("takes it out of the fallbacks of others", async () => {
      expect((await app().localeOf("fr")).fallback).to.deep.equal(["en"]);
      expect(app().plinth.app.model.fallbacks.get("fr")).to.deep.equal(["en"]);
    });

    it("is refused for the default locale, and for anything but true and false", async () => {
      const { documentId } = await app().localeOf("en");
      const path = `/locales/${documentId}`;
      const isDefault = await app().admin("DELETE", `${path}?force=true`);
      expect([isDefault.status, isDefault.body.error.code]).to.deep.equal([409, "PLINTH_I18N_DEFAULT_NEEDED"]);
      const unclear = await app().admin("DELETE", `${path}?force=yes`);
      expect([unclear.status, unclear.body.error.code]).to.deep.equal([400, "PLINTH_I18N_INVALID"]);
    });

    it("changes nothing where one deletion is refused", async () => {
      const { documentId } = await app().localeOf("it");
      const service = app().plinth.app.service(locales);
      const error = await service.remove(documentId, { force: true }).catch((thrown: Error) => thrown);
      expect(error).to.be.an("error").with.property("message").that.contains("Italian stays");
      expect(await count("it", "draft")).to.equal(1);
      expect(app().plinth.app.model.locales).to.include("it");
    });

    it("is refused where a hook kept documents in silence", async () => {
      await books().create({ locale: "fr", data: { title: "reste" } });
      const { documentId } = await app().localeOf("fr");
      const { status, body } = await app().admin("DELETE", `/locales/${documentId}?force=true`);
      expect([status, body.error.code]).to.deep.equal([409, "PLINTH_I18N_LOCALE_IN_USE"]);
      expect(app().plinth.app.model.locales).to.include("fr");
    });
  });

  describe("the fallback of a locale", () => {
    const app = serveLocales(database, { config: LIBRARY_CONFIG, app: library });

    it("is changed while the app runs, and holds from the next read on", async () => {
      await app().content("POST", "/books", { data: { title: "Only English" } });
      const italian = await app().admin("POST", "/locales", { code: "it-CH", fallback: ["it", "en"] });
      expect(italian.body.data.fallback).to.deep.equal(["it", "en"]);
      const titles = async () =>
        (await app().content("GET", "/books?locale=it-CH&filters[title]=Only English")).body.data.length;
      expect(await titles()).to.equal(1);
      const path = `/locales/${italian.body.data.documentId}`;
      expect((await app().admin("PUT", path, { fallback: [] })).body.data.fallback).to.deep.equal([]);
      expect(await titles()).to.equal(0);
    });

    it("names other locales of the app, each once", async () => {
      const { documentId } = await app().localeOf("fr");
      for (const fallback of [["fr"], ["xx"], ["en", "en"], "en", [1]]) {
        const { status, body } = await app().admin("PUT", `/locales/${documentId}`, { fallback });
        expect([status, body.error?.code], JSON.stringify(fallback)).to.deep.equal([400, "PLINTH_I18N_INVALID"]);
      }
      expect((await app().admin("POST", "/locales", { code: "sv", fallback: ["xx"] })).status).to.equal(400);
    });

    it("is no matter of visitors: the public list has the keys it always had", async () => {
      expect((await app().content("GET", "/i18n/locales")).body[0]).to.not.have.property("fallback");
    });
  });
});

describe("config/i18n", () => {
  eitherDatabase("postgres", (database) => {
    it("with a fallback that cannot be meant is refused at the start, with all that is wrong", async () => {
      const config = { i18n: { defaultLocale: "", locales: ["en", { code: "fr", fallback: ["fr", "xx"] }, 7] } };
      const error = await startLocaleApp(database, { config }).catch((thrown: Error & { code: string }) => thrown);
      expect(error).to.have.property("code", "PLINTH_CONFIG_LOCALES");
      expect((error as Error).message)
        .to.contain("i18n.defaultLocale")
        .and.contain("i18n.locales[2]")
        .and.contain('names "fr"')
        .and.contain('names "xx"');
    });
  });
});

eitherDatabase("postgres", (database) => {
  // The embedded database of an app goes with it.
  if (database.kind !== "postgres") return;
  describe("localisation that is turned on after the default locale changed", () => {
    const plain = {
      kind: "collectionType" as const,
      info: { singularName: "leaf", pluralName: "leaves", displayName: "Leaf" },
      attributes: { title: { type: "string" } },
    };
    const localized = { ...plain, pluginOptions: { i18n: { localized: true } } };
    let app: LocaleApp | undefined;
    afterEach("stop the app", () => app?.plinth.stop());

    it("puts content into the default that the database knows, not that of config/i18n", async () => {
      app = await startLocaleApp(database, { app: { contentTypes: { "api::leaf.leaf": plain } } });
      await app.content("POST", "/leaves", { data: { title: "Feuille" } });
      const { documentId } = await app.localeOf("fr");
      await app.admin("PUT", `/locales/${documentId}`, { isDefault: true });
      await app.plinth.stop();

      app = await startLocaleApp(database, { app: { contentTypes: { "api::leaf.leaf": localized } } });
      const { body } = await app.content("GET", "/leaves");
      expect(body.data.map(({ title, locale }: Record<string, string>) => [title, locale])).to.deep.equal([
        ["Feuille", "fr"],
      ]);
      expect((await app.content("GET", "/leaves?locale=en")).body.data).to.deep.equal([]);
    });
  });
});
