import { expect } from "chai";
import { contentApiPlugin } from "../../plugins/content-api/src/index.js";
import { historyPlugin } from "../../plugins/history/src/index.js";
import { eachDatabase } from "../databases.js";
import { ABSENT, ADMIN, type Answered, HIDDEN, READER, serveVault, type Vault, VISITOR } from "./vault/vault-app.js";
import { changeDraftsAndFrench, changeWhatIsHidden } from "./vault/worlds.js";

const LOCALES = ["", "?locale=fr"];

/** All that can be asked of the versions of the notes: the lists, and each version of them, compared with every other. */
async function askHistory(vault: Vault, token: string): Promise<ReadonlyMap<string, Answered>> {
  const answers = new Map<string, Answered>();
  const ask = async (path: string) => {
    const answer = await vault.ask("GET", path, undefined, token);
    answers.set(path, answer);
    return answer;
  };
  const { shownNote, hiddenNote } = vault.kept;
  for (const { documentId } of [shownNote, hiddenNote, ABSENT])
    for (const locale of LOCALES) {
      const path = `/api/notes/${documentId}/history`;
      const { body } = await ask(`${path}${locale}`);
      const ids: readonly string[] = (body.data ?? []).map(({ id }: { id: string }) => id);
      for (const id of ids) await ask(`${path}/${id}${locale}`);
      for (const id of ids)
        for (const to of ["now", ...ids])
          await ask(`${path}/${id}/compare${locale === "" ? "?" : `${locale}&`}to=${to}`);
    }
  return answers;
}

/** What nobody but an administrator may find in an answer. */
const NEEDLES = new RegExp(`${HIDDEN.diary}|${HIDDEN.email}|${HIDDEN.name}|${HIDDEN.rank}|\\$2[aby]\\$`, "i");

eachDatabase((database) => {
  describe("Versions in two worlds that only differ in what is hidden", () => {
    const vault = serveVault(database, { plugins: [contentApiPlugin, historyPlugin] });
    const expectAlike = async (token: string, change: (vault: Vault) => Promise<void>) => {
      const before = await askHistory(vault(), token);
      await change(vault());
      const after = await askHistory(vault(), token);
      expect([...after.keys()]).to.deep.equal([...before.keys()]);
      for (const [question, answer] of before) expect(after.get(question), question).to.deep.equal(answer);
      return before;
    };

    it("are the same, in number as well, where rows, attributes and types are hidden", async () => {
      const { shownNote, hiddenNote } = vault().kept;
      const answers = await expectAlike(VISITOR, changeWhatIsHidden);
      expect(answers.get(`/api/notes/${shownNote.documentId}/history`)?.body.data).to.have.length(1);
      const absent = answers.get(`/api/notes/${ABSENT.documentId}/history`);
      expect(answers.get(`/api/notes/${hiddenNote.documentId}/history`)).to.deep.equal(absent);
      for (const [question, { body }] of answers) expect(JSON.stringify(body), question).to.not.match(NEEDLES);
    });

    it("are the same where drafts and another locale are hidden", async () => {
      const answers = await expectAlike(READER, changeDraftsAndFrench);
      expect([...answers.values()].every(({ status }) => status === 404)).to.equal(true);
    });

    it("are told apart by an administrator", async () => {
      const { documentId } = vault().kept.shownNote;
      const { body } = await vault().ask("GET", `/api/notes/${documentId}/history`, undefined, ADMIN);
      expect(body.data.length).to.be.greaterThan(1);
    });

    it("of a document that is gone are those of none for who sees some rows only", async () => {
      const made = await vault().manage("POST", "/api/notes", { title: "Gone", rank: 1 });
      const path = `/api/notes/${made.documentId}/history`;
      expect((await vault().ask("GET", path)).status).to.equal(200);
      await vault().plinth.app.documents("api::note.note").delete({ documentId: made.documentId });
      const absent = await vault().ask("GET", `/api/notes/${ABSENT.documentId}/history`);
      expect(await vault().ask("GET", path)).to.deep.equal(absent);
      expect((await vault().ask("GET", path, undefined, ADMIN)).body.data.length).to.be.greaterThan(1);
    });
  });
});
