import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { makeImage } from "./sample-files.js";
import { serveUploads } from "./serve-uploads.js";

const route = (name: string) => `plugin::upload.content-api.${name}`;
const every = ["find", "findPage", "findOne", "findUses", "upload", "destroy"].map(route);
const file = (action: string) => `plugin::upload.file.${action}`;

/** Rules by which everybody has files of their own. */
const where = { uploadedBy: { id: "{{user.id}}" } };
const own = ["find", "findOne", "create", "update", "delete"].map((action) => ({ action: file(action), where }));

/** Who sees and changes files with the caption "shared" and no others. */
const shared = ["find", "findOne", "create", "update", "delete"].map((action) => ({
  action: file(action),
  where: { caption: "shared" },
}));

describe("rules on files", () => {
  eitherDatabase(import.meta.url, (database) => {
    const uploads = serveUploads(database, {
      upload: { onDeleteInUse: "refuse" },
      grants: {
        "shared-files": [...every, ...shared],
        "open-folders": [
          ...every,
          ...["find", "findOne", "update", "delete"].map((action) => ({
            action: `plugin::upload.folder.${action}`,
            where: { name: { $startsWith: "Open" } },
          })),
        ],
        "adding-files": [route("upload")],
        "removing-files": [route("destroy")],
        "captions-only": [
          ...every,
          { action: file("create"), fields: ["caption"] },
          { action: file("update"), fields: ["caption"] },
          { action: file("findOne"), fields: ["name"] },
        ],
        "preset-values": [
          ...every,
          { action: file("create"), fields: ["name"], set: { caption: "by the rule" } },
          { action: file("update"), set: { caption: "by the other rule" } },
        ],
      },
      permissions: { public: [], authenticated: [...every, ...own] },
    });

    const add = async (name: string, info: object = {}, token?: string) => {
      const { status, body } = await uploads().send([{ name, content: name }], {
        fields: [["fileInfo", JSON.stringify(info)]],
        ...(token === undefined ? {} : { token }),
      });
      expect(status, JSON.stringify(body)).to.equal(201);
      return body[0];
    };
    const read = async (id: number) => (await uploads().ask("GET", `/api/upload/files/${id}`)).body;
    const contentOf = ({ url }: { url: string }) => uploads().read(url.replace(/^.*\//, "")).toString();
    const replace = (id: number, token: string) =>
      uploads().send([{ name: "b.txt", content: "overwritten" }], { path: `/api/upload?id=${id}`, token });
    const graphql = async (query: string, token: string) =>
      (await uploads().ask("POST", "/graphql", { token, body: { query } })).body;

    it("keep files outside of them from lists, pages, single reads and uses", async () => {
      const seen = await add("seen.txt", { caption: "shared" });
      const hidden = await add("hidden.txt", { caption: "secret" });
      const ask = (path: string) => uploads().ask("GET", `/api/upload/${path}`, { token: "shared-files" });
      expect((await ask("files")).body.map(({ id }: { id: number }) => id)).to.deep.equal([seen.id]);
      const page = await ask("files/page");
      expect(page.body.data.map(({ id }: { id: number }) => id)).to.deep.equal([seen.id]);
      expect(page.body.meta.pagination.total).to.equal(1);
      expect((await ask(`files/${seen.id}`)).status).to.equal(200);
      for (const path of [`files/${hidden.id}`, `files/${hidden.id}/uses`]) {
        expect((await ask(path)).body.error, path).to.include({ status: 404, code: "PLINTH_UPLOAD_NOT_FOUND" });
      }
      const listed = await graphql("{ uploadFiles { documentId } }", "shared-files");
      expect(listed.data.uploadFiles).to.deep.equal([{ documentId: seen.documentId }]);
    });

    it("keep files outside of them from being replaced, changed and deleted", async () => {
      const hidden = await add("kept.txt", { caption: "secret" });
      const path = `/api/upload?id=${hidden.id}`;
      const absent = { status: 404, code: "PLINTH_UPLOAD_ENTITY_NOT_FOUND" };
      expect((await replace(hidden.id, "shared-files")).body.error).to.include(absent);
      const other = await uploads().send([{ name: "b.html", content: "<p>b" }], { path, token: "shared-files" });
      expect(other.body.error, "its kind is not told").to.include(absent);
      const info = { fileInfo: { caption: "shared" } };
      expect((await uploads().ask("POST", path, { token: "shared-files", body: info })).body.error).to.include(absent);
      const removed = await uploads().ask("DELETE", `/api/upload/files/${hidden.id}`, { token: "shared-files" });
      expect(removed.body.error).to.include({ status: 404, code: "PLINTH_UPLOAD_NOT_FOUND" });
      for (const id of [hidden.id, hidden.documentId]) {
        const change = await graphql(
          `mutation { updateUploadFile(id: "${id}", info: { caption: "shared" }) { documentId } }`,
          "shared",
        );
        expect(change.data, JSON.stringify(change)).to.equal(null);
        const remove = await graphql(
          `mutation { deleteUploadFile(id: "${id}", force: true) { documentId } }`,
          "shared-files",
        );
        expect(remove.data.deleteUploadFile).to.equal(null);
      }
      expect(await read(hidden.id)).to.deep.equal(hidden);
      expect(contentOf(hidden)).to.equal("kept.txt");
    });

    it("let files within them be changed and deleted, but not moved out of them", async () => {
      const seen = await add("seen.txt", { caption: "shared" });
      expect((await replace(seen.id, "shared-files")).status).to.equal(200);
      expect(contentOf(seen)).to.equal("overwritten");
      const path = `/api/upload?id=${seen.id}`;
      const out = await uploads().ask("POST", path, { token: "shared-files", body: { fileInfo: { caption: "mine" } } });
      expect(out.status).to.equal(403);
      expect((await read(seen.id)).caption).to.equal("shared");
      const removed = await uploads().ask("DELETE", `/api/upload/files/${seen.id}`, { token: "shared-files" });
      expect([removed.status, removed.body.id]).to.deep.equal([200, seen.id]);
      expect((await read(seen.id)).error.status).to.equal(404);
    });

    it("hold for what is added, of which nothing is kept where they do not", async () => {
      const stored = uploads().stored();
      const { status } = await uploads().send([{ name: "a.txt", content: "a" }], { token: "shared-files" });
      expect(status).to.equal(403);
      expect(uploads().stored()).to.deep.equal(stored);
      expect((await uploads().ask("GET", "/api/upload/files?filters[name]=a.txt")).body).to.deep.equal([]);
      await add("a.txt", { caption: "shared" }, "shared-files");
    });

    it("on fields hold for what is said, for another content, and for the answers", async () => {
      const said = await uploads().send([{ name: "a.txt", content: "a" }], {
        token: "captions-only",
        fields: [["fileInfo", '{"alternativeText":"no"}']],
      });
      expect(said.body.error).to.include({ status: 400, code: "PLINTH_UPLOAD_INFO_INVALID" });
      const made = await add("a.txt", { caption: "yes" }, "captions-only");
      expect(made).to.have.all.keys("id", "documentId", "name", "createdAt", "updatedAt", "publishedAt", "isUrlSigned");
      const path = `/api/upload?id=${made.id}`;
      const change = (fileInfo: object) => uploads().ask("POST", path, { token: "captions-only", body: { fileInfo } });
      expect((await change({ caption: "changed" })).status).to.equal(200);
      expect((await change({ name: "b.txt" })).body.error).to.include({ status: 400 });
      expect((await replace(made.id, "captions-only")).body.error).to.include({ status: 400 });
      const whole = await read(made.id);
      expect(whole).to.include({ name: "a.txt", caption: "changed" });
      expect(contentOf(whole)).to.equal("a.txt");
    });

    it("set values in what is added and changed, in place of what is said of them", async () => {
      const { id, caption } = await add("a.txt", { caption: "said" }, "preset-values");
      expect(caption).to.equal("by the rule");
      expect(await read(id)).to.include({ name: "a.txt", caption });
      const info = { token: "preset-values", body: { fileInfo: { name: "b.txt" } } };
      expect((await uploads().ask("POST", `/api/upload?id=${id}`, info)).status).to.equal(200);
      expect(await read(id)).to.include({ name: "b.txt", caption: "by the other rule" });
    });

    it("give everybody files of their own", async () => {
      const [ada, bob] = [await uploads().register("ada"), await uploads().register("bob")];
      const hers = await add("ada.txt", {}, ada);
      const his = await add("bob.txt", {}, bob);
      const list = await uploads().ask("GET", "/api/upload/files", { token: bob });
      expect(list.body).to.deep.equal([his]);
      expect(hers).not.to.have.property("uploadedBy");
      expect((await replace(hers.id, bob)).status).to.equal(404);
      expect((await uploads().ask("DELETE", `/api/upload/files/${hers.id}`, { token: bob })).status).to.equal(404);
      expect((await uploads().ask("GET", `/uploads/${hers.hash}.txt`)).body).to.equal("ada.txt");
      expect((await replace(hers.id, ada)).status).to.equal(200);
      expect((await uploads().ask("DELETE", `/api/upload/files/${hers.id}`, { token: ada })).status).to.equal(200);
      expect((await uploads().ask("GET", "/api/upload/files?populate=uploadedBy", { token: bob })).status).to.equal(
        400,
      );
    });

    it("are needed to change files at all: who may add them overwrites nobody's", async () => {
      const whole = await add("whole.txt");
      expect((await add("own.txt", {}, "adding-files")).url, "what was added is shown").to.match(/^\/uploads\/own_/);
      expect((await replace(whole.id, "adding-files")).status).to.equal(403);
      const info = { fileInfo: { name: "x" } };
      const path = `/api/upload?id=${whole.id}`;
      expect((await uploads().ask("POST", path, { token: "adding-files", body: info })).status).to.equal(403);
      const change = `mutation { updateUploadFile(id: "${whole.id}", info: { name: "x" }) { documentId } }`;
      expect((await graphql(change, "adding-files")).errors[0].extensions.code).to.equal("FORBIDDEN");
      expect(await read(whole.id)).to.deep.equal(whole);
      expect(contentOf(whole)).to.equal("whole.txt");
    });

    it("on folders hold for folders, and for the files that are put into them", async () => {
      const make = async (name: string) =>
        (await uploads().ask("POST", "/api/upload/folders", { body: { data: { name } } })).body.data;
      const [open, closed] = [await make("Open"), await make("Closed")];
      const ask = (method: string, path: string, body?: object) =>
        uploads().ask(method, `/api/upload/folders${path}`, { token: "open-folders", ...(body ? { body } : {}) });
      expect((await ask("GET", "")).body.data.map(({ id }: { id: number }) => id)).to.deep.equal([open.id]);
      expect((await ask("GET", `/${closed.documentId}`)).status).to.equal(404);
      expect((await ask("PUT", `/${closed.documentId}`, { data: { name: "Open too" } })).status).to.equal(404);
      await ask("DELETE", `/${closed.documentId}`);
      expect((await uploads().ask("GET", `/api/upload/folders/${closed.documentId}`)).status).to.equal(200);
      await add("in.txt", { folder: open.id }, "open-folders");
      for (const folder of [closed.id, closed.documentId, 987_654]) {
        const { body } = await uploads().send([{ name: "in.txt", content: "a" }], {
          token: "open-folders",
          fields: [["fileInfo", JSON.stringify({ folder })]],
        });
        expect(body.error.message, "as one that is not there").to.match(/^fileInfo\.folder: there is no folder /);
      }
    });

    it("leave to who may only delete files their ids, and no word of where they are used", async () => {
      const [used] = (await uploads().send([{ name: "used.png", content: await makeImage(8, 8, "png") }])).body;
      await uploads().ask("POST", "/api/authors", { body: { data: { name: "Ada", avatar: used.id } } });
      const path = `/api/upload/files/${used.id}`;
      const refused = await uploads().ask("DELETE", path, { token: "removing-files" });
      expect(refused.status).to.equal(409);
      expect(refused.body.error.details).to.deep.equal({ count: 1, documentId: used.documentId, uses: [] });
      const { body } = await uploads().ask("DELETE", `${path}?force=true`, { token: "removing-files" });
      expect(body).to.deep.equal({ id: used.id, documentId: used.documentId, isUrlSigned: false });
    });
  });
});
