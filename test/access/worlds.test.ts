import { expect } from "chai";
import { eachDatabase } from "../databases.js";
import { ABSENT, HIDDEN, serveVault, type Vault } from "./vault/vault-app.js";

const POPULATED = [
  "*",
  "owner",
  "people",
  "detail.person",
  "details.person",
  "blocks",
  "owner.notes",
  "people.mentions",
];
const ORDERS = [
  "title",
  "owner.name",
  "people.name",
  "detail.person.name",
  "owner.notes.title",
  "people.mentions.title",
];
const CONDITIONS = [
  ...["[owner][$null]=true", "[people][$null]=true", "[owner][notes][$null]=true", "[people][mentions][$notNull]=true"],
  ...["[owner][name][$lt]=M", "[people][name][$gt]=M", "[owner][notes][title][$gt]=M", "[detail][person][name][$lt]=M"],
  ...["[$not][owner][name][$lt]=M", "[$or][0][people][name][$lt]=M", "[owner][id][$gt]=1", "[people][id][$lt]=100"],
  ...["[detail][person][$null]=true", "[details][person][name][$ne]=Ada", "[$not][$not][owner][$notNull]=true"],
  ...[
    "[people][name][$ne]=Ada",
    "[people][name][$notContains]=da",
    "[title][$gt]=B",
    "[owner][notes][people][name][$gt]=M",
  ],
];

/** What can be asked of any list. */
const LISTINGS = [
  ...["populate=*", "fields=*", "pagination[pageSize]=1", "pagination[start]=1", "_q=e", "_q=needle", "_q=1", "_q=Zed"],
  ...["_q=other", "sort=id:desc", "sort=createdAt", "status=draft", "locale=fr", "locale=*&sort=id"],
  ...["modified", "never-published", "published-with-draft"].map((kind) => `publicationFilter=${kind}&status=draft`),
  ...["hasPublishedVersion=true&status=draft", "hasPublishedVersion=false&status=draft"],
];

/** Everything that a visitor can ask of notes and people where the answer could depend on what is hidden. */
const QUESTIONS: readonly string[] = [
  ...["/api/notes", "/api/persons"].flatMap((list) => [list, ...LISTINGS.map((query) => `${list}?${query}`)]),
  ...POPULATED.map((way) => `/api/notes?populate=${way}`),
  ...POPULATED.map((way) => `/api/notes?status=draft&locale=*&populate=${way}`),
  ...["asc", "desc"].flatMap((direction) => ORDERS.map((by) => `/api/notes?sort=${by}:${direction}`)),
  ...["asc", "desc"].flatMap((direction) =>
    ORDERS.map((by) => `/api/notes?pagination[limit]=1&sort=${by}:${direction}`),
  ),
  ...CONDITIONS.map((condition) => `/api/notes?filters${condition}`),
  ...CONDITIONS.map((condition) => `/api/persons?filters[notes]${condition}`),
  ...CONDITIONS.map((condition) => `/api/notes?populate[owner][populate][notes][filters]${condition}`),
  ...["notes", "mentions"].flatMap((name) => [
    ...[`count]=true`, `sort]=title`, `sort]=owner.name:desc`, `filters][title][$gt]=M`, `populate]=*`].map(
      (option) => `/api/persons?populate[${name}][${option}`,
    ),
  ]),
  "/api/notes?populate[people][count]=true",
  "/api/notes?populate[people][sort]=name:desc",
  "/api/notes?populate[blocks][on][shared.detail][populate]=*",
  "/api/notes?populate[blocks][on][shared.outer][populate][inner][populate]=person",
  "/api/notes?populate[localizations]=true",
  "/api/notes?populate[localizations][populate]=owner",
];

eachDatabase((database) => {
  describe("Two worlds that only differ in what is hidden", () => {
    const vault = serveVault(database);

    it("answer every question alike", async () => {
      await standStill(vault());
      const first = await askAll(vault());
      await changeWhatIsHidden(vault());
      await standStill(vault());
      const second = await askAll(vault());
      for (const [index, question] of questionsOf(vault()).entries())
        expect(second[index], question).to.deep.equal(first[index]);
      const refused = QUESTIONS.filter((_, index) => first[index]?.status !== 200);
      expect(refused).to.deep.equal([]);
    });

    it("are told apart by an administrator", async () => {
      const { app } = vault().plinth;
      const found = await app.documents("api::person.person").findMany({ filters: { name: "Zed" } });
      expect(found).to.have.length(1);
    });
  });
});

function questionsOf({ kept }: Vault): readonly string[] {
  const ids = [kept.shownNote.documentId, kept.hiddenNote.documentId, ABSENT.documentId];
  return [...QUESTIONS, ...ids.flatMap((id) => [`/api/notes/${id}`, `/api/notes/${id}?populate=*&locale=fr`])];
}

async function askAll(vault: Vault) {
  const answers = [];
  for (const question of questionsOf(vault)) answers.push(await vault.ask("GET", question));
  return answers;
}

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

/** The times of changes are shown to everybody: they are made the same in both worlds. */
async function standStill({ plinth }: Vault): Promise<void> {
  for (const table of ["notes", "persons"]) {
    const text = `update ${table} set created_at = '2024-01-01', updated_at = '2024-01-01',
      published_at = case when published_at is null then null else timestamp '2024-01-01' end`;
    await plinth.app.db.query({ text, values: [] });
  }
}
