import { expect } from "chai";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { graphqlPlugin } from "@plinth/plugin-graphql";
import { i18nPlugin } from "@plinth/plugin-i18n";
import { eitherDatabase } from "../../databases.js";
import { serveLocales } from "./serve-locales.js";

eitherDatabase(import.meta.url, (database) => {
  describe("locales over GraphQL", () => {
    const app = serveLocales(database, { plugins: [contentApiPlugin, apiTokensPlugin, i18nPlugin, graphqlPlugin] });
    let documentId = "";
    let token = "";

    before("write a page in both languages and one in English only", async () => {
      token = (await app().tokens.create({ name: "GraphQL", type: "full-access" })).accessKey;
      const pages = app().plinth.app.documents("api::page.page");
      ({ documentId } = await pages.create({ data: { title: "Only English" }, status: "published" }));
      const both = await pages.create({ data: { title: "Both" }, status: "published" });
      await pages.update({
        documentId: both.documentId,
        locale: "fr",
        data: { title: "Les deux" },
        status: "published",
      });
    });

    const send = async (query: string, variables = {}) =>
      (await app().ask("POST", "/graphql", token, { query, variables })).body;
    const titles = async (args: string, variables?: object) => {
      const head = variables ? "query ($fallback: [I18NLocaleCode!]) " : "";
      const { data, errors } = await send(`${head}{ pages(sort: "title", ${args}) { title } }`, variables);
      expect(errors).to.equal(undefined);
      return data.pages.map(({ title }: { title: string }) => title);
    };

    it("stand in for a missing one in the order of fallbackLocale, a list or one code", async () => {
      expect(await titles('locale: "fr"')).to.deep.equal(["Les deux"]);
      const both = ["Les deux", "Only English"];
      expect(await titles('locale: "fr", fallbackLocale: ["en"]')).to.deep.equal(both);
      expect(await titles('locale: "fr", fallbackLocale: "en"')).to.deep.equal(both);
      expect(await titles('locale: "fr", fallbackLocale: $fallback', { fallback: ["en"] })).to.deep.equal(both);
      expect(await titles('locale: "fr", fallbackLocale: $fallback', { fallback: null })).to.deep.equal(["Les deux"]);
    });

    it("do so for one document and the total of a connection", async () => {
      const { data } = await send(`{
        page(documentId: "${documentId}", locale: "fr", fallbackLocale: "en") { title locale }
        pages_connection(locale: "fr", fallbackLocale: "en") { pageInfo { total } }
      }`);
      expect(data).to.deep.equal({
        page: { title: "Only English", locale: "en" },
        pages_connection: { pageInfo: { total: 2 } },
      });
    });

    it("are an error where the app does not have them, and beside all of them", async () => {
      for (const args of ['locale: "fr", fallbackLocale: "sv"', 'locale: "*", fallbackLocale: "en"']) {
        const { data, errors } = await send(`{ pages(${args}) { title } }`);
        expect(data, args).to.equal(null);
        expect(errors[0].extensions.code, args).to.equal("BAD_USER_INPUT");
      }
    });

    it("stand in from the request after an administrator says so, until a query says none", async () => {
      const query = 'locale: "fr"';
      expect(await titles(query)).to.deep.equal(["Les deux"]);
      const { documentId: french } = await app().localeOf("fr");
      await app().admin("PUT", `/locales/${french}`, { fallback: ["en"] });
      expect(await titles(query)).to.deep.equal(["Les deux", "Only English"]);
      for (const none of ['"none"', "[]"])
        expect(await titles(`${query}, fallbackLocale: ${none}`), none).to.deep.equal(["Les deux"]);
    });

    it("have no fallback in mutations", async () => {
      const { errors } = await send('mutation { createPage(data: { title: "a" }, fallbackLocale: "en") { title } }');
      expect(errors[0].message).to.include('Unknown argument "fallbackLocale"');
    });
  });
});
