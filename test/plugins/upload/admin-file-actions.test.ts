import { request } from "node:http";
import { expect } from "chai";
import sharp from "sharp";
import type { FilesUses, FileUses, LibraryFile } from "@plinth/plugin-admin";
import { eitherDatabase } from "../../databases.js";
import { signIn } from "../admin/sign-in.js";
import { makeImage } from "./sample-files.js";
import { BY_SCRIPT, formOf, type LibraryApp, serveLibrary } from "./serve-library.js";

const ARTICLES = "/content/api::article.article";
const ABSENT = "zzzzzzzzzzzzzzzzzzzzzzzz";

const onFiles = (action: string) => `plugin::upload.file.${action}`;

const roles = {
  reader: [onFiles("find")],
  // Sees names, and not where files are; may upload.
  names: [{ action: onFiles("find"), fields: ["name", "mime"] }, onFiles("create")],
  "no-articles": [onFiles("find"), onFiles("delete")],
  // Sees articles, and not what their cover is.
  titles: [onFiles("find"), { action: "api::article.article.find", fields: ["title"] }],
};

eitherDatabase(import.meta.url, (database) => {
  describe("what is done with files on the admin page", () => {
    const served = serveLibrary(database, { onDeleteInUse: "refuse" }, roles);
    const ask: LibraryApp["as"] = (...sent) => served().as(...sent);
    const add = async (name: string, content: string | Uint8Array = name, role = "editor"): Promise<LibraryFile> =>
      (await served().upload(role, { [name]: content })).body.data[0];
    const replace = (role: string, documentId: string, files: Readonly<Record<string, string | Uint8Array>>) =>
      ask(role, "POST", `/files/${documentId}/replace`, { body: formOf(files), headers: BY_SCRIPT });
    const cut = (role: string, documentId: string, body: object) =>
      ask(role, "POST", `/files/${documentId}/cut`, { body });
    const bytesOf = async (url: string) => Buffer.from(await (await fetch(`${served().url}${url}`)).arrayBuffer());
    const state = async () => [await served().rows(), served().stored(), served().temporary()];
    let halves: Buffer;

    before("draw a picture", async () => {
      // Red on the left, blue on the right.
      const right = await makeImage(100, 80, "png", "#0000ff");
      const left = sharp({ create: { width: 200, height: 80, channels: 3, background: "#ff0000" } });
      halves = await left
        .composite([{ input: Buffer.from(right), left: 100, top: 0 }])
        .png()
        .toBuffer();
    });

    it("a focal point is kept, and none is taken that lies outside of the picture", async () => {
      const { documentId } = await add("focal.png", halves);
      const path = `/files/${documentId}`;
      const set = await ask("editor", "PUT", path, { body: { focalPoint: { x: 25, y: 60.5 } } });
      expect(set.body.data.focalPoint).to.deep.equal({ x: 25, y: 60.5 });
      for (const focalPoint of [{ x: 101, y: 0 }, { x: 1 }, "left"])
        expect((await ask("editor", "PUT", path, { body: { focalPoint } })).status).to.equal(400);
      expect((await ask("editor", "PUT", path, { body: { focalPoint: null } })).body.data.focalPoint).to.equal(null);
    });

    it("a part of a picture is cut from its own pixels into a new file beside it", async () => {
      const { body } = await ask("editor", "POST", "/folders", { body: { name: "Cuts" } });
      const picture = await add("halves.png", halves);
      const path = `/files/${picture.documentId}`;
      await ask("editor", "PUT", path, { body: { alternativeText: "Two halves", folder: body.data.documentId } });
      const area = { x: 120, y: 10, width: 60, height: 40 };
      const made = await cut("editor", picture.documentId, { ...area, name: "right.png" });
      expect(made.status, made.text).to.equal(201);
      const file: LibraryFile = made.body.data;
      expect(file).to.include({ name: "right.png", width: 60, height: 40, mime: "image/png" });
      expect(file).to.deep.include({ alternativeText: "Two halves", focalPoint: null });
      expect(file.folder?.name).to.equal("Cuts");
      expect(file.createdBy?.name).to.equal("editor");
      const { dominant } = await sharp(await bytesOf(file.url)).stats();
      expect(dominant.b).to.be.above(200);
      expect(dominant.r).to.be.below(50);
      expect((await bytesOf(picture.url)).equals(halves)).to.equal(true);
      expect(served().temporary()).to.deep.equal([]);
    });

    it("a picture that a camera noted as turned is cut as it is seen, and an animation stays one", async () => {
      const turned = await sharp(halves).jpeg().withMetadata({ orientation: 6 }).toBuffer();
      const { documentId } = await add("turned.jpg", turned);
      // Turned it is 80 wide and 200 high, with red above.
      const made = await cut("editor", documentId, { x: 0, y: 0, width: 80, height: 90 });
      expect(made.body.data).to.include({ width: 80, height: 90, name: "turned.jpg" });
      const { dominant } = await sharp(await bytesOf(made.body.data.url)).stats();
      expect(dominant.r).to.be.above(200);
      const frames = await Promise.all(["#ff0000", "#00ff00"].map((colour) => makeImage(40, 40, "png", colour)));
      const animation = await sharp(
        frames.map((frame) => Buffer.from(frame)),
        { join: { animated: true } },
      )
        .gif()
        .toBuffer();
      const moving = await add("moving.gif", animation);
      const part = await cut("editor", moving.documentId, { x: 5, y: 5, width: 20, height: 10 });
      expect(part.body.data).to.include({ width: 20, height: 10, mime: "image/gif" });
      expect((await sharp(await bytesOf(part.body.data.url)).metadata()).pages).to.equal(2);
    });

    it("nothing is cut outside of a picture, of what is none, or by who may not", async () => {
      const { documentId } = await add("whole.png", halves);
      const text = await add("text.txt");
      const area = { x: 0, y: 0, width: 10, height: 10 };
      const before = await state();
      const refusals = [
        [await cut("editor", documentId, { ...area, x: 195 }), 400, "PLINTH_UPLOAD_CUT_REFUSED"],
        [await cut("editor", text.documentId, area), 400, "PLINTH_UPLOAD_CUT_REFUSED"],
        [await cut("editor", documentId, { ...area, width: 0 }), 400, "PLINTH_UPLOAD_INFO_INVALID"],
        [await cut("editor", documentId, { ...area, x: 0.5 }), 400, "PLINTH_UPLOAD_INFO_INVALID"],
        [await cut("editor", documentId, { ...area, name: "../x" }), 400, "PLINTH_UPLOAD_NAME_INVALID"],
        [await cut("editor", ABSENT, area), 404, "PLINTH_UPLOAD_NOT_FOUND"],
        [await cut("names", documentId, area), 404, "PLINTH_UPLOAD_NOT_FOUND"],
        [await cut("reader", documentId, area), 403, "PLINTH_ACCESS_FORBIDDEN"],
      ] as const;
      for (const [{ status, body }, expected, code] of refusals)
        expect([status, body.error.code]).to.deep.equal([expected, code]);
      expect(await state()).to.deep.equal(before);
    });

    it("another content of the same kind takes the place of a file, whose url, name and texts stay", async () => {
      const file = await add("cover.png", halves);
      await ask("editor", "PUT", `/files/${file.documentId}`, { body: { alternativeText: "A cover" } });
      const next = await makeImage(300, 300, "png", "#00ff00");
      const { status, body } = await replace("editor", file.documentId, { "other-name.png": next });
      expect(status).to.equal(200);
      expect(body.data).to.include({ name: "cover.png", url: file.url, alternativeText: "A cover", width: 300 });
      expect(body.data.updatedAt > file.updatedAt).to.equal(true);
      expect((await bytesOf(file.url)).equals(Buffer.from(next))).to.equal(true);
      const before = await state();
      const jpeg = await makeImage(30, 30, "jpeg", "#00ff00");
      const refusals = [
        [await replace("editor", file.documentId, { "a.jpg": jpeg }), 400, "PLINTH_UPLOAD_EXTENSION_DIFFERS"],
        [
          await replace("editor", file.documentId, { "a.png": next, "b.png": next }),
          400,
          "PLINTH_UPLOAD_SEVERAL_FILES",
        ],
        [await replace("editor", file.documentId, {}), 400, "PLINTH_UPLOAD_NO_FILES"],
        [await replace("editor", ABSENT, { "a.png": next }), 404, "PLINTH_UPLOAD_NOT_FOUND"],
        [await replace("author", file.documentId, { "a.png": next }), 404, "PLINTH_UPLOAD_ENTITY_NOT_FOUND"],
        [await replace("reader", file.documentId, { "a.png": next }), 403, "PLINTH_ACCESS_FORBIDDEN"],
      ] as const;
      for (const [answer, expected, code] of refusals)
        expect([answer.status, answer.body.error.code]).to.deep.equal([expected, code]);
      expect(await state()).to.deep.equal(before);
    });

    it("its uses are the documents that hold it, of those that the caller finds by attributes that they see", async () => {
      const cover = await add("used.png", halves);
      const loose = await add("loose.txt");
      const data = { title: "Uses it", cover: cover.id, pictures: [cover.id] };
      const made = await ask("editor", "POST", ARTICLES, { body: { data } });
      const byAuthor = await ask("author", "POST", ARTICLES, { body: { data: { title: "Mine", cover: cover.id } } });
      const usesFor = async (role: string) =>
        (await ask(role, "GET", `/files/${cover.documentId}/uses`)).body.data.map(
          ({ documentId, title, field }: FileUses["data"][number]) => [documentId, title, field],
        );
      const { documentId } = made.body.data;
      expect(await usesFor("editor")).to.deep.equal([
        [byAuthor.body.data.documentId, "Mine", "cover"],
        [documentId, "Uses it", "cover"],
        [documentId, "Uses it", "pictures"],
      ]);
      expect(await usesFor("author")).to.deep.equal([[byAuthor.body.data.documentId, "Mine", "cover"]]);
      expect(await usesFor("no-articles")).to.deep.equal([]);
      expect(await usesFor("titles")).to.deep.equal([]);
      const documentIds = [loose.documentId, cover.documentId];
      const several = await ask("editor", "POST", "/files/actions/uses", { body: { documentIds } });
      expect(several.body.data).to.have.length(1);
      expect(several.body.data[0]).to.include({ documentId: cover.documentId });
      expect(several.body.data[0].uses).to.have.length(3);
      const missing = await ask("editor", "POST", "/files/actions/uses", { body: { documentIds: [ABSENT] } });
      expect(missing.status).to.equal(404);
      expect((await ask("editor", "GET", `/files/${ABSENT}/uses`)).status).to.equal(404);
    });

    it("each of several that is used is named, also beside one that many documents hold, and only those are forced", async () => {
      const [logo, picture, loose] = [
        await add("logo.png", halves),
        await add("old.png", halves),
        await add("loose.txt"),
      ];
      const hold = async (title: string, cover: number) =>
        (await ask("editor", "POST", ARTICLES, { body: { data: { title, cover } } })).body.data.documentId;
      const old = await hold("Old", picture.id);
      for (let n = 0; n < 120; n += 1) await hold(`With logo ${n}`, logo.id);
      const documentIds = [logo, picture, loose].map(({ documentId }) => documentId);
      const { body } = await ask("editor", "POST", "/files/actions/uses", { body: { documentIds } });
      expect(body.data.map((file: FilesUses["data"][number]) => [file.documentId, file.isCut])).to.deep.equal([
        [logo.documentId, true],
        [picture.documentId, false],
      ]);
      expect(body.data[0].uses).to.have.length(20);
      expect(body.data[0].uses[0].title).to.equal("With logo 119");
      expect(body.data[1].uses.map((use: { documentId: string }) => use.documentId)).to.deep.equal([old]);

      const remove = (force: readonly string[]) =>
        ask("editor", "POST", "/files/actions/delete", { body: { documentIds, force } });
      const refused = await remove([logo.documentId]);
      expect([refused.status, refused.body.error.code]).to.deep.equal([409, "PLINTH_UPLOAD_IN_USE"]);
      expect(refused.body.error.details.documentId).to.equal(picture.documentId);
      expect((await remove([logo.documentId, picture.documentId])).status).to.equal(204);
    });

    it("several are moved at once, all or none", async () => {
      const { body } = await ask("editor", "POST", "/folders", { body: { name: "Target" } });
      const folder = body.data.documentId;
      const [one, two] = [await add("move-1.txt"), await add("move-2.txt")];
      const documentIds = [one.documentId, two.documentId];
      expect((await ask("editor", "POST", "/files/actions/move", { body: { documentIds, folder } })).status).to.equal(
        204,
      );
      const listed = await ask("editor", "GET", `/files?folder=${folder}`);
      expect(listed.body.data.map(({ name }: LibraryFile) => name)).to.deep.equal(["move-2.txt", "move-1.txt"]);
      const own = await add("own.txt", "own", "author");
      const before = await served().rows();
      const move = (role: string, sent: object) => ask(role, "POST", "/files/actions/move", { body: sent });
      expect((await move("author", { documentIds: [own.documentId, one.documentId], folder })).status).to.equal(404);
      expect((await move("editor", { documentIds, folder: ABSENT })).status).to.equal(400);
      expect((await move("editor", { documentIds: [], folder })).status).to.equal(400);
      expect((await move("editor", { documentIds })).status).to.equal(400);
      expect((await move("reader", { documentIds, folder: null })).status).to.equal(403);
      expect(await served().rows()).to.deep.equal(before);
    });

    it("several are deleted at once, all or none, and used ones only when that is confirmed", async () => {
      const [one, two] = [await add("gone-1.png", halves), await add("gone-2.txt")];
      await ask("editor", "POST", ARTICLES, { body: { data: { title: "Holds it", cover: one.id } } });
      const documentIds = [one.documentId, two.documentId];
      const remove = (role: string, sent: object) => ask(role, "POST", "/files/actions/delete", { body: sent });
      const before = await state();
      const refused = await remove("editor", { documentIds });
      expect([refused.status, refused.body.error.code]).to.deep.equal([409, "PLINTH_UPLOAD_IN_USE"]);
      expect((await remove("author", { documentIds, force: true })).status).to.equal(404);
      expect((await remove("reader", { documentIds, force: true })).status).to.equal(403);
      expect(await state()).to.deep.equal(before);
      expect((await remove("editor", { documentIds, force: true })).status).to.equal(204);
      expect(
        served()
          .stored()
          .filter((name) => /gone_/.test(name)),
      ).to.deep.equal([]);
      for (const documentId of documentIds)
        expect((await ask("editor", "GET", `/files/${documentId}`)).status).to.equal(404);
    });

    it("nothing is kept of an upload that is cancelled, neither while it is sent nor once all of it was", async () => {
      const before = await state();
      const by = await signIn(served().plinth.app, "editor");
      const send = (content: string | Uint8Array, isWhole: boolean) =>
        new Promise<void>((done) => {
          const edge = "----edge";
          const head = `--${edge}\r\nContent-Disposition: form-data; name="files"; filename="cancelled.png"\r\n\r\n`;
          const body = Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from(`\r\n--${edge}--\r\n`)]);
          const sent = request(`${served().url}/admin/api/files`, {
            method: "POST",
            headers: {
              ...{ ...by, ...BY_SCRIPT, "content-type": `multipart/form-data; boundary=${edge}` },
              "content-length": isWhole ? body.length : body.length + 1000,
            },
          });
          sent.on("error", () => done());
          sent.on("close", () => done());
          sent.end(body);
          // The body is with the server by then; drawing the formats of the picture takes longer.
          setTimeout(() => sent.destroy(), 60);
        });
      const large = await makeImage(3000, 3000, "png", "#123456");
      await send(halves, false);
      await send(large, true);
      for (let tries = 0; tries < 100 && served().temporary().length > 0; tries += 1)
        await new Promise((resolve) => setTimeout(resolve, 50));
      expect(await state()).to.deep.equal(before);
    });
  });
});
