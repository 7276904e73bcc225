import { expect } from "chai";
import type { FolderView, LibraryFile } from "@plinth/plugin-admin";
import { eitherDatabase } from "../../databases.js";
import { BY_SCRIPT, formOf, type LibraryApp, serveLibrary } from "./serve-library.js";

/** An id that no document has. */
const ABSENT = "zzzzzzzzzzzzzzzzzzzzzzzz";

const onFiles = (action: string) => `plugin::upload.file.${action}`;
const onFolders = (action: string) => `plugin::upload.folder.${action}`;
const mine = (action: string) => ({ action, where: { createdBy: { id: "{{user.id}}" } } });

const roles = {
  nobody: [],
  // Sees what they made, and nothing of others.
  own: [
    ...["find", "findOne", "create", "update", "delete"].map((action) => mine(onFiles(action))),
    ...["find", "create", "update", "delete"].map((action) => mine(onFolders(action))),
  ],
  // Finds all folders, and of the files only their own.
  half: [mine(onFiles("find")), onFolders("find"), onFolders("delete")],
  // Finds all files, and of the folders only their own.
  mixed: [onFiles("find"), mine(onFolders("find"))],
  // Finds no folder.
  flat: [onFiles("find"), onFiles("create"), onFiles("update"), onFolders("delete"), onFolders("create")],
};

eitherDatabase(import.meta.url, (database) => {
  describe("folders of the admin page", () => {
    const served = serveLibrary(database, {}, roles);
    const ask: LibraryApp["as"] = (...request) => served().as(...request);
    const make = async (name: string, parent: string | null = null, role = "editor"): Promise<FolderView> => {
      const { status, body, text } = await ask(role, "POST", "/folders", { body: { name, parent } });
      expect(status, text).to.equal(201);
      return body.data;
    };
    const put = async (name: string, folder: string | null, role = "editor"): Promise<LibraryFile> => {
      const form = formOf({ [name]: name });
      form.append("fileInfo", JSON.stringify({ folder }));
      const { status, body, text } = await ask(role, "POST", "/files", { body: form, headers: BY_SCRIPT });
      expect(status, text).to.equal(201);
      return body.data[0];
    };
    const folders = async (role = "editor"): Promise<readonly FolderView[]> =>
      (await ask(role, "GET", "/folders")).body.data;
    const folder = async (documentId: string, role = "editor") =>
      (await folders(role)).find((known) => known.documentId === documentId);
    const names = async (query: string, role = "editor") =>
      (await ask(role, "GET", `/files?${query}`)).body.data.map(({ name }: LibraryFile) => name);
    const refusal = async (role: string, method: string, path: string, body?: unknown) => {
      const before = await served().rows();
      const answer = await ask(role, method, path, { body });
      expect(await served().rows()).to.deep.equal(before);
      return [answer.status, answer.body.error.code, answer.body.error.message, answer.body.error.details];
    };

    it("are a tree by name, each with the number of its files, and take files that are uploaded into them", async () => {
      const top = await make("Pictures");
      const inner = await make("  Of ships ", top.documentId);
      expect(inner).to.deep.include({ name: "Of ships", parent: top.documentId, files: 0 });
      const file = await put("ship.txt", inner.documentId);
      expect(file.folder).to.deep.equal({ documentId: inner.documentId, name: "Of ships" });
      await put("loose.txt", null);
      const all = await folders();
      expect(all.map(({ name }) => name)).to.deep.equal(["Of ships", "Pictures"]);
      expect(all.map(({ files }) => files)).to.deep.equal([1, 0]);
      expect(await names(`folder=${inner.documentId}`)).to.deep.equal(["ship.txt"]);
      expect(await names(`folder=${top.documentId}`)).to.deep.equal([]);
      expect(await names("folder=top")).to.deep.equal(["loose.txt"]);
      expect(await names("")).to.deep.equal(["loose.txt", "ship.txt"]);
      expect(await names("sort=name:desc")).to.deep.equal(["ship.txt", "loose.txt"]);
      expect(await names(`folder=${ABSENT}`)).to.deep.equal([]);
      expect((await ask("editor", "GET", "/files?folder[a]=b")).status).to.equal(400);
    });

    it("are renamed and moved with what is in them, but never into themselves", async () => {
      const from = await make("From");
      const moved = await make("Moved", from.documentId);
      const deep = await make("Deep", moved.documentId);
      const file = await put("deep.txt", deep.documentId);
      const path = `/folders/${moved.documentId}`;
      const renamed = await ask("editor", "PUT", path, { body: { name: "Renamed", parent: null } });
      expect(renamed.body.data).to.deep.include({ name: "Renamed", parent: null });
      const stored = await served()
        .plinth.app.documents("plugin::upload.file")
        .findOne({ documentId: file.documentId, withPrivate: true });
      expect(stored?.["folderPath"]).to.equal(`/${moved.id}/${deep.id}`);
      for (const parent of [moved.documentId, deep.documentId]) {
        const [status, code, message] = await refusal("editor", "PUT", path, { parent });
        expect([status, code]).to.deep.equal([400, "PLINTH_UPLOAD_FOLDER_REFUSED"]);
        expect(message).to.match(/cannot lie in itself/);
      }
      expect((await refusal("editor", "PUT", path, { name: "From" }))[1]).to.equal("PLINTH_UPLOAD_FOLDER_REFUSED");
      expect((await refusal("editor", "PUT", path, { parent: ABSENT }))[1]).to.equal("PLINTH_UPLOAD_FOLDER_REFUSED");
      expect((await refusal("editor", "PUT", path, { hash: "x" }))[1]).to.equal("PLINTH_UPLOAD_INFO_INVALID");
      expect((await refusal("editor", "PUT", path, { name: "" }))[0]).to.equal(400);
      expect((await refusal("editor", "POST", "/folders", { name: 5 }))[1]).to.equal("PLINTH_UPLOAD_INFO_INVALID");
      expect((await refusal("editor", "POST", "/folders", { name: "New", parent: ABSENT }))[0]).to.equal(400);
      for (const method of ["PUT", "DELETE"])
        expect((await refusal("editor", method, `/folders/${ABSENT}`, { name: "X" })).slice(0, 2)).to.deep.equal([
          404,
          "PLINTH_UPLOAD_FOLDER_NOT_FOUND",
        ]);
    });

    it("go when they are empty, and say what is in them when they are not", async () => {
      const outer = await make("Outer");
      const inner = await make("Inner", outer.documentId);
      const file = await put("kept.txt", outer.documentId);
      const path = `/folders/${outer.documentId}`;
      const [status, code, message, details] = await refusal("editor", "DELETE", path);
      expect([status, code]).to.deep.equal([409, "PLINTH_UPLOAD_FOLDER_NOT_EMPTY"]);
      expect(message).to.include("1 file(s) and 1 folder(s)");
      expect(details).to.deep.equal({ files: 1, folders: 1 });
      await ask("editor", "PUT", `/files/${file.documentId}`, { body: { folder: null } });
      expect((await ask("editor", "DELETE", `/folders/${inner.documentId}`)).status).to.equal(204);
      expect((await ask("editor", "DELETE", path)).status).to.equal(204);
      expect(await folder(outer.documentId)).to.equal(undefined);
    });

    it("are found by authors, who put their own files into them and change no folder", async () => {
      const shared = await make("Shared");
      const own = await put("own.txt", shared.documentId, "author");
      const other = await put("other.txt", shared.documentId);
      expect((await folder(shared.documentId, "author"))?.files).to.equal(2);
      const toTop = { body: { folder: null } };
      expect((await ask("author", "PUT", `/files/${own.documentId}`, toTop)).body.data.folder).to.equal(null);
      expect((await ask("author", "PUT", `/files/${other.documentId}`, toTop)).status).to.equal(404);
      for (const [method, path] of [
        ["POST", "/folders"],
        ["PUT", `/folders/${shared.documentId}`],
        ["DELETE", `/folders/${shared.documentId}`],
      ] as const)
        expect((await refusal("author", method, path, { name: "Mine now" }))[0], method).to.equal(403);
      expect((await refusal("nobody", "GET", "/folders"))[0]).to.equal(403);
    });

    it("show nothing of folders and files that a rule hides, neither in lists nor in counts", async () => {
      const hidden = await make("Hidden secret");
      await put("hidden-secret.txt", hidden.documentId);
      const own = await make("Own", null, "own");
      await put("own-1.txt", own.documentId, "own");
      await put("secret-2.txt", own.documentId);
      const seen = await folders("own");
      expect(seen.map(({ name, files }) => [name, files])).to.deep.equal([["Own", 1]]);
      expect(await names(`folder=${own.documentId}`, "own")).to.deep.equal(["own-1.txt"]);
      expect(await names(`folder=${hidden.documentId}`, "own")).to.deep.equal([]);
      expect((await folder(own.documentId, "half"))?.files).to.equal(0);
      // What is in it is not theirs to see: nothing is said of how much it is.
      const [status, , message, details] = await refusal("half", "DELETE", `/folders/${hidden.documentId}`);
      expect([status, details]).to.deep.equal([409, { files: 0, folders: 0 }]);
      expect(message).to.not.match(/\d/);
      expect((await refusal("own", "DELETE", `/folders/${hidden.documentId}`))[0]).to.equal(404);
      expect((await refusal("own", "PUT", `/folders/${hidden.documentId}`, { name: "Mine" }))[0]).to.equal(404);
      const into = { name: "Into", parent: hidden.documentId };
      expect((await refusal("own", "POST", "/folders", into))[1]).to.equal("PLINTH_UPLOAD_FOLDER_REFUSED");
    });

    it("are not there for who may find none, whose files lie at the top", async () => {
      const unseen = await make("Unseen");
      const file = await put("in-unseen.txt", unseen.documentId);
      const shown = (await ask("flat", "GET", `/files/${file.documentId}`)).body.data;
      expect(shown.folder).to.equal(null);
      expect((await refusal("flat", "GET", "/folders"))[0]).to.equal(403);
      expect((await refusal("flat", "DELETE", `/folders/${unseen.documentId}`))[0]).to.equal(403);
      const body = { folder: unseen.documentId };
      expect((await refusal("flat", "PUT", `/files/${file.documentId}`, body))[1]).to.equal(
        "PLINTH_UPLOAD_INFO_INVALID",
      );
      expect((await ask("flat", "POST", "/folders", { body: { name: "Blind" } })).body.data).to.include({
        // What they may not read they are not told: they get its ids.
        ...{ name: "", parent: null, files: 0 },
      });
      expect(await names("folder=top", "flat")).to.include("in-unseen.txt");
      expect(await names(`folder=${unseen.documentId}`, "flat")).to.deep.equal([]);
      expect(await names("folder=top", "mixed")).to.include("in-unseen.txt");
      expect(await names(`folder=${unseen.documentId}`, "mixed")).to.deep.equal([]);
      expect(await names("folder=top", "own")).to.deep.equal([]);
    });
  });
});
