import { expect } from "chai";
import { eitherDatabase } from "../databases.js";
import { QUESTIONS } from "./vault/questions.js";
import { READER, serveVault, type Vault, VISITOR } from "./vault/vault-app.js";
import { askAll, changeDraftsAndFrench, changeWhatIsHidden } from "./vault/worlds.js";

eitherDatabase(import.meta.url, (database) => {
  describe("Two worlds that only differ in what is hidden", () => {
    const vault = serveVault(database);
    const expectAlike = async (token: string, change: (vault: Vault) => Promise<void>) => {
      const before = await askAll(vault(), token);
      await change(vault());
      const after = await askAll(vault(), token);
      for (const [question, answer] of before) expect(after.get(question), question).to.deep.equal(answer);
      expect(QUESTIONS.filter((question) => before.get(question)?.status !== 200)).to.deep.equal([]);
    };

    it("answer every question alike where rows, attributes and types are hidden", () =>
      expectAlike(VISITOR, changeWhatIsHidden));

    it("answer every question alike where drafts and another locale are hidden", () =>
      expectAlike(READER, changeDraftsAndFrench));

    it("are told apart by an administrator", async () => {
      const { app } = vault().plinth;
      expect(await app.documents("api::person.person").findMany({ filters: { name: "Zed" } })).to.have.length(1);
      expect(await app.documents("api::note.note").findMany({ filters: { title: "Zdraft" } })).to.have.length(2);
    });
  });
});
