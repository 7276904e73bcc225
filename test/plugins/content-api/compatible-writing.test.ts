import { expect } from "chai";
import { serveCorpusTypes } from "../../corpus-app.js";
import { eitherDatabase } from "../../databases.js";

// Writes that a comparison with the reference showed to be answered differently.
describe("Writes that are answered as by the reference", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveCorpusTypes(database);
    const post = async (data: object, query = "") => {
      const { status, body } = await app().request("POST", `/api/articles${query}`, { body: { data } });
      return { status, message: body.error?.message as string | undefined, data: body.data };
    };

    it("a string takes 255 characters, an emoji being one, and a text any number", async () => {
      for (const title of ["x".repeat(255), "😀".repeat(255)]) {
        const { status, data } = await post({ title, summary: null, body: "y".repeat(5_000) });
        expect([status, data?.title]).to.deep.equal([201, title]);
      }
    });

    it("a longer string is refused, in drafts and inside of components as well", async () => {
      const long = "x".repeat(256);
      for (const status of ["", "?status=draft"]) {
        expect((await post({ title: long }, status)).message).to.equal("title must be at most 255 characters");
        const inside = await post({ title: "T", links: [{ label: "a" }, { label: long }] }, status);
        expect([inside.status, inside.message]).to.deep.equal([400, "links[1].label must be at most 255 characters"]);
      }
      expect((await post({ title: "😀".repeat(256) })).status).to.equal(400);
    });
  });
});

describe("A string whose schema says how long it may be", () => {
  eitherDatabase(import.meta.url, (database) => {
    const note = {
      uid: "api::note.note",
      info: { singularName: "note", pluralName: "notes", displayName: "Note" },
      attributes: { short: { type: "string", maxLength: 3 }, long: { type: "string", maxLength: 300 } },
    };
    const app = serveCorpusTypes(database, { schemas: { contentTypes: [note], components: [] } });

    it("is as long as that, which may be more than 255 characters", async () => {
      const write = async (data: object) => (await app().request("POST", "/api/notes", { body: { data } })).status;
      expect(await write({ short: "abc", long: "x".repeat(300) })).to.equal(201);
      expect(await write({ short: "abcd" })).to.equal(400);
      expect(await write({ long: "x".repeat(301) })).to.equal(400);
    });
  });
});
