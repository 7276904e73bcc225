import { expect } from "chai";
import { adminPlugin } from "@plinth/plugin-admin";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { historyPlugin } from "@plinth/plugin-history";
import { eitherDatabase } from "../../databases.js";
import { serveAdmin } from "../admin/serve-admin.js";
import { administratorOf, signIn } from "../admin/sign-in.js";

const ARTICLE = "api::article.article";
const TAG = "api::tag.tag";

const type = (singularName: string, attributes: object, more: object = {}) => ({
  kind: "collectionType",
  info: { singularName, pluralName: `${singularName}s`, displayName: singularName },
  attributes,
  ...more,
});
const tags = { type: "relation", relation: "manyToMany", target: TAG };
const contentTypes = {
  [ARTICLE]: type(
    "article",
    { title: { type: "string", required: true }, body: { type: "richtext" }, tags },
    { options: { draftAndPublish: true } },
  ),
  [TAG]: type("tag", { name: { type: "string" } }),
};

eitherDatabase(import.meta.url, (database) => {
  describe("versions for administrators", () => {
    const roles = {
      looker: ["plugin::admin.history", "api::article.article.find", "api::article.article.findDrafts"],
      writer: ["plugin::admin.history", "api::article.article.*", "api::tag.tag.*"],
      apart: [
        ...["plugin::admin.history", "api::article.article.*"],
        { action: "api::tag.tag.find", where: { name: { $ne: "Hidden" } } },
      ],
      titles: [
        ...["plugin::admin.history", "api::article.article.findDrafts"],
        { action: "api::article.article.find", fields: ["title"] },
      ],
      blind: ["api::article.article.*"],
    };
    const served = serveAdmin(database, {
      plugins: [contentApiPlugin, apiTokensPlugin, adminPlugin, historyPlugin],
      pluginConfigs: { "api-tokens": { loginLimit: 1000 }, admin: { roles } },
      app: { contentTypes } as never,
    });
    const as = async (role: string) => {
      const headers = await signIn(served().plinth.app, role);
      return (method: string, path: string, body?: unknown) => served().ask(method, `/admin/api${path}`, headers, body);
    };

    it("say who wrote, and are restored by them", async () => {
      const ask = await as("writer");
      const made = (await ask("POST", `/content/${ARTICLE}`, { data: { title: "A", body: "one" } })).body.data;
      const path = `/history/${ARTICLE}/${made.documentId}`;
      const tag = (await ask("GET", `/content/${ARTICLE}/${made.documentId}`)).headers.get("etag") ?? "";
      const headers = { ...(await signIn(served().plinth.app, "writer")), "if-match": tag };
      const changes = { data: { title: "B", body: "two" } };
      const url = `/admin/api/content/${ARTICLE}/${made.documentId}`;
      expect((await served().ask("PUT", url, headers, changes)).status).to.equal(200);
      const { data } = (await ask("GET", path)).body;
      const { documentId } = await administratorOf(served().plinth.app, "writer");
      expect(data[0].origin).to.deep.include({ transport: "admin", actor: { kind: "admin", id: documentId } });
      expect(data[0].changed).to.deep.equal(["title", "body"]);
      const restored = await ask("POST", `${path}/${data[1].id}/restore`, { attributes: ["title"] });
      expect(restored.body.data.restored).to.deep.equal(["title"]);
      const entry = (await ask("GET", `/content/${ARTICLE}/${made.documentId}`)).body.data;
      expect([entry.title, entry.body]).to.deep.equal(["A", "two"]);
      expect((await ask("GET", `${path}/${data[1].id}/compare`)).body.data).to.deep.equal([
        { attribute: "body", from: "one", to: "two" },
      ]);
    });

    it("are for roles that may look at them, as far as these see the document", async () => {
      const { documentId } = await served()
        .plinth.app.documents(ARTICLE)
        .create({ data: { title: "A", body: "needle" } });
      await served()
        .plinth.app.documents(ARTICLE)
        .update({ documentId, data: { body: "other needle" } });
      const path = `/history/${ARTICLE}/${documentId}`;
      expect((await (await as("blind"))("GET", path)).status).to.equal(403);
      const looker = await as("looker");
      const { data } = (await looker("GET", path)).body;
      expect(data).to.have.length(2);
      expect((await looker("POST", `${path}/${data[1].id}/restore`)).status).to.equal(403);
      const titles = await as("titles");
      const shown = await titles("GET", path);
      expect(shown.body.data).to.have.length(1);
      expect((await titles("GET", `${path}/${data[1].id}`)).text).to.not.include("needle");
      expect((await titles("GET", `${path}/${data[0].id}`)).status).to.equal(404);
      expect((await looker("GET", "/history/api::nothing.nothing/x")).status).to.equal(404);
      expect((await served().ask("GET", `/admin/api${path}`)).status).to.equal(401);
    });

    it("name their authors, those that are kept, and links to documents that are no more", async () => {
      const writer = await as("writer");
      const tags = served().plinth.app.documents(TAG as string);
      const [{ documentId: kept }, { documentId: gone }] = [
        await tags.create({ data: { name: "Kept" } }),
        await tags.create({ data: { name: "Gone" } }),
      ];
      const made = (await writer("POST", `/content/${ARTICLE}`, { data: { title: "A", tags: [kept, gone] } })).body
        .data;
      await tags.delete({ documentId: gone });
      const path = `/history/${ARTICLE}/${made.documentId}`;
      const [version] = (await writer("GET", path)).body.data;
      const { id } = await administratorOf(served().plinth.app, "writer");
      expect(version.who).to.deep.equal({ id, name: "writer" });
      expect((await writer("GET", "/history")).body.data).to.include(ARTICLE);
      const whole = (await writer("GET", `${path}/${version.id}`)).body.data;
      expect(whole.problems).to.deep.equal([{ path: "tags", problem: "gone" }]);
      expect(whole.data.tags).to.deep.equal([{ documentId: kept }]);
      const restored = (await writer("POST", `${path}/${version.id}/restore`)).body.data;
      expect(restored).to.deep.include({ restored: [], left: [{ attribute: "tags", reason: "gone" }] });
      // Who does not see all tags is not told of one that is missing.
      const apart = (await (await as("apart"))("GET", `${path}/${version.id}`)).body.data;
      expect([apart.problems, apart.data.tags]).to.deep.equal([[], [{ documentId: kept }]]);
    });

    it("list what was deleted", async () => {
      const articles = served().plinth.app.documents(ARTICLE);
      const { documentId } = await articles.create({ data: { title: "Gone" } });
      await articles.delete({ documentId });
      const writer = await as("writer");
      const [found] = (await writer("GET", `/history/${ARTICLE}?limit=1&attributes=title,tags`)).body.data;
      expect(found).to.deep.include({ documentId, origin: { transport: "code" }, who: null, data: { title: "Gone" } });
      const restored = await writer("POST", `/history/${ARTICLE}/${documentId}/${found.id}/restore`);
      expect(restored.body.data.restored).to.deep.equal(["title"]);
      expect(await articles.findOne({ documentId })).to.include({ title: "Gone" });
    });
  });
});
