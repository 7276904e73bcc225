import { QUESTIONS } from "./questions.js";
import { ABSENT, type Answered, HIDDEN, type Vault } from "./vault-app.js";

/** Asks everything; answers by question. Times of writing are made the same first: everybody sees them. */
export async function askAll(vault: Vault, token: string): Promise<ReadonlyMap<string, Answered>> {
  await standStill(vault);
  const answers = new Map<string, Answered>();
  for (const question of questionsOf(vault)) answers.set(question, await vault.ask("GET", question, undefined, token));
  return answers;
}

function questionsOf({ kept }: Vault): readonly string[] {
  const ids = [kept.shownNote.documentId, kept.hiddenNote.documentId, ABSENT.documentId];
  const queries = ["", "?populate=*", "?populate=*&locale=fr", "?status=draft", "?status=draft&locale=fr"];
  return [...QUESTIONS, ...ids.flatMap((id) => queries.map((query) => `/api/notes/${id}${query}`))];
}

/** Makes the times of writing the same, which everybody sees. */
export async function standStill({ plinth }: Vault): Promise<void> {
  for (const table of ["notes", "persons"]) {
    const text = `update ${table} set created_at = '2024-01-01', updated_at = '2024-01-01',
      published_at = case when published_at is null then null else timestamp '2024-01-01' end`;
    await plinth.app.db.query({ text, values: [] });
  }
}

/**
 * Other private values, other names and places of hidden documents, other links to and from them.
 *
 * @param inComponents - what changes inside of components: administrators see their private values, but no password
 */
export async function changeWhatIsHidden(
  { manage, kept, plinth }: Vault,
  inComponents: object = { diary: "other", pin: "Other-1" },
): Promise<void> {
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
  await put(`notes/${shownNote.documentId}`, { detail: { id, ...inComponents, person: null, dossier: null } });
  await manage("POST", "/api/persons", { name: HIDDEN.name, rank: 90, notes: [hiddenNote.documentId] });
}

/** Drafts that were never published, drafts that differ from what is published, and French versions. */
export async function changeDraftsAndFrench({ manage, kept, plinth }: Vault): Promise<void> {
  const { shownNote, shownPerson, hiddenPerson } = kept;
  const french = { title: "Zfrench", owner: hiddenPerson.documentId };
  await manage("PUT", `/api/notes/${shownNote.documentId}?locale=fr`, french);
  await manage("POST", "/api/notes?locale=fr", { title: "Zfrench", owner: shownPerson.documentId, rank: 1 });
  const notes = plinth.app.documents("api::note.note");
  const draft = { title: "Zdraft", people: [hiddenPerson.documentId], diary: "draft", rank: 5 };
  await notes.update({ documentId: shownNote.documentId, data: draft });
  await notes.create({ data: { ...draft, owner: shownPerson.documentId } });
}
