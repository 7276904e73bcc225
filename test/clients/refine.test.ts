import { AuthHelper, DataProvider } from "@refinedev/strapi-v4";
import axios from "axios";
import { expect } from "chai";
import { eitherDatabase } from "../databases.js";
import { PICTURE, serveSampleApp, TOKEN } from "./serve-sample-app.js";

type Provider = ReturnType<typeof DataProvider>;

// What refine's interfaces leave open, an app's own types say; here a test's expectations do.
// biome-ignore lint/suspicious/noExplicitAny: entries of every kind
type Entry = any;

eitherDatabase(import.meta.url, (database) => {
  describe("@refinedev/strapi-v4 drives the sample app", () => {
    const served = serveSampleApp(database);
    let provider: Provider;
    const providerWith = (token: string) =>
      DataProvider(`${served().url}/api`, axios.create({ headers: { Authorization: `Bearer ${token}` } }));
    const list = (resource: string, params: object = {}) => provider.getList<Entry>({ resource, ...params });

    before("make a provider", () => {
      provider = providerWith(TOKEN);
    });

    it("lists with pages, sorters, fields and populate", async () => {
      const first = await list("articles", {
        pagination: { currentPage: 1, pageSize: 1 },
        sorters: [{ field: "title", order: "asc" }],
        meta: { fields: ["title"], populate: ["author", "categories"] },
      });
      expect(first.total).to.equal(2);
      expect(first.data).to.have.length(1);
      expect(first.data[0]).to.deep.include({ title: "Invariants for everybody" });
      expect(first.data[0].author.name).to.equal("Emmy Noether");
      expect(first.data[0].categories).to.have.length(1);
      const all = await list("categories", { pagination: { mode: "off" }, meta: { locale: "fr" } });
      expect(all.data.map(({ name }: Entry) => name)).to.include("Sciences");
    });

    it("filters by every operator that it has for texts, numbers, lists and nothing", async () => {
      const found = async (...filters: object[]) => (await list("articles", { filters })).data.length;
      const of = (field: string, operator: string, value: unknown) => ({ field, operator, value });
      for (const [field, operator, value, count] of [
        ["title", "eq", "Invariants for everybody", 1],
        ["title", "ne", "Invariants for everybody", 1],
        ["title", "contains", "INVARIANTS", 1],
        ["title", "containss", "INVARIANTS", 0],
        ["title", "ncontains", "INVARIANTS", 1],
        ["title", "startswith", "Notes", 1],
        ["title", "endswith", "Engine", 1],
        ["readingMinutes", "gt", 7, 1],
        ["readingMinutes", "lte", 7, 1],
        ["readingMinutes", "between", [5, 8], 1],
        ["readingMinutes", "in", [7, 12], 2],
        ["readingMinutes", "nin", [7], 1],
        ["summary", "null", true, 1],
        ["summary", "nnull", true, 1],
        ["author.name", "contains", "ada", 1],
      ] as const) {
        expect(await found(of(field, operator, value)), `${field} ${operator}`).to.equal(count);
      }
      const either = [of("readingMinutes", "lt", 8), of("author.name", "startswith", "Ada")];
      expect(await found({ operator: "or", value: either })).to.equal(2);
      expect(await found({ operator: "and", value: either })).to.equal(0);
    });

    it("reads one, and many by their ids", async () => {
      const { data } = await list("authors");
      const [{ id, documentId }] = data;
      const one = await provider.getOne<Entry>({
        resource: "authors",
        id: documentId,
        meta: { populate: ["articles"] },
      });
      expect(one.data).to.include({ id, documentId });
      expect(one.data.articles).to.be.an("array");
      const ids = data.map((author: Entry) => author.id);
      const many = await provider.getMany<Entry>({ resource: "authors", ids });
      expect(many.data.map((author: Entry) => author.id)).to.have.members(ids);
    });

    it("creates, changes and deletes, one and many", async () => {
      const resource = "articles";
      const { data: created } = await provider.create<Entry>({ resource, variables: { title: "Rings", kind: "news" } });
      expect(created.data).to.include({ title: "Rings" });
      const id = created.data.documentId;
      const { data: updated } = await provider.update<Entry>({ resource, id, variables: { title: "Ideals" } });
      expect(updated.data).to.include({ documentId: id, title: "Ideals" });
      const { data: made } = await provider.createMany<Entry>({
        resource,
        variables: [{ title: "A" }, { title: "B" }],
      });
      const ids = made.map(({ data }: Entry) => data.documentId);
      const { data: changed } = await provider.updateMany<Entry>({ resource, ids, variables: { kind: "opinion" } });
      expect(changed.map(({ data }: Entry) => data.kind)).to.deep.equal(["opinion", "opinion"]);
      await provider.deleteOne<Entry>({ resource, id });
      await provider.deleteMany<Entry>({ resource, ids });
      const failure = await provider.getOne({ resource, id }).catch((error: unknown) => error);
      expect(failure).to.have.nested.property("response.status", 404);
    });

    it("shows what is wrong beside the fields that it is wrong with", async () => {
      const wrong = { readingMinutes: 0 };
      const create = provider.create({ resource: "articles", variables: wrong });
      const error = await create.catch((failure: unknown) => failure);
      expect(error).to.have.property("statusCode", 400);
      expect(error).to.have.property("errors").that.has.all.keys("title", "readingMinutes");
    });

    it("sends files and other requests of one's own", async () => {
      const form = new FormData();
      form.append("files", new Blob([new Uint8Array(PICTURE)], { type: "image/png" }), "dot.png");
      const upload = { url: `${served().url}/api/upload`, method: "post", payload: form } as const;
      const { data: sent } = await provider.custom<Entry>(upload);
      expect(sent[0]).to.include({ name: "dot.png", width: 1 });
      const variables = { title: "With a picture", cover: sent[0].id };
      const { data: created } = await provider.create<Entry>({ resource: "articles", variables });
      const id = created.data.documentId;
      const read = await provider.getOne<Entry>({ resource: "articles", id, meta: { populate: ["cover"] } });
      expect(read.data.cover).to.include({ id: sent[0].id, name: "dot.png" });
      const { data: files } = await provider.custom<Entry>({
        url: `${served().url}/api/upload/files`,
        method: "get",
        sorters: [{ field: "name", order: "desc" }],
        filters: [{ field: "name", operator: "contains", value: "DOT" }],
      });
      expect(files.map(({ name }: Entry) => name)).to.deep.equal(["dot.png"]);
    });

    it("signs in, and reads and writes as who that is", async () => {
      const helper = AuthHelper(`${served().url}/api`);
      const user = { username: "joan", email: "joan@example.org", password: "Passw0rd-1" };
      await provider.custom({ url: `${served().url}/api/auth/local/register`, method: "post", payload: user });
      const { data } = await helper.login(user.email, user.password);
      expect(data.user).to.include({ username: "joan" });
      expect((await helper.me(data.jwt)).data).to.include({ email: "joan@example.org" });
      const own = providerWith(data.jwt);
      const made = await own.create<Entry>({ resource: "articles", variables: { title: "By Joan" } });
      expect(made.data.data).to.include({ title: "By Joan" });
      const refused = await own
        .create({ resource: "authors", variables: { name: "Joan" } })
        .catch((error: unknown) => error);
      expect(refused).to.have.property("statusCode", 403);
    });
  });
});
