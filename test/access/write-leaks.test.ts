import { expect } from "chai";
import { eitherDatabase } from "../databases.js";
import { fingerprint } from "../plugins/content-api/hostile-requests.js";
import { ABSENT, HIDDEN, serveVault, type Vault } from "./vault/vault-app.js";

/** One target by each way to name it. */
interface Target {
  readonly id: number;
  readonly documentId: string;
}

/** The ways to name a target in a write; `at` is a target that the visitor sees. */
const WRITES: Readonly<Record<string, (target: Target, at: Target) => object>> = {
  "a document id": ({ documentId }) => ({ people: [documentId] }),
  "a row id": ({ id }) => ({ people: [id] }),
  "an object with a document id": ({ documentId }) => ({ people: [{ documentId }] }),
  "an object with a row id": ({ id }) => ({ people: [{ id }] }),
  set: ({ documentId }) => ({ people: { set: [{ documentId }] } }),
  "set by row id": ({ id }) => ({ people: { set: [id] } }),
  connect: ({ documentId }) => ({ people: { connect: [documentId] } }),
  "connect by row id": ({ id }) => ({ people: { connect: [{ id }] } }),
  "connect beside one that is seen": (target, at) => ({ people: { connect: [at.documentId, target.documentId] } }),
  "a relation to one": ({ documentId }) => ({ owner: documentId }),
  "a relation to one by row id": ({ id }) => ({ owner: id }),
  "connect to one": ({ id }) => ({ owner: { connect: [{ id }] } }),
  "inside a component": ({ documentId }) => ({ detail: { text: "x", person: documentId } }),
  "inside a repeatable component": ({ id }) => ({ details: [{ text: "x", person: { set: [{ id }] } }] }),
  "inside a dynamic zone": ({ id }) => ({ blocks: [{ __component: "shared.detail", person: id }] }),
  "deep inside a dynamic zone": ({ documentId }) => ({
    blocks: [{ __component: "shared.outer", inner: { person: { connect: [documentId] } } }],
  }),
  ...Object.fromEntries(
    ["before", "after"].flatMap((side) => [
      [
        `the position ${side} a document id`,
        ({ documentId }: Target, at: Target) => ({
          people: { connect: [{ documentId: at.documentId, position: { [side]: documentId } }] },
        }),
      ],
      [
        `the position ${side} a row id`,
        ({ id }: Target, at: Target) => ({ people: { connect: [{ id: at.id, position: { [side]: id } }] } }),
      ],
    ]),
  ),
};

const SECRET_KEYS: readonly (readonly [data: object, other: object])[] = [
  [{ diary: HIDDEN.diary }, { diary: ABSENT.text }],
  [{ rank: 1 }, { rank: 77 }],
  [{ createdBy: 1 }, { createdBy: ABSENT.id }],
  [{ updatedBy: { id: 1 } }, { updatedBy: { id: ABSENT.id } }],
  [{ publisher: 1 }, { publisher: 2 }],
  [{ owner_id: 1 }, { owner_id: ABSENT.id }],
  [{ id: 1 }, { id: ABSENT.id }],
];

eitherDatabase(import.meta.url, (database) => {
  describe("Nobody learns by writing", () => {
    const vault = serveVault(database);
    const own = () => `/api/notes/${vault().kept.shownNote.documentId}`;

    for (const [what, write] of Object.entries(WRITES)) {
      it(`${what} of a hidden document is answered as one of none, and changes nothing`, async () => {
        const { shownPerson, hiddenPerson } = vault().kept;
        for (const [method, path] of writesTo(own())) {
          const before = await fingerprint(vault().plinth);
          const hidden = await vault().ask(method, path, write(hiddenPerson, shownPerson));
          const absent = await vault().ask(method, path, write(ABSENT_TARGET, shownPerson));
          expect(hidden.status, JSON.stringify(hidden.body)).to.equal(400);
          expect(named(hidden, hiddenPerson)).to.equal(named(absent, ABSENT_TARGET));
          expect(await fingerprint(vault().plinth)).to.deep.equal(before);
        }
      });
    }

    it("a relation to what may not be found is refused, at the root and in components, whatever is named", async () => {
      const { dossier } = vault().kept;
      const forms = (value: unknown) => [
        { dossier: value },
        { dossier: { connect: [value] } },
        { dossier: { disconnect: [value] } },
        { detail: { text: "x", dossier: value } },
        { details: [{ dossier: value }] },
        { blocks: [{ __component: "shared.detail", dossier: value }] },
        { blocks: [{ __component: "shared.outer", inner: { dossier: value } }] },
      ];
      const [byId, byDocument] = [forms(dossier.id), forms(dossier.documentId)];
      for (const [index, data] of forms(ABSENT.documentId).entries())
        await expectRefused(vault(), own(), [data, byId[index], byDocument[index], forms(null)[index]]);
    });

    it("keys that nobody may write are refused, whatever their value", async () => {
      for (const pair of SECRET_KEYS) await expectRefused(vault(), own(), pair);
    });

    it("a hidden document is written to like one that is not there", async () => {
      const before = await fingerprint(vault().plinth);
      const { hiddenNote } = vault().kept;
      for (const query of ["", "?status=draft", "?locale=fr", "?status=draft&locale=fr", "?populate=*"]) {
        const hidden = await vault().ask("PUT", `/api/notes/${hiddenNote.documentId}${query}`, { title: "T" });
        expect(hidden, query).to.deep.equal(
          await vault().ask("PUT", `/api/notes/${ABSENT.documentId}${query}`, { title: "T" }),
        );
        expect(hidden.status, query).to.equal(404);
      }
      for (const type of ["notes", "persons", "dossiers"]) {
        const answer = await vault().ask("DELETE", `/api/${type}/${hiddenNote.documentId}`);
        expect(answer.status).to.equal(403);
        expect(await vault().ask("DELETE", `/api/${type}/${ABSENT.documentId}`)).to.deep.equal(answer);
      }
      expect(await fingerprint(vault().plinth)).to.deep.equal(before);
    });

    it("the id of a hidden document's component is that of none", async () => {
      const { plinth, kept } = vault();
      const { documentId } = kept.hiddenNote;
      const populate = ["detail", "details"];
      const note = await plinth.app.documents("api::note.note").findOne({ documentId, populate });
      const [id, listed] = [note?.["detail"], note?.["details"]]
        .map((part) => [part].flat()[0] as { id: number })
        .map((part) => part.id);
      for (const [data, other] of [
        [{ detail: { id, text: "x" } }, { detail: { id: ABSENT.id, text: "x" } }],
        [{ details: [{ id: listed, text: "x" }] }, { details: [{ id: ABSENT.id, text: "x" }] }],
      ] as const) {
        const before = await fingerprint(plinth);
        const [hidden, absent] = [await vault().ask("PUT", own(), data), await vault().ask("PUT", own(), other)];
        expect(hidden.status, JSON.stringify(hidden.body)).to.equal(400);
        expect(named(hidden, { id: id ?? 0, documentId })).to.equal(named(absent, ABSENT_TARGET));
        expect(await fingerprint(plinth)).to.deep.equal(before);
      }
    });

    it("disconnecting a hidden document is answered like disconnecting one that is not there", async () => {
      const { hiddenPerson, shownPerson } = vault().kept;
      const first = await vault().ask("PUT", `${own()}?populate=people`, {
        people: { connect: [shownPerson.documentId] },
      });
      expect(first.body.data.people.map(({ name }: { name: string }) => name)).to.deep.equal(["Ada"]);
      const [hidden, absent] = [
        await vault().ask("PUT", own(), { people: { disconnect: [hiddenPerson.documentId] } }),
        await vault().ask("PUT", own(), { people: { disconnect: [ABSENT.documentId] } }),
      ];
      expect(named(hidden, hiddenPerson)).to.equal(named(absent, ABSENT_TARGET));
    });
  });
});

const ABSENT_TARGET: Target = ABSENT;

function writesTo(path: string): (readonly [method: string, path: string])[] {
  return ["", "?status=draft", "?locale=fr"].flatMap((query) => [
    ["PUT", `${path}${query}`] as const,
    ["POST", `/api/notes${query}`] as const,
  ]);
}

/** An answer as text, without the names of its target and the times of writing. */
function named(answer: { status: number; body: unknown }, { id, documentId }: Target): string {
  return JSON.stringify(answer)
    .replaceAll(documentId, "<target>")
    .replace(/"updatedAt":"[^"]*"|"publishedAt":"[^"]*"/g, "<time>")
    .replace(new RegExp(`\\b${id}\\b`, "g"), "<target>");
}

/** All bodies are refused in the same words, and nothing is changed. */
async function expectRefused(vault: Vault, path: string, bodies: readonly (object | undefined)[]): Promise<void> {
  for (const [method, target] of writesTo(path)) {
    const before = await fingerprint(vault.plinth);
    const answers = [];
    for (const data of bodies) answers.push(await vault.ask(method, target, data));
    for (const answer of answers) {
      expect(answer.status, `${JSON.stringify(bodies)} ${JSON.stringify(answer.body)}`).to.equal(400);
      expect(answer, JSON.stringify(bodies)).to.deep.equal(answers[0]);
    }
    expect(await fingerprint(vault.plinth)).to.deep.equal(before);
  }
}
