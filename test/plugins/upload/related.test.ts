import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { makeImage } from "./sample-files.js";
import { serveUploads } from "./serve-uploads.js";

const reading = ["plugin::upload.content-api.find", "plugin::upload.content-api.findOne", "plugin::upload.file.find"];

const seeing = [...reading, "plugin::upload.content-api.findUses"];

interface Related {
  readonly __type: string;
  readonly documentId: string;
}

describe("the documents that use a file", () => {
  eitherDatabase(import.meta.url, (database) => {
    const uploads = serveUploads(database, {
      grants: {
        "files-only": reading,
        "authors-too": [...reading, "api::author.author.find"],
        "some-articles": [
          ...reading,
          { action: "api::article.article.find", where: { title: "Published" }, fields: ["slug", "cover"] },
        ],
        "no-covers": [...seeing, { action: "api::article.article.find", fields: ["title", "gallery"] }],
        "hero-images": [...seeing, { action: "api::article.article.find", fields: ["seo"] }],
        "titled-published": [
          ...seeing,
          { action: "api::article.article.find", where: { title: "Published" }, fields: ["cover"] },
        ],
      },
    });
    let file: { id: number; documentId: string };
    let other: { id: number };
    const made: Record<string, string> = {};

    const add = async (name: string) =>
      (await uploads().send([{ name, content: await makeImage(8, 8, "png") }])).body[0];
    const make = async (path: string, data: object) => {
      const { status, body } = await uploads().ask("POST", path, { body: { data } });
      expect(status, JSON.stringify(body)).to.equal(201);
      return body.data.documentId as string;
    };

    before("use a file", async () => {
      [file, other] = [await add("used.png"), await add("unused.png")];
      made["author"] = await make("/api/authors", { name: "Ada", avatar: file.id });
      made["published"] = await make("/api/articles", { title: "Published", slug: "published", cover: file.id });
      made["hidden"] = await make("/api/articles", { title: "Hidden", slug: "hidden", cover: file.id });
      const draft = { title: "Draft", slug: "draft", cover: file.id };
      made["draft"] = await make("/api/articles?status=draft", draft);
      made["moved"] = await make("/api/articles", { title: "Moved", slug: "moved", cover: other.id });
      const moved = { data: { cover: file.id } };
      await uploads().ask("PUT", `/api/articles/${made["moved"]}?status=draft`, { body: moved });
    });

    const idsOf = (related: readonly Related[]) => related.map(({ documentId }) => documentId);
    const named = (...names: readonly string[]) => names.map((name) => made[name]);
    const relatedOf = async (query = "populate=related", token?: string): Promise<Related[]> => {
      const path = `/api/upload/files/${file.id}?${query}`;
      const { status, body } = await uploads().ask("GET", path, token === undefined ? {} : { token });
      expect(status, JSON.stringify(body)).to.equal(200);
      return body.related;
    };

    it("are listed with it, each with its type, and drafts only where drafts are read", async () => {
      const published = await relatedOf();
      expect(idsOf(published)).to.have.members(named("author", "published", "hidden"));
      const types = new Map(published.map(({ documentId, __type }) => [documentId, __type]));
      expect(types.get(made["author"] as string)).to.equal("api::author.author");
      expect(types.get(made["published"] as string)).to.equal("api::article.article");
      const whole = await uploads().ask(
        "GET",
        `/api/authors/${made["author"]}?fields=name&populate[avatar][fields]=name&populate[avatar][populate]=related`,
      );
      expect(idsOf(whole.body.data.avatar.related)).to.have.members(idsOf(published));
      const draft = await uploads().ask(
        "GET",
        `/api/articles/${made["draft"]}?status=draft&populate[cover][populate][related][populate]=*`,
      );
      expect(idsOf(draft.body.data.cover.related)).to.have.members(
        named("author", "published", "hidden", "draft", "moved"),
      );
    });

    it("are left out where they may not be found, and their attributes where those may not be read", async () => {
      expect(await relatedOf("populate=related", "files-only")).to.deep.equal([]);
      expect(idsOf(await relatedOf("populate=related", "authors-too"))).to.deep.equal(named("author"));
      const some = await relatedOf("populate=related", "some-articles");
      expect(idsOf(some)).to.deep.equal(named("published"));
      expect(some[0]).to.include({ slug: "published" });
      expect(some[0]).not.to.have.property("title");
      const hidden = "populate[related][on][api::article.article][fields]=title";
      const refused = await uploads().ask("GET", `/api/upload/files/${file.id}?${hidden}`, { token: "some-articles" });
      expect(refused.status).to.equal(400);
    });

    it("are those whose attributes and languages may be read, components included", async () => {
      const hidden = await add("hidden.png");
      const seo = { metaTitle: "t", ogImage: hidden.id };
      const covered = await make("/api/articles", { title: "Published", slug: "covered", cover: hidden.id });
      const found = await make("/api/articles", { title: "Found", slug: "found", seo });
      const french = { data: { title: "Autre", slug: "autre", cover: hidden.id } };
      await uploads().ask("PUT", `/api/articles/${covered}?locale=fr`, { body: french });
      const ask = async (path: string, token: string) =>
        (await uploads().ask("GET", `/api/upload/files/${hidden.id}${path}`, { token })).body;
      const used = async (token: string) => {
        const uses: Record<string, string>[] = (await ask("/uses", token)).data;
        const published = uses.filter(({ status }) => status === "published");
        return published.map(({ documentId, locale, field }) => `${documentId} ${locale} ${field}`);
      };
      const related = async (token: string) => idsOf((await ask("?populate=related", token)).related);
      expect([await related("no-covers"), await used("no-covers")]).to.deep.equal([[], []]);
      expect(await related("hero-images")).to.deep.equal([found]);
      expect(await used("hero-images")).to.deep.equal([`${found} en shared.seo#ogImage`]);
      const query = `{ uploadFiles(filters: { name: { eq: "hidden.png" } }) { related { ... on Article { documentId } } } }`;
      const graphql = async (token: string) =>
        idsOf((await uploads().ask("POST", "/graphql", { body: { query }, token })).body.data.uploadFiles[0].related);
      expect(await graphql("no-covers")).to.deep.equal([]);
      expect(await graphql("hero-images")).to.deep.equal([found]);
      expect(await used("titled-published")).to.deep.equal([`${covered} en cover`]);
    });

    it("are as many as a list may have, the first of them", async () => {
      const many = await add("many.png");
      const plinth = uploads().plinth.app;
      const ids: string[] = [];
      for (let index = 0; index < 102; index += 1) {
        const data = { name: `Author ${index}`, avatar: many.id };
        ids.push((await plinth.documents("api::author.author").create({ data })).documentId);
      }
      const { body } = await uploads().ask("GET", `/api/upload/files/${many.id}?populate=related`);
      expect(idsOf(body.related)).to.deep.equal(ids.slice(0, 100));
    });

    it("are empty for a file that nothing uses now, and once they are deleted", async () => {
      const { body } = await uploads().ask("GET", "/api/upload/files?filters[name]=unused.png&populate=related");
      expect(idsOf(body[0].related)).to.deep.equal(named("moved"));
      const gone = await make("/api/authors", { name: "Gone", avatar: file.id });
      expect(idsOf(await relatedOf())).to.include(gone);
      await uploads().ask("DELETE", `/api/authors/${gone}`);
      expect(idsOf(await relatedOf())).not.to.include(gone);
    });

    it("are selected by type over GraphQL", async () => {
      const query = `{ uploadFiles(filters: { name: { eq: "used.png" } }) { name related {
        __typename ... on Author { name documentId } ... on Article { title documentId } } } }`;
      const ask = async (token?: string) =>
        (await uploads().ask("POST", "/graphql", { body: { query }, ...(token === undefined ? {} : { token }) })).body;
      const { related } = (await ask()).data.uploadFiles[0];
      expect(related).to.have.deep.members([
        { __typename: "Author", name: "Ada", documentId: made["author"] },
        { __typename: "Article", title: "Published", documentId: made["published"] },
        { __typename: "Article", title: "Hidden", documentId: made["hidden"] },
      ]);
      const some = (await ask("authors-too")).data.uploadFiles[0].related;
      expect(some).to.deep.equal([{ __typename: "Author", name: "Ada", documentId: made["author"] }]);
    });

    it("cannot be written from the file", async () => {
      const path = `/api/upload?id=${file.id}`;
      const body = { fileInfo: { related: [] } };
      expect((await uploads().ask("POST", path, { body })).body.error).to.include({ status: 400 });
      const documents = uploads().plinth.app.documents("plugin::upload.file");
      const error = await documents
        .update({ documentId: file.documentId, data: { related: [] } })
        .catch((thrown: { code?: string }) => thrown.code);
      expect(error).to.equal("PLINTH_INPUT_UNKNOWN_KEY");
    });
  });
});
