import { expect } from "chai";
import { eitherDatabase } from "../databases.js";
import { fingerprint } from "../plugins/content-api/hostile-requests.js";
import { sendRequest } from "../send-request.js";
import { filterDocuments, nestedDocuments, selectionDocuments, sortDocuments } from "./vault/graphql-probes.js";
import type { Hidden, Pair } from "./vault/probes.js";
import { ABSENT, ADMIN, HIDDEN, serveVault, type Vault, VISITOR } from "./vault/vault-app.js";

const text = (path: readonly string[], matching: string): Hidden => ({ path, matching, other: ABSENT.text });

/** Ways from a note to what the visitor may not read of it, of people, and of components. */
const HIDDEN_FIELDS: Readonly<Record<string, readonly Hidden[]>> = {
  "a private attribute": [
    [],
    ["owner"],
    ["people"],
    ["owner", "notes"],
    ["detail"],
    ["details"],
    ["detail", "person"],
  ].map((way) => text([...way, "diary"], HIDDEN.diary)),
  "a password": [[], ["owner"], ["people"], ["owner", "notes"], ["detail"], ["details", "person"]].map((way) =>
    text([...way, "pin"], "$2"),
  ),
  "an attribute outside of the rule": [
    ...[["rank"], ["owner", "notes", "rank"], ["owner", "rank"]].map((path) => ({ path, matching: 1, other: 77 })),
    ...[
      ["owner", "email"],
      ["people", "email"],
      ["detail", "person", "email"],
    ].map((path) => text(path, HIDDEN.email)),
  ],
  "a type that may not be found": [
    ["dossier"],
    ["owner", "dossier"],
    ["detail", "dossier"],
    ["details", "dossier"],
  ].map((way) => text([...way, "name"], HIDDEN.name)),
  "who wrote it": [["createdBy"], ["updatedBy"], ["owner", "createdBy"]].map((way) => ({
    path: [...way, "id"],
    matching: 1,
    other: ABSENT.id,
  })),
  "a dynamic zone": [
    ["blocks", "diary"],
    ["blocks", "text"],
  ].map((path) => text(path, HIDDEN.diary)),
};

/** Ways from a note to values that the visitor reads of shown documents, and that hidden ones have. */
const HIDDEN_ROWS: readonly Hidden[] = [
  ...[["title"], ["owner", "notes", "title"], ["people", "mentions", "title"], ["owner", "name"], ["people", "name"]],
  ...[
    ["detail", "person", "name"],
    ["details", "person", "name"],
    ["owner", "notes", "people", "name"],
  ],
].map((path) => text(path, HIDDEN.name));

const ZONES = [
  "{ notes { blocks { ... on ComponentSharedDetail { diary } } } }",
  "{ notes { blocks { ... on ComponentSharedDetail { pin } } } }",
  "{ notes { blocks { ... on ComponentSharedDetail { text dossier { name } person { name email dossier { name } } } } } }",
  "{ notes { blocks { ... on ComponentSharedOuter { inner { dossier { name } person { name rank } } } } } }",
  "{ notes { localizations { rank dossier { name } } } }",
];

eitherDatabase(import.meta.url, (database) => {
  describe("Nobody learns by asking in GraphQL", () => {
    const vault = serveVault(database);
    let before: unknown;
    beforeEach("look at the content", async () => {
      before = await fingerprint(vault().plinth);
    });
    afterEach("the content is what it was", async () => {
      expect(await fingerprint(vault().plinth)).to.deep.equal(before);
    });

    for (const [what, ways] of Object.entries(HIDDEN_FIELDS)) {
      it(`${what}: filters and orders are refused, whatever they ask`, async () => {
        for (const way of ways) {
          for (const pair of [...filterDocuments(way), ...sortDocuments(way)])
            for (const answer of await expectAlike(vault(), pair))
              expect(answer.body.errors, pair[0]).to.not.equal(undefined);
          for (const pair of nestedDocuments(way)) await expectAlike(vault(), pair);
        }
      });

      it(`${what}: no selection has its value`, async () => {
        for (const way of ways) for (const document of selectionDocuments(way)) await expectNothing(vault(), document);
      });
    }

    it("no selection in a dynamic zone or another locale has a hidden value", async () => {
      for (const document of ZONES) await expectNothing(vault(), document);
    });

    it("a document outside of the rule: filters find as much by its values as by none", async () => {
      const isPositive = ([matching]: Pair) => !/\b(ne|not|notIn|notContains|lt|gte|or)\b/.test(matching);
      for (const way of HIDDEN_ROWS)
        for (const pair of [...filterDocuments(way), ...nestedDocuments(way)].filter(isPositive))
          await expectAlike(vault(), pair);
    });

    it("a document outside of the rule: its id is that of nobody, for reading and for writing", async () => {
      const { hiddenNote } = vault().kept;
      for (const write of [
        (id: string) => `{ note(documentId: "${id}") { title } }`,
        (id: string) => `mutation { updateNote(documentId: "${id}", data: { title: "Never" }) { title } }`,
        (id: string) => `{ notes(filters: { documentId: { eq: "${id}" } }) { title } }`,
      ])
        await expectAlike(vault(), [write(hiddenNote.documentId), write(ABSENT.documentId)]);
    });

    it("an unknown or forbidden mutation changes nothing", async () => {
      const { shownNote } = vault().kept;
      for (const mutation of [
        `deleteNote(documentId: "${shownNote.documentId}") { documentId }`,
        'createPerson(data: { name: "Never" }) { name }',
        `updateNote(documentId: "${shownNote.documentId}", data: { rank: 1 }) { title }`,
        'createNote(data: { title: "Never", diary: "x" }) { title }',
        'createNote(data: { title: "Never", rank: 99 }) { title }',
      ]) {
        const { body } = await send(vault(), `mutation { ${mutation} }`);
        expect(body.errors, mutation).to.not.equal(undefined);
      }
    });

    it("though somebody who may see everything is told by the same questions", async () => {
      for (const way of HIDDEN_ROWS) {
        const [matching, other] = filterDocuments(way)[0] as Pair;
        expect((await send(vault(), matching, ADMIN)).body.data.notes, matching).to.not.deep.equal([]);
        expect((await send(vault(), other, ADMIN)).body.data.notes, other).to.deep.equal([]);
      }
    });
  });
});

/** Asks both, and expects that nothing but the question itself differs. */
async function expectAlike(vault: Vault, pair: Pair) {
  const answers = await Promise.all(pair.map((document) => send(vault, document)));
  const [matching, other] = answers.map(({ status, body }, index) => [
    status,
    withoutQuestion(body, pair[index] ?? ""),
  ]);
  expect(matching, pair[0]).to.deep.equal(other);
  for (const { body } of answers) expectNoFault(body, pair[0]);
  return answers;
}

/** Values of the question and places in its text, which messages repeat. */
function withoutQuestion(body: object, document: string): string {
  const values = [...document.matchAll(/"([^"]+)"|\b(\d+)\b/g)].flatMap(([, quoted, number]) => quoted ?? number ?? []);
  let shown = JSON.stringify(body).replaceAll(/"(line|column)":\d+/g, "");
  for (const value of values) shown = shown.replaceAll(value, "?");
  return shown;
}

function expectNoFault(
  body: { readonly errors?: readonly { readonly extensions: { readonly code: string } }[] },
  document: string,
) {
  for (const { extensions } of body.errors ?? [])
    expect(extensions.code, document).to.not.equal("INTERNAL_SERVER_ERROR");
}

async function expectNothing(vault: Vault, document: string): Promise<void> {
  const { body } = await send(vault, document);
  expectNoFault(body, document);
  const shown = JSON.stringify(body.data ?? null);
  for (const value of [HIDDEN.diary, HIDDEN.email, HIDDEN.name, HIDDEN.pin, "$2", '"rank":1', `"rank":${HIDDEN.rank}`])
    expect(shown, document).to.not.contain(value);
}

async function send({ url }: Vault, query: string, token = VISITOR) {
  const { status, text: answer } = await sendRequest(`${url}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ query }),
  });
  // A test says what it expects of a body; a wrong guess fails there.
  // biome-ignore lint/suspicious/noExplicitAny: bodies have every form there is
  return { status, body: JSON.parse(answer) as any };
}
