import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { serveUploads } from "./serve-uploads.js";

describe("folders of files", () => {
  eitherDatabase(import.meta.url, (database) => {
    const uploads = serveUploads(database);
    const post = async (data: object) => {
      const { status, body } = await uploads().ask("POST", "/api/upload/folders", { body: { data } });
      return { status, data: body.data, error: body.error };
    };
    const make = async (name: string, parent?: string) => {
      const { status, data, error } = await post({ name, ...(parent ? { parent } : {}) });
      expect(status, JSON.stringify(error)).to.equal(201);
      return data;
    };
    const put = (documentId: string, data: object) =>
      uploads().ask("PUT", `/api/upload/folders/${documentId}`, { body: { data } });
    const putInto = (folder: unknown) =>
      uploads().send([{ name: "in.txt", content: "text" }], { fields: [["fileInfo", JSON.stringify({ folder })]] });
    const pathOf = async (id: number) => {
      const file = await uploads()
        .plinth.app.documents("plugin::upload.file")
        .findFirst({
          ...{ filters: { id }, withPrivate: true },
        });
      return file?.["folderPath"];
    };

    it("hold files and folders, and say so", async () => {
      const top = await make("Top");
      const inner = await make("Inner", top.documentId);
      const { status, body } = await putInto(inner.id);
      expect(status).to.equal(201);
      expect(await pathOf(body[0].id)).to.equal(`/${top.id}/${inner.id}`);
      const shown = await uploads().ask(
        "GET",
        `/api/upload/folders/${inner.documentId}?populate[files]=true&populate[parent]=true`,
      );
      expect(shown.body.data.parent.name).to.equal("Top");
      expect(shown.body.data.files.map(({ id }: { id: number }) => id)).to.deep.equal([body[0].id]);
    });

    it("take their files along when they are moved", async () => {
      const [from, to] = [await make("From"), await make("To")];
      const moved = await make("Moved", from.documentId);
      const { body } = await putInto(moved.documentId);
      expect((await put(moved.documentId, { parent: to.documentId })).status).to.equal(200);
      expect(await pathOf(body[0].id)).to.equal(`/${to.id}/${moved.id}`);
      await uploads().ask("POST", `/api/upload?id=${body[0].id}`, { body: { fileInfo: { folder: null } } });
      expect(await pathOf(body[0].id)).to.equal("/");
    });

    it("do not lie in themselves, have names of their own, and go when they are empty", async () => {
      const outer = await make("Outer");
      const inner = await make("Inner", outer.documentId);
      for (const parent of [outer.documentId, inner.documentId]) {
        const { body } = await put(outer.documentId, { parent });
        expect(body.error).to.include({ status: 400, code: "PLINTH_UPLOAD_FOLDER_REFUSED" });
      }
      expect((await post({ name: "Outer" })).error.message).to.include('There is a folder "Outer" here already');
      expect((await uploads().ask("DELETE", `/api/upload/folders/${outer.documentId}`)).status).to.equal(400);
      expect((await uploads().ask("DELETE", `/api/upload/folders/${inner.documentId}`)).status).to.equal(204);
      expect((await uploads().ask("DELETE", `/api/upload/folders/${outer.documentId}`)).status).to.equal(204);
    });

    it("that do not exist take no files, and nothing is stored", async () => {
      const stored = uploads().stored();
      const { body } = await putInto("thereisnosuchfolder00001");
      expect(body.error).to.include({ status: 400, code: "PLINTH_UPLOAD_INFO_INVALID" });
      expect(uploads().stored()).to.deep.equal(stored);
    });
  });
});
