import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { makeImage } from "./sample-files.js";
import { serveUploads } from "./serve-uploads.js";

const DESTROY = "plugin::upload.content-api.destroy";

describe("Files over GraphQL", () => {
  eitherDatabase(import.meta.url, (database) => {
    const uploads = serveUploads(database, {
      upload: { onDeleteInUse: "refuse" },
      grants: { watching: ["plugin::upload.file.find", "plugin::upload.file.findOne"], cleaning: [DESTROY] },
    });

    const send = async (query: string, token?: string) =>
      (await uploads().ask("POST", "/graphql", { body: { query }, ...(token === undefined ? {} : { token }) })).body;
    const add = async (name: string, info: object = {}) => {
      const fields = [["fileInfo", JSON.stringify(info)]] as const;
      const content = await makeImage(300, 300, "png");
      return (await uploads().send([{ name, content }], { fields })).body[0];
    };
    const read = async (id: number) => (await uploads().ask("GET", `/api/upload/files/${id}`)).body;

    it("are described again by row id or documentId; what is left out stays and null clears", async () => {
      const { id, documentId } = await add("a.png", { caption: "first", alternativeText: "words" });
      const folder = (await uploads().ask("POST", "/api/upload/folders", { body: { data: { name: "Ships" } } })).body;
      const update = (key: string | number, info: string) =>
        send(`mutation { updateUploadFile(id: "${key}", info: ${info}) { documentId name caption alternativeText } }`);
      expect((await update(id, '{ name: "b.png", caption: null }')).data.updateUploadFile).to.deep.equal({
        documentId,
        name: "b.png",
        caption: null,
        alternativeText: "words",
      });
      const info = `{ focalPoint: { x: 30, y: 50 }, folder: "${folder.data.documentId}" }`;
      expect((await update(documentId, info)).errors).to.equal(undefined);
      expect(await read(id)).to.include({ name: "b.png", caption: null });
      expect((await read(id)).focalPoint).to.deep.equal({ x: 30, y: 50 });
      const shown = await uploads().ask("GET", `/api/upload/folders/${folder.data.documentId}?populate=files`);
      expect(shown.body.data.files.map((file: { documentId: string }) => file.documentId)).to.deep.equal([documentId]);
    });

    it("that nobody has are not found", async () => {
      const updated = await send('mutation { updateUploadFile(id: "999999", info: { name: "b" }) { name } }');
      expect(updated.data).to.equal(null);
      expect(updated.errors[0].extensions.code).to.equal("STRAPI_NOT_FOUND_ERROR");
      for (const id of ["999999", "nothing"]) {
        const deleted = await send(`mutation { deleteUploadFile(id: "${id}") { name } }`);
        expect(deleted.data).to.deep.equal({ deleteUploadFile: null });
        expect(deleted.errors[0].extensions.code).to.equal("STRAPI_NOT_FOUND_ERROR");
      }
    });

    it("are deleted together with their formats", async () => {
      const before = uploads().stored();
      const { documentId, id } = await add("c.png");
      expect(uploads().stored()).to.have.length(before.length + 2);
      const { data } = await send(`mutation { deleteUploadFile(id: "${documentId}") { documentId name formats } }`);
      expect(data.deleteUploadFile).to.include({ documentId, name: "c.png" });
      expect(data.deleteUploadFile.formats).to.have.property("thumbnail");
      expect(uploads().stored()).to.deep.equal(before);
      expect((await read(id)).error.status).to.equal(404);
    });

    it("that documents use are deleted by force only, where REST refuses it", async () => {
      const { id } = await add("d.png");
      await uploads().ask("POST", "/api/authors", { body: { data: { name: "Ada", avatar: id } } });
      const refused = await send(`mutation { deleteUploadFile(id: "${id}") { name } }`);
      expect(refused.errors[0].message).to.include("1 place(s) use this file");
      expect((await read(id)).name).to.equal("d.png");
      const { data } = await send(`mutation { deleteUploadFile(id: "${id}", force: true) { name } }`);
      expect(data).to.deep.equal({ deleteUploadFile: { name: "d.png" } });
    });

    it("are changed and deleted by those who may do it over REST, and nobody else", async () => {
      const { id } = await add("e.png");
      const update = `mutation { updateUploadFile(id: "${id}", info: { name: "x" }) { documentId } }`;
      const remove = `mutation { deleteUploadFile(id: "${id}") { documentId } }`;
      for (const [query, token] of [
        [update, ""],
        [update, "watching"],
        [update, "cleaning"],
        [remove, ""],
        [remove, "watching"],
      ] as const) {
        expect((await send(query, token)).errors[0].extensions.code, `${token}: ${query}`).to.equal("FORBIDDEN");
      }
      expect((await read(id)).name).to.equal("e.png");
      await send(remove, "cleaning");
      expect((await read(id)).error.status).to.equal(404);
    });

    it("have no folders in the schema, and are made over REST", async () => {
      const { data } = await send("{ __schema { types { name } mutationType { fields { name } } } }");
      const names = [...data.__schema.types, ...data.__schema.mutationType.fields].map(({ name }) => name);
      expect(names).to.include.members(["UploadFile", "FileInfoInput", "updateUploadFile", "deleteUploadFile"]);
      expect(names).not.to.include.members(["createUploadFile"]);
      expect(names.filter((name: string) => name.includes("Folder"))).to.deep.equal([]);
    });
  });
});
