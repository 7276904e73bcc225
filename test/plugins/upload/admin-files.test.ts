import { expect } from "chai";
import type { FileView, LibraryFile } from "@plinth/plugin-admin";
import { apiTokens } from "@plinth/plugin-api-tokens";
import { eitherDatabase } from "../../databases.js";
import { administratorOf } from "../admin/sign-in.js";
import { makeImage } from "./sample-files.js";
import { BY_SCRIPT, formOf, type LibraryApp, type Sent, serveLibrary } from "./serve-library.js";
import { serveUploads } from "./serve-uploads.js";

const FILE_TYPE = "plugin::upload.file";
const ARTICLES = "/content/api::article.article";
/** Pages of the list. */
const PAGE = 60;
/** An id that no document has. */
const ABSENT = "zzzzzzzzzzzzzzzzzzzzzzzz";

const file = (action: string) => `${FILE_TYPE}.${action}`;
/** A file as documents hold it: without what only the library shows. */
function inEntry({ focalPoint: _f, folder: _o, updatedAt: _u, createdBy: _c, ...view }: LibraryFile): FileView {
  return view;
}
const namesOf = (data: readonly FileView[]) => data.map(({ name }) => name);

/** What roles may do, beside those that are given. */
const roles = {
  nobody: [],
  titles: [{ action: file("find"), fields: ["name", "mime", "url"] }],
  "by-route": ["plugin::upload.content-api.find", "plugin::upload.content-api.upload"],
  shared: ["find", "findOne", "update", "delete"].map((action) => ({
    action: file(action),
    where: { caption: "shared" },
  })),
  reader: [file("find"), "api::article.article.find"],
};

eitherDatabase(import.meta.url, (database) => {
  describe("files of the admin page", () => {
    const served = serveLibrary(database, { onDeleteInUse: "refuse", sizeLimit: "100kb" }, roles);
    const ask: LibraryApp["as"] = (...request) => served().as(...request);
    const add = async (role: string, name: string, content: string | Uint8Array = name): Promise<LibraryFile> => {
      const { status, body, text } = await served().upload(role, { [name]: content });
      expect(status, text).to.equal(201);
      return body.data[0];
    };
    const find = async (query: string, role = "editor") =>
      namesOf((await ask(role, "GET", `/files?${query}`)).body.data);
    const state = async () => [await served().rows(), served().stored(), served().temporary()];
    let picture: Uint8Array;
    let icon: Uint8Array;

    before("draw pictures", async () => {
      picture = await makeImage(800, 400, "jpeg", "#345678");
      icon = await makeImage(20, 10, "png", "#345678");
    });

    it("are uploaded and shown with a small picture, their size in bytes and who uploaded them", async () => {
      const { status, body } = await served().upload("editor", {
        "wide.jpg": picture,
        "icon.png": icon,
        "a.txt": "abc",
      });
      expect(status).to.equal(201);
      const [wide, small, text] = body.data as readonly FileView[];
      expect(wide).to.deep.include({ name: "wide.jpg", mime: "image/jpeg", width: 800, height: 400 });
      expect(wide).to.have.all.keys(
        ...["id", "documentId", "name", "alternativeText", "caption", "url", "thumbnail"],
        ...["mime", "size", "width", "height", "createdAt", "updatedAt", "focalPoint", "folder", "createdBy"],
      );
      expect(wide?.thumbnail).to.match(/^\/uploads\/thumbnail_wide_/);
      expect(wide?.size).to.be.closeTo(picture.length, 5);
      expect(small?.thumbnail).to.equal(small?.url);
      expect(text).to.include({ thumbnail: null, width: null, mime: "text/plain" });
      expect((await ask("editor", "GET", `/files/${wide?.documentId}`)).body).to.deep.equal({
        data: wide,
        meta: { may: ["update", "delete"] },
      });
      const editor = await administratorOf(served().plinth.app, "editor");
      const stored = await served()
        .plinth.app.documents(FILE_TYPE)
        .findOne({ documentId: String(wide?.documentId), facts: ["createdBy"] });
      expect(stored?.["_facts"]).to.have.nested.property("createdBy.id", editor.id);
      expect(served().temporary()).to.deep.equal([]);
    });

    it("are checked and limited as those of the content API, and nothing of a refused request is kept", async () => {
      const before = await state();
      const codeOf = async (files: Readonly<Record<string, string | Uint8Array>>) => {
        const { status, body } = await served().upload("editor", files);
        return [status, body.error.code];
      };
      expect(await codeOf({})).to.deep.equal([400, "PLINTH_UPLOAD_NO_FILES"]);
      expect(await codeOf({ "a.txt": "ok", "b.pdf": "no pdf" })).to.deep.equal([400, "PLINTH_UPLOAD_TYPE_MISMATCH"]);
      expect(await codeOf({ "a.txt": "ok", "b.txt": "x".repeat(200_000) })).to.deep.equal([
        413,
        "PLINTH_UPLOAD_TOO_LARGE",
      ]);
      const json = await ask("editor", "POST", "/files", { body: { files: [] } });
      expect([json.status, json.body.error.code]).to.deep.equal([400, "PLINTH_UPLOAD_NO_FILES"]);
      expect(await state()).to.deep.equal(before);
    });

    it("are found by their name, alternative text and caption, and by the types that an attribute allows", async () => {
      const harbour = await add("editor", "harbour.jpg", picture);
      const words = { alternativeText: "Ships at anchor", caption: "Évening" };
      await ask("editor", "PUT", `/files/${harbour.documentId}`, { body: words });
      await add("editor", "harbour.txt");
      expect(await find("_q=HARBOUR")).to.deep.equal(["harbour.txt", "harbour.jpg"]);
      for (const text of ["anchor", "évening"])
        expect(await find(`_q=${encodeURIComponent(text)}`)).to.deep.equal(["harbour.jpg"]);
      for (const text of ["image/jpeg", "uploads", "%25"]) expect(await find(`_q=${text}`), text).to.deep.equal([]);
      expect(await find("_q=harbour&types=images")).to.deep.equal(["harbour.jpg"]);
      expect(await find("_q=harbour&types=files")).to.deep.equal(["harbour.txt"]);
      expect(await find("_q=harbour&types=videos,audios")).to.deep.equal([]);
      expect(await find("_q=harbour&types=images,files")).to.have.length(2);
      expect(await find("_q=harbour&types=images,videos,audios,files")).to.have.length(2);
      const wrong = await ask("editor", "GET", "/files?types=images,pictures");
      expect([wrong.status, wrong.body.error.code]).to.deep.equal([400, "PLINTH_UPLOAD_GROUP_UNKNOWN"]);
      expect((await ask("editor", "GET", "/files?_q[a]=b")).status).to.equal(400);
    });

    it("come newest first, 60 a page, and are not counted", async () => {
      const { app } = served().plinth;
      const data = { hash: "x", mime: "text/plain", size: 1, url: "/uploads/x.txt", provider: "local" };
      for (let index = 1; index <= PAGE + 2; index += 1)
        await app.documents(FILE_TYPE).create({ data: { ...data, name: `paged ${index}` } });
      const first = (await ask("editor", "GET", "/files?_q=paged")).body;
      expect(first.data).to.have.length(PAGE);
      expect(first.data[0].name).to.equal(`paged ${PAGE + 2}`);
      expect(first.meta.pagination).to.have.all.keys("pageSize", "nextCursor");
      const { nextCursor } = first.meta.pagination;
      await app.documents(FILE_TYPE).create({ data: { ...data, name: "paged meanwhile" } });
      const second = (await ask("editor", "GET", `/files?_q=paged&cursor=${nextCursor}`)).body;
      expect(namesOf(second.data)).to.deep.equal(["paged 2", "paged 1"]);
      expect(second.meta.pagination.nextCursor).to.equal(null);
      for (const cursor of ["abc", ""])
        expect((await ask("editor", "GET", `/files?cursor=${cursor}`)).status, cursor).to.equal(400);
    });

    it("get another name and other texts, and nothing of a wrong change", async () => {
      const { documentId } = await add("editor", "before.txt");
      const path = `/files/${documentId}`;
      const body = { name: "after.txt", alternativeText: "A text", caption: null };
      const changed = await ask("editor", "PUT", path, { body });
      expect([changed.status, changed.text]).to.deep.equal([200, JSON.stringify(changed.body)]);
      expect(changed.body.data).to.include({ ...body, documentId });
      const before = await state();
      for (const wrong of [{ hash: "x" }, { name: null }, { name: "../a" }, { caption: 5 }, [], "{}"])
        expect((await ask("editor", "PUT", path, { body: wrong })).status, JSON.stringify(wrong)).to.equal(400);
      const unknown = await ask("editor", "PUT", path, { body: { url: "/x" } });
      expect(unknown.body.error).to.include({ code: "PLINTH_UPLOAD_INFO_INVALID" });
      expect(unknown.body.error.details.errors[0].path).to.deep.equal(["url"]);
      const requests = [
        ["GET", {}],
        ["PUT", { body }],
        ["DELETE", {}],
      ] as const;
      for (const [method, sent] of requests)
        expect((await ask("editor", method, `/files/${ABSENT}`, sent)).status, method).to.equal(404);
      expect(await state()).to.deep.equal(before);
    });

    it("are deleted, and one that documents use only when that is confirmed", async () => {
      const cover = await add("editor", "used.png", icon);
      const made = await ask("editor", "POST", ARTICLES, { body: { data: { title: "Uses it", cover: cover.id } } });
      const path = `/files/${cover.documentId}`;
      const before = await state();
      const refused = await ask("editor", "DELETE", path);
      expect([refused.status, refused.body.error.code]).to.deep.equal([409, "PLINTH_UPLOAD_IN_USE"]);
      const [use] = refused.body.error.details.uses;
      expect(use).to.include({ uid: "api::article.article", documentId: made.body.data.documentId, field: "cover" });
      expect(await state()).to.deep.equal(before);
      expect((await ask("editor", "DELETE", `${path}?force=true`)).status).to.equal(204);
      expect((await ask("editor", "GET", path)).status).to.equal(404);
      expect(
        served()
          .stored()
          .some((name) => name.startsWith("used_")),
      ).to.equal(false);
    });

    it("are the author's to change and delete where the author uploaded them, and all are to be used", async () => {
      const own = await add("author", "own.txt");
      const other = await add("editor", "other.txt");
      const seen = await ask("author", "GET", `/files/${other.documentId}`);
      expect(seen.body.data.name).to.equal("other.txt");
      expect(seen.body.meta.may).to.deep.equal([]);
      expect((await ask("author", "GET", `/files/${own.documentId}`)).body.meta.may).to.deep.equal([
        "update",
        "delete",
      ]);
      const before = await state();
      const body = { name: "taken.txt" };
      for (const method of ["PUT", "DELETE"])
        expect((await ask("author", method, `/files/${other.documentId}`, { body })).status, method).to.equal(404);
      expect(await state()).to.deep.equal(before);
      expect((await ask("author", "PUT", `/files/${own.documentId}`, { body })).body.data.name).to.equal("taken.txt");
      expect((await ask("author", "DELETE", `/files/${own.documentId}`)).status).to.equal(204);
    });

    it("are those that the rules of a role reach, and a search looks into nothing that they hide", async () => {
      const { documentId } = await add("editor", "ruled.txt");
      await ask("editor", "PUT", `/files/${documentId}`, { body: { caption: "concealed" } });
      const [shown] = (await ask("titles", "GET", "/files?_q=ruled")).body.data;
      expect(shown).to.include({ name: "ruled.txt", caption: null, size: 0, thumbnail: null });
      expect(await find("_q=concealed", "titles")).to.deep.equal([]);
      expect(await find("_q=ruled", "by-route")).to.deep.equal(["ruled.txt"]);
      expect((await served().upload("by-route", { "more.txt": "more" })).status).to.equal(201);
      expect(await find("_q=ruled", "shared")).to.deep.equal([]);
      for (const [method, body] of [["GET"], ["PUT", { name: "a" }], ["DELETE"]] as const)
        expect((await ask("shared", method, `/files/${documentId}`, { body })).status, method).to.equal(404);
    });

    it("are the same in the media of documents", async () => {
      const cover = await add("editor", "cover.jpg", picture);
      const note = await add("editor", "note.txt");
      const data = { title: "With media", cover: cover.id, pictures: [note.id, cover.id] };
      const made = await ask("editor", "POST", ARTICLES, { body: { data } });
      expect(made.status, made.text).to.equal(201);
      const entry = (await ask("editor", "GET", `${ARTICLES}/${made.body.data.documentId}`)).body.data;
      expect(entry).to.deep.include({ cover: inEntry(cover), pictures: [note, cover].map(inEntry) });
      const [row] = (await ask("editor", "GET", `${ARTICLES}?fields=cover,pictures&filters[title]=With media`)).body
        .data;
      expect(row).to.deep.include({ cover: inEntry(cover), pictures: [inEntry(note)] });
      const bare = await ask("editor", "POST", ARTICLES, { body: { data: { title: "Bare" } } });
      expect(bare.body.data).to.deep.include({ cover: null, pictures: [] });
    });

    describe("are refused", () => {
      type Request = readonly [method: string, path: string, sent?: Sent];
      let requests: readonly Request[] = [];

      before("upload a file", async () => {
        const { documentId } = await add("editor", "guarded.txt");
        const body = { name: "intruded.txt" };
        requests = [
          ["GET", "/files"],
          ["GET", `/files/${documentId}`],
          ["POST", "/files", { body: formOf({ "intruded.txt": "x" }), headers: BY_SCRIPT }],
          ["PUT", `/files/${documentId}`, { body }],
          ["DELETE", `/files/${documentId}?force=true`],
        ];
        for (const role of ["editor", "author", "nobody", "reader"]) await ask(role, "GET", "/files");
      });

      const refuse = async (role: string, status: number, headers: Readonly<Record<string, string>> = {}) => {
        const before = await state();
        for (const [method, path, sent = {}] of requests) {
          const answer = await ask(role, method, path, { ...sent, headers: { ...sent.headers, ...headers } });
          expect(answer.status, `${method} ${path}`).to.equal(status);
        }
        expect(await state()).to.deep.equal(before);
      };

      it("without a session, and to tokens of the content API and of administrators", async () => {
        await refuse("", 401);
        const { app } = served().plinth;
        const full = await app.service(apiTokens).create({ name: "full", type: "full-access" });
        const every = await app.service(apiTokens).create({ name: "every", type: "custom", permissions: ["*"] });
        const admin = await app.service(apiTokens).create({ name: "admin", type: "admin" });
        for (const { accessKey } of [full, every]) await refuse("", 401, { authorization: `Bearer ${accessKey}` });
        await refuse("", 403, { authorization: `Bearer ${admin.accessKey}` });
      });

      it("to a role without the actions", () => refuse("nobody", 403));

      it("to a role that may only read, but for reading", async () => {
        const before = await state();
        const statuses: number[] = [];
        for (const [method, path, sent] of requests) statuses.push((await ask("reader", method, path, sent)).status);
        expect(statuses).to.deep.equal([200, 200, 403, 403, 403]);
        expect(await state()).to.deep.equal(before);
      });

      it("to pages of other origins and of sister domains", async () => {
        for (const site of ["cross-site", "same-site", "none"]) await refuse("editor", 403, { "sec-fetch-site": site });
        await refuse("editor", 403, { "sec-fetch-site": "", origin: "https://evil.example" });
      });

      it("as forms that any page can send", async () => {
        const before = await state();
        const { status, body } = await served().upload("editor", { "form.txt": "x" }, {});
        expect([status, body.error.code]).to.deep.equal([415, "PLINTH_ADMIN_BODY_TYPE"]);
        expect(await state()).to.deep.equal(before);
      });
    });
  });

  describe("files of the admin page whose urls are signed", () => {
    const provider = () => ({
      name: "signing",
      put: async ({ key }: { readonly key: string }) => ({ url: `https://files.example.com/${key}` }),
      open: () => Promise.reject(new Error("It keeps nothing.")),
      delete: () => Promise.resolve(),
      signUrl: async (key: string) => `https://files.example.com/${key}?signature=1`,
    });
    const served = serveLibrary(database, { provider, providerOptions: {}, signUrls: true });

    it("are signed in lists, answers and documents, and stored without", async () => {
      const wide = await makeImage(800, 400, "jpeg", "#345678");
      const [cover] = (await served().upload("editor", { "wide.jpg": wide })).body.data as readonly LibraryFile[];
      expect(cover?.url).to.match(/wide_\w+\.jpg\?signature=1$/);
      expect(cover?.thumbnail).to.match(/thumbnail_wide_\w+\.jpg\?signature=1$/);
      expect((await served().as("editor", "GET", "/files")).body.data[0]).to.deep.equal(cover);
      const body = { data: { title: "Signed", cover: cover?.id } };
      const made = await served().as("editor", "POST", ARTICLES, { body });
      expect(made.body.data.cover).to.deep.equal(cover && inEntry(cover));
      const stored = await served().plinth.app.db.query<{ url: string }>({
        text: "select url from files order by id desc",
        values: [],
      });
      expect(stored[0]?.url).to.not.include("signature");
    });
  });
});

describe("the routes of files for administrators", () => {
  eitherDatabase(import.meta.url, (database) => {
    const uploads = serveUploads(database);

    it("are not there without the admin plugin", async () => {
      expect((await uploads().ask("GET", "/admin/api/files")).status).to.equal(404);
    });
  });
});
