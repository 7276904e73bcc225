import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { serveCorpusTypes } from "../../corpus-app.js";

eitherDatabase(import.meta.url, (database) => {
  describe("a fallback for who may not see every version", () => {
    const visible = { title: { $notContains: "secret" } };
    const app = serveCorpusTypes(database, {
      users: {
        limited: ["find", "findOne"].map((name) => ({ action: `api::article.article.${name}`, where: visible })),
      },
    });
    const ids: string[] = [];

    before("write articles with a version each that is hidden, and link to them", async () => {
      for (const [en, fr] of [
        ["One", "Un secret"],
        ["Two secret", "Deux"],
        ["Three secret", "Trois secret"],
      ]) {
        const { body } = await app().request("POST", "/api/articles", { body: { data: { title: en } } });
        const path = `/api/articles/${body.data.documentId}?locale=fr`;
        await app().request("PUT", path, { body: { data: { title: fr } } });
        ids.push(body.data.documentId);
      }
      for (const query of ["", "?locale=fr"])
        await app().request("PUT", `/api/articles/${ids[1]}${query}`, { body: { data: { related: ids } } });
    });

    const ask = async (path: string) => (await app().request("GET", path, { token: "limited" })).body.data;
    const titles = (rows: readonly { readonly title: string }[]) => rows.map(({ title }) => title);
    const query = "locale=fr&fallbackLocale=en";

    it("a version that is hidden is none, so the next one stands in, and nothing hidden shows", async () => {
      expect(titles(await ask(`/api/articles?${query}`))).to.have.members(["One", "Deux"]);
      expect(titles(await ask(`/api/articles?${query}&sort=title`))).to.deep.equal(["Deux", "One"]);
      expect((await ask(`/api/articles/${ids[0]}?${query}`)).title).to.equal("One");
      expect(await ask(`/api/articles/${ids[2]}?${query}`)).to.equal(null);
    });

    it("the same holds for what is populated and filtered by", async () => {
      const { related } = await ask(`/api/articles/${ids[1]}?${query}&populate=related`);
      expect(titles(related)).to.deep.equal(["One", "Deux"]);
      expect(titles(await ask(`/api/articles?${query}&filters[related][title]=One`))).to.deep.equal(["Deux"]);
      expect(await ask(`/api/articles?${query}&filters[related][title]=Un%20secret`)).to.deep.equal([]);
    });
  });
});
