import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { makeImage } from "./sample-files.js";
import { serveUploads } from "./serve-uploads.js";

describe("files in documents", () => {
  eitherDatabase(import.meta.url, (database) => {
    const uploads = serveUploads(database, {
      upload: { onDeleteInUse: "refuse" },
      grants: {
        uploader: ["plugin::upload.content-api.upload"],
        "own-authors": [
          "plugin::upload.content-api.upload",
          { action: "api::author.author.update", where: { name: "Mine" } },
          "api::article.article.update",
        ],
        "uses-only": ["plugin::upload.content-api.findUses", "api::author.author.find"],
      },
    });
    let picture: Buffer;

    before("draw a picture", async () => {
      picture = await makeImage(8, 8, "png");
    });

    const upload = async (name = "a.png", content: string | Buffer = picture) =>
      (await uploads().send([{ name, content }])).body[0];
    const link = (
      ref: string,
      refId: string | number,
      field: string,
      options: { token?: string; count?: number } = {},
    ) =>
      uploads().send(
        Array.from({ length: options.count ?? 1 }, (_, index) => ({ name: `linked-${index}.png`, content: picture })),
        {
          fields: [
            ["ref", ref],
            ["refId", String(refId)],
            ["field", field],
          ],
          ...(options.token ? { token: options.token } : {}),
        },
      );
    const create = async (path: string, data: object) => {
      const { status, body } = await uploads().ask("POST", path, { body: { data } });
      expect(status, JSON.stringify(body)).to.equal(201);
      return body.data;
    };
    const read = async (path: string) => (await uploads().ask("GET", path)).body.data;

    it("are put into draft and published row at once, and nothing else of the draft is published", async () => {
      const article = await create("/api/articles", { title: "Before" });
      const path = `/api/articles/${article.documentId}`;
      await uploads().ask("PUT", `${path}?status=draft`, { body: { data: { title: "After" } } });
      const { status, body } = await link("api::article.article", article.documentId, "cover");
      expect(status, JSON.stringify(body)).to.equal(201);
      const [published, draft] = [
        await read(`${path}?populate=cover`),
        await read(`${path}?populate=cover&status=draft`),
      ];
      expect([published.title, draft.title]).to.deep.equal(["Before", "After"]);
      expect([published.cover.id, draft.cover.id]).to.deep.equal([body[0].id, body[0].id]);
    });

    it("are found by the row id of either version, and go to the end of a list", async () => {
      const first = await upload();
      const article = await create("/api/articles", { title: "Gallery", gallery: [first.id] });
      const { body } = await link("api::article.article", article.id, "gallery", { count: 2 });
      const { gallery } = await read(`/api/articles/${article.documentId}?populate=gallery`);
      expect(gallery.map(({ id }: { id: number }) => id)).to.deep.equal([first.id, body[0].id, body[1].id]);
    });

    it("say of a document that is out of reach what they say of one that is not there", async () => {
      const hidden = await create("/api/authors", { name: "Somebody's" });
      const stored = uploads().stored();
      for (const field of ["avatar", "name"]) {
        const token = "own-authors";
        const told = async (refId: string | number) => {
          const { status, body } = await link("api::author.author", refId, field, { token });
          return JSON.stringify([status, body]).replaceAll(String(refId), "<refId>");
        };
        expect(await told(hidden.documentId)).to.equal(await told("thereisnosuchdocumentid1"));
        expect(await told(hidden.id)).to.equal(await told(987_654));
        expect(await told(hidden.id)).not.to.contain(hidden.documentId);
      }
      expect(uploads().stored()).to.deep.equal(stored);
      const own = await create("/api/authors", { name: "Mine" });
      expect((await link("api::author.author", own.id, "avatar", { token: "own-authors" })).status).to.equal(201);
    });

    it("are refused for a type, a document or an attribute that does not exist, before anything is stored", async () => {
      const author = await create("/api/authors", { name: "Nobody" });
      const stored = uploads().stored();
      const answers = [
        await link("api::none.none", 1, "avatar"),
        await link("api::author.author", 999_999, "avatar"),
        await link("api::author.author", "thereisnosuchdocumentid1", "avatar"),
        await link("api::author.author", author.id, "name"),
        await link("api::author.author", author.id, ""),
      ];
      expect(answers.map(({ body }) => [body.error.status, body.error.details.key])).to.deep.equal([
        [400, "ref"],
        [400, "refId"],
        [400, "refId"],
        [400, "field"],
        [400, "field"],
      ]);
      expect(uploads().stored()).to.deep.equal(stored);
    });

    it("are not put into documents that the uploader may not change", async () => {
      const author = await create("/api/authors", { name: "Closed" });
      const stored = uploads().stored();
      const { status } = await link("api::author.author", author.id, "avatar", { token: "uploader" });
      expect(status).to.equal(403);
      expect(uploads().stored()).to.deep.equal(stored);
    });

    it("have to be of a type that the attribute allows, in components and when they are linked by an upload too", async () => {
      const notes = await upload("notes.txt", "hello");
      const write = (data: object) =>
        uploads().ask("POST", "/api/articles", { body: { data: { title: "x", ...data } } });
      const { status, body } = await write({ cover: notes.id });
      expect(status).to.equal(400);
      expect(body.error.details.errors[0].path).to.deep.equal(["cover"]);
      expect(body.error.message).to.include("text/plain");
      expect((await write({ seo: { metaTitle: "t", ogImage: notes.documentId } })).body.error.details.errors[0].path)
        .to //
        .deep.equal(["seo", "ogImage"]);
      const stored = uploads().stored();
      const author = await create("/api/authors", { name: "Textual" });
      const linked = await uploads().send([{ name: "t.txt", content: "text" }], {
        fields: [
          ["ref", "api::author.author"],
          ["refId", String(author.id)],
          ["field", "avatar"],
        ],
      });
      expect(linked.status).to.equal(400);
      expect(uploads().stored()).to.deep.equal(stored);
      expect((await uploads().ask("GET", "/api/upload/files?filters[name]=t.txt")).body).to.deep.equal([]);
    });

    it("are not deleted while documents use them, components included, unless that is confirmed", async () => {
      const file = await upload();
      const article = await create("/api/articles", {
        title: "Uses",
        cover: file.id,
        seo: { metaTitle: "t", ogImage: file.id },
      });
      const path = `/api/upload/files/${file.id}`;
      const { body } = await uploads().ask("GET", `${path}/uses`);
      const uses = ["draft", "published"].flatMap((status) =>
        ["cover", "shared.seo#ogImage"].map((field) => `${status} ${field}`),
      );
      expect(body.data.map((use: { status: string; field: string }) => `${use.status} ${use.field}`)).to.have.members(
        uses,
      );
      expect(body.data[0]).to.include({ uid: "api::article.article", documentId: article.documentId, locale: "en" });
      const hidden = await uploads().ask("GET", `${path}/uses`, { token: "uses-only" });
      expect(hidden.body.data).to.deep.equal([]);
      const refused = await uploads().ask("DELETE", path);
      expect(refused.body.error).to.include({ status: 409, code: "PLINTH_UPLOAD_IN_USE" });
      expect(uploads().stored()).to.include(`${file.hash}.png`);
      expect((await uploads().ask("DELETE", `${path}?force=true`)).status).to.equal(200);
      const left = await read(
        `/api/articles/${article.documentId}?populate[cover]=true&populate[seo][populate]=ogImage`,
      );
      expect([left.cover, left.seo.ogImage]).to.deep.equal([null, null]);
    });
  });
});
