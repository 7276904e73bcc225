import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { type ContentApp, NEW, serveContent } from "./content-app.js";
import { administratorOf } from "./sign-in.js";

const ARTICLES = "/content/api::article.article";
const COPIES = "/working-copies";

/** An id as a page makes them. */
const idOf = (name: string) => name.padEnd(24, "0");

eitherDatabase(import.meta.url, (database) => {
  describe("what the admin page sends twice, or deletes", () => {
    const served = serveContent(database);
    const ask: ContentApp["as"] = (...request) => served().as(...request);
    const post = (documentId: unknown, title: string, path = ARTICLES) =>
      ask("super", "POST", path, { body: { documentId, data: { title } }, headers: NEW });
    const count = (title: string) =>
      served().plinth.app.documents("api::article.article").count({ filters: { title } });
    const tagOf = async (path: string) => (await ask("super", "GET", path)).headers.get("etag") ?? "";

    it("makes one document of an id that the page chose, and says of the second that it is there", async () => {
      const first = await post(idOf("once"), "Sent twice");
      expect([first.status, first.body.data.documentId]).to.deep.equal([201, idOf("once")]);
      const second = await post(idOf("once"), "Sent twice");
      expect([second.status, second.body.error.code]).to.deep.equal([412, "PLINTH_ADMIN_CONFLICT"]);
      expect(second.body.error.details.changedBy.name).to.equal("super");
      expect(await count("Sent twice")).to.equal(1);
    });

    it("makes one document where both come at once", async () => {
      const answers = await Promise.all([1, 2, 3, 4].map(() => post(idOf("atonce"), "At once")));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 412, 412, 412]);
      expect(await count("At once")).to.equal(1);
    });

    it("takes no other id than the server's own kind", async () => {
      for (const id of ["short", idOf("UPPER"), `${idOf("long")}0`, "../../../../../../../../", 5, null])
        expect((await post(id, "Odd")).body.error.code, String(id)).to.equal("PLINTH_ADMIN_INVALID");
      expect(await count("Odd")).to.equal(0);
    });

    it("gives a document a second language where its form was saved in both", async () => {
      await post(idOf("both"), "English");
      const french = await post(idOf("both"), "Français", `${ARTICLES}?locale=fr`);
      expect(french.body.data._facts.locales).to.have.length(2);
    });

    it("says nothing of a document that the sender does not see", async () => {
      const { documentId } = await served()
        .plinth.app.documents("api::article.article")
        .create({ data: { title: "Hidden", rank: 500, documentId: idOf("hidden") } });
      const body = { documentId, data: { title: "Guessed" } };
      const { status, text } = await ask("clerk", "POST", ARTICLES, { body });
      expect(status).to.equal(404);
      expect(text).not.to.include("changedBy");
    });

    it("deletes all languages where one of them is as the page shows it", async () => {
      const { documentId } = (await post(idOf("whole"), "Whole")).body.data;
      const path = `${ARTICLES}/${documentId}`;
      await ask("super", "PUT", `${path}?locale=fr`, { body: { data: { title: "Entier" } }, headers: NEW });
      const old = await tagOf(path);
      const headers = { "if-match": old };
      await ask("editor", "PUT", path, { body: { data: { title: "Whole, changed" } }, headers });
      const refused = await ask("super", "DELETE", `${path}?locale=*`, { headers });
      expect([refused.status, refused.body.error.details.changedBy.name]).to.deep.equal([412, "editor"]);
      expect(await count("Whole, changed")).to.equal(1);
      const again = { headers: { "if-match": refused.body.error.details.version } };
      expect((await ask("super", "DELETE", `${path}?locale=*`, again)).status).to.equal(204);
      expect((await ask("super", "GET", `${path}?locale=fr`)).status).to.equal(404);
      expect((await ask("super", "DELETE", `${path}?locale=*`, again)).status).to.equal(404);
    });

    it("deletes what its deleter had typed into it, in the languages that are deleted, and nobody else's", async () => {
      const { documentId } = (await post(idOf("typed"), "Typed")).body.data;
      await ask("super", "PUT", `${ARTICLES}/${documentId}?locale=fr`, {
        body: { data: { title: "Tapé" } },
        headers: NEW,
      });
      const copy = `${COPIES}/api::article.article/${documentId}`;
      const keep = (role: string, query: string) =>
        ask(role, "PUT", `${copy}${query}`, { body: { changes: { title: "x" }, device: "laptop" } });
      for (const [role, query] of [
        ["super", ""],
        ["super", "?locale=fr"],
        ["editor", ""],
      ] as const)
        await keep(role, query);
      const kept = async (role: string, query: string) =>
        (await ask(role, "GET", `${copy}${query}`)).body.data !== null;
      await ask("super", "DELETE", `${ARTICLES}/${documentId}?locale=fr`);
      expect([await kept("super", ""), await kept("super", "?locale=fr")]).to.deep.equal([true, false]);
      await ask("super", "POST", `${ARTICLES}/actions/delete`, { body: { documentIds: [documentId], locale: "*" } });
      expect([await kept("super", ""), await kept("editor", "")]).to.deep.equal([false, true]);
    });

    it("refuses a tab of an account that is no longer the one of this browser", async () => {
      const { documentId } = await administratorOf(served().plinth.app, "editor");
      const before = await served().rows();
      for (const [method, path] of [
        ["GET", ARTICLES],
        ["GET", "/boot"],
        ["PUT", `${COPIES}/api::article.article/single`],
      ] as const) {
        const { status, body } = await ask("super", method, path, {
          headers: { "x-plinth-account": documentId },
          ...(method === "PUT" ? { body: { changes: { title: "x" }, device: "laptop" } } : {}),
        });
        expect([status, body.error.code]).to.deep.equal([409, "PLINTH_ADMIN_OTHER_ACCOUNT"]);
        expect(body.error.details.user).to.deep.equal({ name: "super@example.com", email: "super@example.com" });
      }
      expect(await served().rows()).to.deep.equal(before);
      expect((await ask("editor", "GET", ARTICLES, { headers: { "x-plinth-account": documentId } })).status).to.equal(
        200,
      );
    });
  });
});
