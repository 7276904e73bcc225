import { expect } from "chai";
import { eachDatabase } from "../databases.js";
import { QUESTIONS } from "./vault/questions.js";
import { HIDDEN, READER, serveVault, type Vault, VISITOR } from "./vault/vault-app.js";
import { askAll } from "./vault/worlds.js";

eachDatabase((database) => {
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

/** Other private values, other names and places of hidden documents, other links to and from them. */
async function changeWhatIsHidden({ manage, kept, plinth }: Vault): Promise<void> {
  const { shownNote, hiddenNote, shownPerson, hiddenPerson, dossier } = kept;
  const secrets = { diary: "other", pin: "Other-1" };
  const put = (path: string, data: object) => manage("PUT", `/api/${path}`, data);
  await put(`dossiers/${dossier.documentId}`, { name: "Other" });
  await put(`persons/${shownPerson.documentId}`, { ...secrets, email: "other@example.com", rank: 3, dossier: null });
  await put(`persons/${hiddenPerson.documentId}`, { ...secrets, name: "Zed", rank: 60, dossier: null });
  await put(`notes/${hiddenNote.documentId}`, { ...secrets, title: "Aaa", rank: 70, owner: hiddenPerson.documentId });
  await put(`notes/${hiddenNote.documentId}?locale=fr`, { title: "Aaa", rank: 70 });
  await put(`notes/${shownNote.documentId}`, {
    ...{ ...secrets, rank: 4, dossier: null, people: [shownPerson.documentId] },
  });
  const found = await plinth.app.documents("api::note.note").findFirst({
    ...{ filters: { title: "Alpha" }, populate: ["detail"] },
  });
  const id = (found?.["detail"] as { id: number } | undefined)?.id;
  await put(`notes/${shownNote.documentId}`, { detail: { id, ...secrets, person: null, dossier: null } });
  await manage("POST", "/api/persons", { name: HIDDEN.name, rank: 90, notes: [hiddenNote.documentId] });
}

/** Drafts that were never published, drafts that differ from what is published, and French versions. */
async function changeDraftsAndFrench({ manage, kept, plinth }: Vault): Promise<void> {
  const { shownNote, shownPerson, hiddenPerson } = kept;
  const french = { title: "Zfrench", owner: hiddenPerson.documentId };
  await manage("PUT", `/api/notes/${shownNote.documentId}?locale=fr`, french);
  await manage("POST", "/api/notes?locale=fr", { title: "Zfrench", owner: shownPerson.documentId, rank: 1 });
  const notes = plinth.app.documents("api::note.note");
  const draft = { title: "Zdraft", people: [hiddenPerson.documentId], diary: "draft", rank: 5 };
  await notes.update({ documentId: shownNote.documentId, data: draft });
  await notes.create({ data: { ...draft, owner: shownPerson.documentId } });
}
