import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { makeImage } from "./sample-files.js";
import { serveUploads } from "./serve-uploads.js";

describe("files over REST", () => {
  eitherDatabase(import.meta.url, (database) => {
    const uploads = serveUploads(database, {
      grants: { uploader: ["plugin::upload.content-api.upload"] },
    });
    const text = (name = "notes.txt", content = "hello") => ({ name, content });

    const uploadText = async (name?: string) => {
      const { status, body } = await uploads().send([text(name)]);
      expect(status, JSON.stringify(body)).to.equal(201);
      return body[0];
    };

    it("stores each file under a name of our choice and shows its fields", async () => {
      const image = await makeImage(600, 300, "png");
      const { status, body } = await uploads().send(
        [
          { name: "Ünï cödé.png", content: image, type: "text/plain" },
          { name: "notes.txt", content: "hello" },
        ],
        { fields: [["fileInfo", '{"alternativeText":"grey","focalPoint":{"x":10,"y":90}}']] },
      );
      expect(status).to.equal(201);
      const [picture, notes] = body;
      expect(picture).to.include({ name: "Ünï cödé.png", mime: "image/png", width: 600, height: 300, ext: ".png" });
      expect(picture).to.include({ alternativeText: "grey", provider: "local", isUrlSigned: false });
      expect(picture.focalPoint).to.deep.equal({ x: 10, y: 90 });
      expect(picture.url).to.match(/^\/uploads\/Uni_code_[0-9a-f]{10}\.png$/);
      expect(Object.keys(picture.formats).sort()).to.deep.equal(["small", "thumbnail"]);
      expect(notes).to.include({ name: "notes.txt", alternativeText: null, size: 0.01 });
      expect(uploads().stored()).to.include.members([
        ...[picture, picture.formats.small, picture.formats.thumbnail].map(({ hash, ext }) => `${hash}${ext}`),
        `${notes.hash}.txt`,
      ]);
      expect(uploads().temporary()).to.deep.equal([]);
    });

    it("takes files in the order of the request, and what is said about each, however large they are", async () => {
      const sizes = [3_000_000, 1, 2_000_000, 1, 1_000_000, 1];
      const files = sizes.map((size, at) => ({ name: `file ${at}.txt`, content: "x".repeat(size) }));
      const infos = sizes.map((size, at) => ["fileInfo", JSON.stringify({ caption: `${at}: ${size}` })] as const);
      for (let round = 0; round < 3; round++) {
        const { status, body } = await uploads().send(files, { fields: infos });
        expect(status).to.equal(201);
        const said = body.map(({ name, caption }: { name: string; caption: string }) => `${name}, ${caption}`);
        expect(said).to.deep.equal(sizes.map((size, at) => `file ${at}.txt, ${at}: ${size}`));
      }
    });

    it("keeps nothing of a request of which one file is refused", async () => {
      const before = uploads().stored();
      const { status } = await uploads().send([text("good.txt"), { name: "fake.png", content: "no image" }]);
      expect(status).to.equal(400);
      expect(uploads().stored()).to.deep.equal(before);
      const { body } = await uploads().ask("GET", "/api/upload/files?filters[name]=good.txt");
      expect(body).to.deep.equal([]);
      expect(uploads().temporary()).to.deep.equal([]);
    });

    it("says what is wrong with fileInfo, all of it at once", async () => {
      const info = '{"alt":"x","caption":3,"focalPoint":{"x":101,"y":0}}';
      const { status, body } = await uploads().send([text()], { fields: [["fileInfo", info]] });
      expect(status).to.equal(400);
      expect(body.error.details.errors.map(({ path }: { path: string[] }) => path.join("."))).to.deep.equal([
        "fileInfo.alt",
        "fileInfo.caption",
        "fileInfo.focalPoint",
      ]);
      const broken = await uploads().send([text()], { fields: [["fileInfo", "{"]] });
      expect(broken.body.error).to.include({ status: 400, code: "PLINTH_UPLOAD_INFO_INVALID" });
      const deep = await uploads().send([text()], { fields: [["fileInfo", "[".repeat(10_000)]] });
      expect(deep.body.error.message).to.equal("fileInfo.0 must not be nested deeper than 20 levels");
      const twice = await uploads().send([text()], {
        fields: [
          ["fileInfo", "{}"],
          ["fileInfo", "{}"],
        ],
      });
      expect(twice.status).to.equal(400);
    });

    it("changes what is said about a file, by a form or by JSON, and nothing that is not named", async () => {
      const { id } = await uploadText();
      const form = await uploads().send([], {
        path: `/api/upload?id=${id}`,
        fields: [["fileInfo", '{"caption":"a","name":"b.txt"}']],
      });
      expect(form.status).to.equal(200);
      expect(form.body).to.include({ id, caption: "a", name: "b.txt" });
      const json = await uploads().ask("POST", `/api/upload?id=${id}`, { body: { fileInfo: { caption: null } } });
      expect(json.body).to.include({ id, caption: null, name: "b.txt" });
    });

    it("replaces the content of a file and its formats, and keeps its url", async () => {
      const content = await makeImage(600, 300, "png");
      const { body: made } = await uploads().send([{ name: "old.png", content }]);
      const [old] = made;
      const { status, body } = await uploads().send([{ name: "new.png", content: await makeImage(300, 300, "png") }], {
        path: `/api/upload?id=${old.id}`,
      });
      expect(status).to.equal(200);
      expect(body).to.include({ id: old.id, url: old.url, hash: old.hash, name: "new.png", width: 300 });
      expect(Object.keys(body.formats)).to.deep.equal(["thumbnail"]);
      const ofFile = uploads()
        .stored()
        .filter((key) => key.includes(old.hash));
      expect(ofFile).to.have.members([`${old.hash}.png`, `${body.formats.thumbnail.hash}.png`]);
    });

    it("refuses to put another kind of file behind a url, and several files, and changes nothing", async () => {
      const [old] = (await uploads().send([{ name: "old.png", content: await makeImage(8, 8, "png") }])).body;
      const stored = uploads().stored();
      const path = `/api/upload?id=${old.id}`;
      const other = await uploads().send([text()], { path });
      expect(other.body.error).to.include({ status: 400, code: "PLINTH_UPLOAD_EXTENSION_DIFFERS" });
      const several = await uploads().send([text(), text()], { path });
      const message = "Cannot replace a file with multiple ones";
      expect(several.body.error).to.include({ status: 400, name: "ValidationError", message });
      expect(uploads().stored()).to.deep.equal(stored);
      expect((await uploads().ask("GET", `/api/upload/files/${old.id}`)).body).to.deep.equal(old);
    });

    it("deletes a file with its formats", async () => {
      const [file] = (await uploads().send([{ name: "a.png", content: await makeImage(600, 300, "png") }])).body;
      const { status, body } = await uploads().ask("DELETE", `/api/upload/files/${file.id}`);
      expect(status).to.equal(200);
      expect(body).to.deep.equal(file);
      expect(uploads().stored().join()).not.to.include(file.hash);
      expect((await uploads().ask("GET", `/api/upload/files/${file.id}`)).status).to.equal(404);
    });

    it("answers lists bare and pages with their meta, both cut as asked", async () => {
      for (const name of ["page-a.txt", "page-b.txt", "page-c.txt"]) await uploadText(name);
      const query = "filters[name][$startsWith]=page-&sort=name:desc&fields=name";
      const list = await uploads().ask("GET", `/api/upload/files?${query}`);
      expect(list.body.map(({ name }: { name: string }) => name)).to.deep.equal([
        "page-c.txt",
        "page-b.txt",
        "page-a.txt",
      ]);
      expect((await uploads().ask("GET", `/api/upload/files?${query}&pagination[limit]=1`)).body).to.have.length(1);
      const page = await uploads().ask("GET", `/api/upload/files/page?${query}&pagination[pageSize]=2`);
      expect(page.body.meta.pagination).to.deep.equal({ page: 1, pageSize: 2, pageCount: 2, total: 3 });
      expect(page.body.data[0]).to.include({ name: "page-c.txt", isUrlSigned: false });
    });

    it("asks for the right of each action", async () => {
      const { id } = await uploadText();
      expect((await uploads().send([text()], { token: "uploader" })).status).to.equal(201);
      expect((await uploads().ask("DELETE", `/api/upload/files/${id}`, { token: "uploader" })).status).to.equal(403);
      for (const path of ["files", "files/page", `files/${id}`, `files/${id}/uses`, "folders"]) {
        const { status } = await uploads().ask("GET", `/api/upload/${path}`, { token: "uploader" });
        expect(status, path).to.equal(403);
      }
    });

    it("refuses ids that are none, and says that others are not there", async () => {
      expect((await uploads().ask("GET", "/api/upload/files/abc")).body.error.code).to.equal(
        "PLINTH_UPLOAD_ID_INVALID",
      );
      expect((await uploads().send([text()], { path: "/api/upload?id=1&id=2" })).status).to.equal(400);
      expect((await uploads().send([text()], { path: "/api/upload?id=999999" })).body.error).to.include({
        status: 404,
        code: "PLINTH_UPLOAD_ENTITY_NOT_FOUND",
      });
      expect((await uploads().ask("DELETE", "/api/upload/files/999999")).body.error.code).to.equal(
        "PLINTH_UPLOAD_NOT_FOUND",
      );
      const { id } = await uploadText();
      const nothing = await uploads().ask("POST", `/api/upload?id=${id}`, { body: {} });
      expect(nothing.body.error).to.include({ status: 400, code: "PLINTH_UPLOAD_NO_FILES" });
    });

    it("refuses names with a path in them", async () => {
      for (const name of ["a/b.txt", "..", "a\u0000.txt", "\u202etxt.exe"]) {
        const { status, body } = await uploads().send([text()], { fields: [["fileInfo", JSON.stringify({ name })]] });
        expect(status, name).to.equal(400);
        expect(body.error.code).to.equal("PLINTH_UPLOAD_NAME_INVALID");
      }
    });
  });
});
