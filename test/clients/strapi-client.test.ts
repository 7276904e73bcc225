import { type StrapiClient, strapi } from "@strapi/client";
import { expect } from "chai";
import { eitherDatabase } from "../databases.js";
import { makeImage } from "../plugins/upload/sample-files.js";
import { serveSampleApp, TOKEN } from "./serve-sample-app.js";

const titlesOf = (entries: readonly Readonly<Record<string, unknown>>[]) => entries.map(({ title }) => title);
const failureOf = (request: Promise<unknown>): Promise<unknown> => request.catch((error: unknown) => error);

eitherDatabase(import.meta.url, (database) => {
  describe("@strapi/client drives the sample app", () => {
    const served = serveSampleApp(database);
    let client: StrapiClient;
    const clientWith = (auth?: string) => strapi({ baseURL: `${served().url}/api`, ...(auth ? { auth } : {}) });

    before("make a client", () => {
      client = clientWith(TOKEN);
    });

    it("lists with filters, sort, fields, populate and pages", async () => {
      const articles = client.collection("articles");
      const { data, meta } = await articles.find({
        filters: { author: { name: { $startsWith: "Ada" } }, readingMinutes: { $gte: 10 } },
        populate: { author: { fields: ["name"] }, categories: { sort: "name:desc" } },
        fields: ["title"],
      });
      expect(titlesOf(data)).to.deep.equal(["Notes on the Analytical Engine"]);
      expect(data[0]?.["author"]).to.include({ name: "Ada Lovelace" }).and.not.to.have.property("bio");
      expect(data[0]?.["categories"].map(({ name }: { name: string }) => name)).to.deep.equal(["Software", "Science"]);
      expect(meta.pagination).to.deep.equal({ page: 1, pageSize: 25, pageCount: 1, total: 1 });
      const second = await articles.find({ sort: "title:asc", pagination: { page: 2, pageSize: 1 } });
      expect(titlesOf(second.data)).to.deep.equal(["Notes on the Analytical Engine"]);
      expect(titlesOf((await articles.find({ status: "draft", sort: "title" })).data)).to.have.length(3);
    });

    it("reads one by its documentId, and in another language", async () => {
      const categories = client.collection("categories");
      const [science] = (await categories.find({ filters: { slug: "science" } })).data;
      const french = await categories.findOne(science?.documentId ?? "", { locale: "fr", populate: "localizations" });
      expect(french.data).to.include({ name: "Sciences", locale: "fr", documentId: science?.documentId });
      expect(french.data["localizations"]).to.have.length(1);
    });

    it("creates, changes and deletes, relations and components with it", async () => {
      const articles = client.collection("articles");
      const [emmy] = (await client.collection("authors").find({ filters: { name: { $contains: "Emmy" } } })).data;
      const created = await articles.create(
        { title: "Rings", author: emmy?.documentId, seo: { metaTitle: "Rings", metaDescription: "Of ideals." } },
        { populate: ["author", "seo"], status: "published" },
      );
      const { documentId } = created.data;
      expect(created.data["author"]).to.include({ name: "Emmy Noether" });
      expect(created.data["seo"]).to.include({ metaTitle: "Rings" });
      const updated = await articles.update(
        documentId,
        { title: "Ideals", author: { set: [] } },
        { populate: "author" },
      );
      expect(updated.data).to.include({ documentId, title: "Ideals", author: null });
      await articles.delete(documentId);
      const failure = await failureOf(articles.findOne(documentId));
      expect(failure).to.be.an("error").with.property("name", "HTTPNotFoundError");
    });

    it("reads and changes a single type", async () => {
      const global = client.single("global");
      expect((await global.find({ populate: "defaultSeo" })).data["defaultSeo"]).to.include({ metaTitle: "Plinth" });
      expect((await global.update({ siteName: "Renamed" })).data).to.include({ siteName: "Renamed" });
    });

    it("manages users, whose bodies are bare", async () => {
      const users = client.collection("users");
      const roles = await client.fetch("users-permissions/roles", { method: "GET" });
      const { roles: known } = (await roles.json()) as { roles: { id: number; type: string }[] };
      const role = known.find(({ type }) => type === "authenticated")?.id;
      const user = { username: "mary", email: "mary@example.org", password: "Passw0rd-1", role };
      const made = (await users.create(user)) as unknown as { id: number; username: string };
      expect(made).to.include({ username: "mary" });
      await users.update(String(made.id), { username: "mary-ann" });
      expect(await users.find({ filters: { username: "mary-ann" } })).to.have.length(1);
      await users.delete(String(made.id));
      expect(await users.find({ filters: { username: "mary-ann" } })).to.deep.equal([]);
    });

    it("signs in by fetch, and goes on with what it was given", async () => {
      const body = JSON.stringify({ username: "joan", email: "joan@example.org", password: "Passw0rd-1" });
      const headers = { "content-type": "application/json" };
      const registered = await clientWith().fetch("auth/local/register", { method: "POST", headers, body });
      const { jwt } = (await registered.json()) as { jwt: string };
      const me = await clientWith(jwt).fetch("users/me", { method: "GET" });
      expect(await me.json()).to.include({ username: "joan" });
      const { data } = await clientWith(jwt).collection("articles").create({ title: "By Joan" });
      expect(data).to.include({ title: "By Joan" });
    });

    it("tells errors apart by their classes", async () => {
      const unknown = await failureOf(client.collection("articles").find({ filters: { nosuch: 1 } }));
      expect(unknown).to.be.an("error").with.property("name", "HTTPBadRequestError");
      const closed = await failureOf(clientWith().collection("articles").create({ title: "Mine" }));
      expect(closed).to.be.an("error").with.property("name", "HTTPForbiddenError");
      const stranger = await failureOf(clientWith("no-such-token").collection("articles").find());
      expect(stranger).to.be.an("error").with.property("name", "HTTPAuthorizationError");
    });

    it("finds the sample image with its formats, one by one and by filter", async () => {
      const [cover] = await client.files.find({ filters: { name: { $contains: "engine" } }, sort: "name:asc" });
      expect(cover).to.include({ name: "analytical-engine.png", mime: "image/png", width: 1200, height: 630 });
      expect(cover?.formats).to.have.all.keys("large", "medium", "small", "thumbnail");
      expect(await client.files.findOne(cover?.id ?? 0)).to.deep.equal(cover);
      const { data } = await client.collection("articles").find({ filters: { cover: { id: cover?.id } } });
      expect(titlesOf(data)).to.deep.equal(["Notes on the Analytical Engine"]);
    });

    it("uploads files from a buffer and from a blob, changes and deletes them", async () => {
      const picture = await makeImage(300, 200, "png");
      const fileInfo = { name: "other.png", alternativeText: "grey", caption: "noise" };
      const [fromBuffer] = await client.files.upload(picture, { filename: "a.png", mimetype: "image/png", fileInfo });
      expect(fromBuffer).to.include({ ...fileInfo, width: 300 });
      const [fromBlob] = await client.files.upload(new Blob([new Uint8Array(picture)], { type: "image/png" }));
      expect(fromBlob).to.include({ mime: "image/png", height: 200 });
      const id = fromBuffer?.id ?? 0;
      const updated = await client.files.update(id, { name: "new.png", alternativeText: "", caption: "c" });
      expect(updated).to.include({ id, name: "new.png", alternativeText: "", caption: "c" });
      expect(await client.files.delete(id)).to.include({ id, name: "new.png" });
      const failure = await failureOf(client.files.findOne(id));
      expect(failure).to.be.an("error").with.property("name", "FileNotFoundError");
    });
  });
});
