import { expect } from "chai";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { historyPlugin } from "@plinth/plugin-history";
import { eitherDatabase } from "../databases.js";
import { ABSENT, ADMIN, PLANNER, serveVault } from "./vault/vault-app.js";

const NOTE = "api::note.note";

eitherDatabase(import.meta.url, (database) => {
  describe("Nobody learns by versions of documents", () => {
    const vault = serveVault(database, { plugins: [contentApiPlugin, historyPlugin] });
    const versionsOf = async (documentId: string): Promise<readonly { readonly id: string }[]> =>
      (await vault().ask("GET", `/api/notes/${documentId}/history`, undefined, ADMIN)).body.data;
    const restore = (documentId: string, version: string, body: object = {}) =>
      vault().ask("POST", `/api/notes/${documentId}/history/${version}/restore`, body, PLANNER);
    /** What is hidden in a note, of all its versions. */
    const hiddenIn = async (documentId: string) =>
      await vault().plinth.app.db.query({
        text: "select rank, diary, pin from notes where document_id = $1 order by id",
        values: [documentId],
      });

    it("of a hidden document: restoring is answered as with none", async () => {
      const { hiddenNote } = vault().kept;
      const [version] = await versionsOf(hiddenNote.documentId);
      const before = await hiddenIn(hiddenNote.documentId);
      for (const body of [{}, { attributes: ["title"] }, { attributes: ["rank"] }]) {
        const found = await restore(hiddenNote.documentId, version?.id ?? "", body);
        expect(found).to.deep.equal(await restore(ABSENT.documentId, version?.id ?? "", body));
        expect(found.status).to.equal(404);
      }
      expect(await hiddenIn(hiddenNote.documentId)).to.deep.equal(before);
    });

    it("restoring a version leaves what is hidden in it as it is", async () => {
      const { shownNote } = vault().kept;
      const path = `/api/notes/${shownNote.documentId}`;
      await vault().ask("PUT", path, { title: "Other", rank: 2, diary: "later" }, ADMIN);
      const before = await hiddenIn(shownNote.documentId);
      const older = (await versionsOf(shownNote.documentId)).at(-1);
      expect((await restore(shownNote.documentId, older?.id ?? "")).status).to.equal(200);
      const { body } = await vault().ask("GET", `${path}?status=draft`, undefined, ADMIN);
      expect(body.data.title).to.equal("Alpha");
      expect(await hiddenIn(shownNote.documentId)).to.deep.equal(before);
    });

    it("an attribute that is hidden is restored as one that is not there", async () => {
      const { shownNote } = vault().kept;
      const [version] = await versionsOf(shownNote.documentId);
      const answers = [];
      for (const name of ["diary", "rank", "pin", "absent"]) {
        const { status, body } = await restore(shownNote.documentId, version?.id ?? "", { attributes: [name] });
        answers.push([status, JSON.stringify(body).replaceAll(name, "?")]);
      }
      for (const answer of answers) expect(answer).to.deep.equal(answers.at(-1));
    });

    it("of a document that is gone are those of none for who sees some rows only", async () => {
      const made = await vault().manage("POST", "/api/notes", { title: "Gone", rank: 1 });
      const path = `/api/notes/${made.documentId}/history`;
      expect((await vault().ask("GET", path)).status).to.equal(200);
      await vault().plinth.app.documents(NOTE).delete({ documentId: made.documentId });
      const absent = await vault().ask("GET", `/api/notes/${ABSENT.documentId}/history`);
      expect(await vault().ask("GET", path)).to.deep.equal(absent);
      expect((await vault().ask("GET", path, undefined, ADMIN)).body.data.length).to.be.greaterThan(1);
    });
  });
});
