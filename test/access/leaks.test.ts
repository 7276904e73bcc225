import { expect } from "chai";
import { eitherDatabase } from "../databases.js";
import { fingerprint } from "../plugins/content-api/hostile-requests.js";
import { filterProbes, type Hidden, type Pair, populateProbes, sortProbes } from "./vault/probes.js";
import { ABSENT, ADMIN, HIDDEN, serveVault, type Vault } from "./vault/vault-app.js";

const LISTS = ["/api/notes", "/api/notes?status=draft", "/api/notes?locale=*", "/api/notes?pagination[limit]=1"];

/** Ways from a note to what nobody may read of it, of people, and of components. */
const HIDDEN_FIELDS: Readonly<Record<string, readonly Hidden[]>> = {
  "a private attribute": [[], ["owner"], ["people"], ["owner", "notes"], ["detail"], ["details"], ["detail", "person"]]
    .map((way) => [...way, "diary"])
    .map((path) => ({ path, matching: HIDDEN.diary, other: ABSENT.text })),
  "a password": [[], ["owner"], ["people"], ["owner", "notes"], ["detail"], ["details", "person"]]
    .map((way) => [...way, "pin"])
    .map((path) => ({ path, matching: "$2", other: ABSENT.text })),
  "an attribute outside of the rule": [
    ...[["rank"], ["owner", "notes", "rank"], ["owner", "rank"]].map((path) => ({ path, matching: 1, other: 77 })),
    ...[
      ["owner", "email"],
      ["people", "email"],
      ["detail", "person", "email"],
    ].map((path) => ({
      path,
      matching: HIDDEN.email,
      other: ABSENT.text,
    })),
  ],
  "a type that may not be found": [["dossier"], ["owner", "dossier"], ["detail", "dossier"], ["details", "dossier"]]
    .flatMap((way) => [way, [...way, "name"], [...way, "id"]])
    .map((path) => ({ path, matching: path.at(-1) === "name" ? HIDDEN.name : 1, other: ABSENT.id })),
  "who wrote it": [["createdBy"], ["updatedBy", "id"], ["owner", "createdBy", "id"], ["detail", "createdBy"]].map(
    (path) => ({ path, matching: 1, other: ABSENT.id }),
  ),
  "a dynamic zone": [
    ["blocks", "diary"],
    ["blocks", "text"],
    ["blocks", "inner", "diary"],
  ].map((path) => ({
    path,
    matching: HIDDEN.diary,
    other: ABSENT.text,
  })),
};

/** Ways from a note to values that the visitor reads of shown documents, and that hidden ones have. */
const HIDDEN_ROWS: readonly Hidden[] = [
  ...[["title"], ["owner", "notes", "title"], ["people", "mentions", "title"]],
  ...[
    ["owner", "name"],
    ["people", "name"],
    ["detail", "person", "name"],
    ["details", "person", "name"],
  ],
  ["owner", "notes", "people", "name"],
].map((path) => ({ path, matching: HIDDEN.name, other: ABSENT.text }));

eitherDatabase(import.meta.url, (database) => {
  describe("Nobody learns by asking", () => {
    const vault = serveVault(database);
    let before: unknown;
    beforeEach("look at the content", async () => {
      before = await fingerprint(vault().plinth);
    });
    afterEach("the content is what it was", async () => {
      expect(await fingerprint(vault().plinth)).to.deep.equal(before);
    });

    for (const [what, ways] of Object.entries(HIDDEN_FIELDS)) {
      it(`${what}: filters, orders and selections are refused, whatever they ask`, async () => {
        for (const way of ways) {
          const fields = `fields=${way.path.at(-1)}`;
          const inside = `populate[${way.path[0]}][fields]=${way.path.at(-1)}`;
          for (const pair of [...filterProbes(way), ...sortProbes(way)])
            await expectAlike(vault(), onLists(pair), pair[0].startsWith("populate") ? undefined : 400);
          for (const pair of populateProbes(way)) await expectAlike(vault(), onLists(pair));
          if (way.path.length === 1) await expectAlike(vault(), onLists([fields, fields]), 400);
          if (way.path.length === 2) await expectAlike(vault(), onLists([inside, inside]));
        }
      });
    }

    it("a document outside of the rule: filters find as much by its values as by none", async () => {
      for (const way of HIDDEN_ROWS) {
        for (const pair of filterProbes(way).filter(isEquality)) await expectAlike(vault(), onLists(pair), 200);
        for (const pair of populateProbes(way).filter(isEquality)) await expectAlike(vault(), onLists(pair));
      }
    });

    it("a document outside of the rule: its ids are those of nobody", async () => {
      const { hiddenPerson, hiddenNote } = vault().kept;
      const targets = [
        ...["owner", "people"].map((name) => [[name], hiddenPerson] as const),
        ...[
          ["detail", "person"],
          ["details", "person"],
        ].map((path) => [path, hiddenPerson] as const),
        ...[
          ["owner", "notes"],
          ["people", "mentions"],
        ].map((path) => [path, hiddenNote] as const),
      ];
      for (const [path, { id, documentId }] of targets) {
        const byId = { path: [...path, "id"], matching: id, other: ABSENT.id };
        const byDocument = { path: [...path, "documentId"], matching: documentId, other: ABSENT.documentId };
        const direct = { path: [...path], matching: documentId, other: ABSENT.documentId };
        for (const way of [byId, byDocument, direct])
          for (const pair of filterProbes(way).filter(isIdEquality)) await expectAlike(vault(), onLists(pair), 200);
      }
      await expectAlike(vault(), [[`/api/notes/${hiddenNote.documentId}`, `/api/notes/${ABSENT.documentId}`]], 404);
    });

    it("by the query of a write: it is refused before anything is written", async () => {
      const own = `/api/notes/${vault().kept.shownNote.documentId}`;
      for (const way of Object.values(HIDDEN_FIELDS).flat()) {
        for (const pair of [...filterProbes(way).slice(0, 3), ...sortProbes(way).slice(0, 2)])
          for (const query of pair) {
            const answers = [
              await vault().ask("PUT", `${own}?${query}`, { title: "Never" }),
              await vault().ask("POST", `/api/notes?status=draft&${query}`, { title: "Never" }),
            ];
            expect(
              answers.map(({ status }) => status),
              query,
            ).to.deep.equal([400, 400]);
          }
      }
    });

    it("though somebody who may see everything is told by the same questions", async () => {
      for (const way of HIDDEN_ROWS) {
        const [matching, other] = filterProbes(way)[0] ?? ["", ""];
        const ask = (query: string) => vault().ask("GET", `/api/notes?${query}`, undefined, ADMIN);
        expect((await ask(matching)).body.data, matching).to.not.deep.equal([]);
        expect((await ask(other)).body.data, other).to.deep.equal([]);
      }
    });

    it("by searching: hidden attributes and documents are not looked through", async () => {
      for (const value of [HIDDEN.diary, HIDDEN.email, HIDDEN.name, String(HIDDEN.rank), "$2"])
        await expectAlike(vault(), onLists([`_q=${encodeURIComponent(value)}`, `_q=${ABSENT.text}`]), 200);
    });

    it("by counts and totals: what is hidden is not counted", async () => {
      const { body } = await vault().ask("GET", "/api/notes?populate[people][count]=true&populate[owner]=true");
      expect(body.meta.pagination.total).to.equal(2);
      expect(body.data.map((note: { people: object }) => note.people)).to.deep.equal([{ count: 1 }, { count: 1 }]);
      const owners = body.data.map(({ owner }: { owner: { name: string } | null }) => owner?.name ?? null);
      expect(owners).to.deep.equal(["Ada", null]);
      const deep = await vault().ask("GET", "/api/notes?populate[owner][populate][notes][count]=true");
      expect(deep.body.data[0].owner.notes).to.deep.equal({ count: 1 });
    });

    it("by the names that reach a query builder elsewhere, and by columns of its tables", async () => {
      const names = ["where", "lookup", "params", "select", "having", "groupBy"];
      const columns = [
        "t0.pin",
        "t1.pin",
        "notes.pin",
        "t1.password",
        "owner.t1.pin",
        "owner_id",
        "created_by_id",
        "t0",
      ];
      const queries = [
        ...names.flatMap((name) => [`${name}=pin`, `${name}[pin][$startsWith]=$2`, `${name}[]=pin`]),
        ...names.flatMap((name) => [
          `populate[owner][${name}][pin]=x`,
          `filters[${name}][pin]=x`,
          `filters[owner][${name}]=x`,
        ]),
        ...columns.flatMap((name) => [`filters[${name}]=x`, `filters[owner][${name}]=x`, `filters[$or][0][${name}]=x`]),
        ...columns.flatMap((name) => [
          `sort=${name}`,
          `fields=${name}`,
          `populate=${name}`,
          `populate[owner][sort]=${name}`,
        ]),
        ...columns.flatMap((name) => [`populate[owner][fields]=${name}`, `populate[owner][filters][${name}]=x`]),
      ];
      for (const query of queries) await expectAlike(vault(), onLists([query, query]), 400);
    });
  });
});

function onLists([matching, other]: Pair): Pair[] {
  return LISTS.map((list) => [join(list, matching), join(list, other)]);
}

function join(path: string, query: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}${query}`;
}

/** Comparisons in which two values that nobody has are alike. */
function isEquality([query]: Pair): boolean {
  return !/\$(lt|gte|between)/.test(query);
}

/** Those that every way to name a document takes. */
function isIdEquality(pair: Pair): boolean {
  return isEquality(pair) && !/\$(startsWith|contains|containsi|notContains|endsWithi|eqi)\]/.test(pair[0]);
}

/** Both questions of each pair have one answer; with a status, that one. */
async function expectAlike(vault: Vault, pairs: readonly Pair[], status?: number): Promise<void> {
  for (const [matching, other] of pairs) {
    const [first, second] = await Promise.all([vault.ask("GET", matching), vault.ask("GET", other)]);
    expect(second, `${matching} against ${other}`).to.deep.equal(first);
    if (status) expect(first.status, `${matching}: ${JSON.stringify(first.body).slice(0, 200)}`).to.equal(status);
    else expect(first.status, matching).to.be.oneOf([200, 400]);
  }
}
