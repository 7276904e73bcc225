import { expect } from "chai";
import { locales } from "@plinth/plugin-i18n";
import { eitherDatabase } from "../../databases.js";
import { serveLocales } from "./serve-locales.js";

eitherDatabase(import.meta.url, (database) => {
  describe("the list of locales", () => {
    const app = serveLocales(database);

    it("has those of config/i18n at the first start, with their English names", async () => {
      const { status, body } = await app().content("GET", "/i18n/locales");
      expect(status).to.equal(200);
      expect(body.map(({ code, name, isDefault }: Record<string, unknown>) => [code, name, isDefault])).to.deep.equal([
        ["en", "English (en)", true],
        ["fr", "French (fr)", false],
      ]);
      expect(Object.keys(body[0])).to.have.members(
        "id documentId code name createdAt updatedAt publishedAt isDefault".split(" "),
      );
    });

    it("is no matter of the public, nor of tokens that may find, until it is granted", async () => {
      const { tokens, ask } = app();
      const reader = await tokens.create({ name: "reader", type: "read-only" });
      const permissions = ["plugin::i18n.locales.listLocales"] as const;
      const granted = await tokens.create({ name: "granted", type: "custom", permissions });
      expect((await ask("GET", "/api/i18n/locales")).status).to.equal(403);
      expect((await ask("GET", "/api/i18n/locales", reader.accessKey)).status).to.equal(403);
      expect((await ask("GET", "/api/i18n/locales", granted.accessKey)).status).to.equal(200);
    });
  });

  describe("a locale that an administrator adds", () => {
    const app = serveLocales(database);

    it("can be written in from the next request on, and not before", async () => {
      const refused = await app().content("POST", "/pages?locale=de", { data: { title: "Hallo" } });
      expect([refused.status, refused.body.error.code]).to.deep.equal([400, "PLINTH_DOCUMENT_UNKNOWN_LOCALE"]);
      const made = await app().admin("POST", "/locales", { code: "de" });
      expect([made.status, made.body.data.name]).to.deep.equal([201, "German (de)"]);
      const { status, body } = await app().content("POST", "/pages?locale=de", { data: { title: "Hallo" } });
      expect([status, body.data.locale]).to.deep.equal([201, "de"]);
    });

    it("has a name of one's own, and one like its code where the language is unknown", async () => {
      const named = await app().admin("POST", "/locales", { data: { code: "pt-BR", name: "Português" } });
      expect(named.body.data).to.include({ code: "pt-BR", name: "Português", isDefault: false });
      for (const code of ["qq", "en_x"])
        expect((await app().admin("POST", "/locales", { code })).body.data.name).to.equal(code);
      expect((await app().admin("POST", "/locales", { code: "en_GB" })).body.data.name).to.equal(
        "British English (en_GB)",
      );
    });

    it("is refused with all that is wrong with it", async () => {
      const { status, body } = await app().admin("POST", "/locales", {
        code: "*",
        name: " ",
        isDefault: 1,
        colour: "red",
      });
      expect([status, body.error.code]).to.deep.equal([400, "PLINTH_I18N_INVALID"]);
      expect(body.error.details.errors.map(({ path }: { path: string }) => path)).to.have.members([
        "code",
        "name",
        "isDefault",
        "colour",
      ]);
      expect((await app().admin("POST", "/locales", {})).body.error.message).to.match(
        /^code is missing; it must be a language tag/,
      );
      expect((await app().admin("POST", "/locales", { code: "EN" })).body.error.message).to.equal(
        'code is taken by "en"',
      );
    });

    it("is added by one of two who add it at once", async () => {
      const twice = await Promise.all([1, 2].map(() => app().admin("POST", "/locales", { code: "nl" })));
      expect(twice.map(({ status }) => status).sort()).to.deep.equal([201, 400]);
    });

    it("is not known when the transaction that added it is rolled back", async () => {
      const { plinth } = app();
      const failed = plinth.app.db.transaction(async () => {
        await plinth.app.service(locales).create({ code: "it" });
        throw new TypeError("no");
      });
      expect(await failed.catch((error: Error) => error.message)).to.equal("no");
      expect(plinth.app.model.locales).not.to.include("it");
    });
  });

  describe("the default locale", () => {
    const app = serveLocales(database);
    const defaults = async () => {
      const { body } = await app().content("GET", "/i18n/locales");
      return body
        .filter(({ isDefault }: { isDefault: boolean }) => isDefault)
        .map(({ code }: { code: string }) => code);
    };

    it("is what requests without a locale mean, from its change on", async () => {
      const created = await app().content("POST", "/pages", { data: { title: "Hello" } });
      const path = `/pages/${created.body.data.documentId}`;
      await app().content("PUT", `${path}?locale=fr`, { data: { title: "Bonjour" } });
      const titles = async () => [
        (await app().content("GET", path)).body.data.title,
        (await app().content("GET", "/pages")).body.data[0].title,
        (await app().plinth.app.db.model("api::page.page").query().modify("published"))[0]?.toJSON()["title"],
      ];
      expect(await titles()).to.deep.equal(["Hello", "Hello", "Hello"]);

      const french = await app().localeOf("fr");
      const changed = await app().admin("PUT", `/locales/${french.documentId}`, { name: "Français", isDefault: true });
      expect(changed.body.data).to.include({ code: "fr", name: "Français", isDefault: true });
      expect(await defaults()).to.deep.equal(["fr"]);
      expect(await titles()).to.deep.equal(["Bonjour", "Bonjour", "Bonjour"]);
      expect((await app().content("GET", `${path}?locale=en`)).body.data.title).to.equal("Hello");
      const written = await app().content("POST", "/pages", { data: { title: "Salut" } });
      expect(written.body.data.locale).to.equal("fr");
    });

    it("is always one, however many are made it at once", async () => {
      const made = await app().admin("POST", "/locales", { code: "es", isDefault: true });
      expect([made.status, await defaults()]).to.deep.equal([201, ["es"]]);
      const others = await Promise.all(["en", "fr"].map((code) => app().localeOf(code)));
      const path = (documentId: string) => `/locales/${documentId}`;
      await Promise.all(others.map(({ documentId }) => app().admin("PUT", path(documentId), { isDefault: true })));
      expect(await defaults()).to.have.lengthOf(1);
      expect(app().plinth.app.model.defaultLocale).to.equal((await defaults())[0]);
    });

    it("cannot be deleted, nor simply stop to be it, and a code never changes", async () => {
      const { documentId, code } = await app().localeOf((await defaults())[0]);
      const path = `/locales/${documentId}`;
      const deleted = await app().admin("DELETE", path);
      expect([deleted.status, deleted.body.error.code]).to.deep.equal([409, "PLINTH_I18N_DEFAULT_NEEDED"]);
      const changed = await app().admin("PUT", path, { isDefault: false, code: `${code}-x` });
      expect(changed.status).to.equal(400);
      expect(changed.body.error.details.errors).to.have.lengthOf(2);
      expect((await app().admin("PUT", path, { code, isDefault: true })).status).to.equal(200);
    });
  });

  describe("deleting a locale", () => {
    const app = serveLocales(database);

    it("is refused while documents are written in it, drafts included, and works afterwards", async () => {
      const { documentId } = (await app().admin("POST", "/locales", { code: "pl" })).body.data;
      const draft = await app().content("POST", "/pages?locale=pl&status=draft", { data: { title: "Szkic" } });
      const refused = await app().admin("DELETE", `/locales/${documentId}`);
      expect([refused.status, refused.body.error.code]).to.deep.equal([409, "PLINTH_I18N_LOCALE_IN_USE"]);
      expect(refused.body.error.details).to.deep.equal({ code: "pl", uids: ["api::page.page"] });

      await app().content("DELETE", `/pages/${draft.body.data.documentId}?locale=pl`);
      expect((await app().admin("DELETE", `/locales/${documentId}`)).status).to.equal(204);
      expect((await app().content("POST", "/pages?locale=pl", { data: { title: "Nie" } })).status).to.equal(400);
      expect((await app().content("GET", "/pages?locale=pl")).body.data).to.deep.equal([]);
      const left = (await app().content("GET", "/i18n/locales")).body as readonly { readonly code: string }[];
      expect(left.map(({ code }) => code)).to.not.include("pl");
    });

    it("is a 404 where there is none, as is reading and changing it", async () => {
      for (const method of ["GET", "PUT", "DELETE"]) {
        const { status } = await app().admin(method, "/locales/nothing", method === "PUT" ? { name: "x" } : undefined);
        expect(status, method).to.equal(404);
      }
    });
  });

  describe("the locales' REST of administrators", () => {
    const app = serveLocales(database);

    it("opens for administrators only", async () => {
      const { documentId } = await app().localeOf("fr");
      const { accessKey } = await app().tokens.create({ name: "all", type: "full-access" });
      const path = `/admin/i18n/locales/${documentId}`;
      for (const bearer of ["", accessKey])
        for (const [method, target] of [
          ["GET", "/admin/i18n/locales"],
          ["POST", "/admin/i18n/locales"],
          ["GET", path],
          ["PUT", path],
          ["DELETE", path],
        ] as const)
          expect((await app().ask(method, target, bearer)).status, `${method} ${target}`).to.equal(401);
      expect((await app().admin("GET", `/locales/${documentId}`)).body.data).to.include({ code: "fr" });
    });
  });
});
