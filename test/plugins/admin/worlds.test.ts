import { expect } from "chai";
import type { Rule } from "@plinth/core";
import type { Grant } from "@plinth/core/access";
import { adminPlugin } from "@plinth/plugin-admin";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { QUESTIONS } from "../../access/vault/questions.js";
import { ABSENT, HIDDEN, serveVault, type Vault } from "../../access/vault/vault-app.js";
import { reader, visitor } from "../../access/vault/vault-model.js";
import { changeDraftsAndFrench, changeWhatIsHidden, standStill } from "../../access/vault/worlds.js";
import { eitherDatabase } from "../../databases.js";
import { signIn } from "./sign-in.js";

const NOTES = "/content/api::note.note";
const PERSONS = "/content/api::person.person";

/** Of a grant for callers of the content API, the one of an administrator, with drafts. */
function withDrafts(grant: Grant): Grant {
  const isFind = (rule: string | Rule): rule is Rule => typeof rule !== "string" && rule.action.endsWith("note.find");
  const drafts = [...grant]
    .filter(isFind)
    .map(({ action, where = {} }) => ({ action: action.replace("find", "findDrafts"), where }));
  const ofThisApp = [...(grant as readonly (string | Rule)[])].filter((rule) => !OF_OTHER_PLUGINS.test(actionOf(rule)));
  return [...ofThisApp, ...drafts];
}

/** Actions of plugins that this app has not. */
const OF_OTHER_PLUGINS = /^plugin::events\.|\.findVersions$/;
const actionOf = (rule: string | Rule): string => (typeof rule === "string" ? rule : rule.action);

/** One request of the page. */
interface Question {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

const get = (path: string): Question => ({ method: "GET", path });

/** What a list and its count are asked, from the questions to the content API; every second one about what is published. */
const LISTINGS: readonly Question[] = QUESTIONS.filter(
  (question) => !/populate|fields=|publicationFilter/.test(question),
).flatMap((question, index) => {
  const [path = "", query = ""] = question.replace("/api/notes", NOTES).replace("/api/persons", PERSONS).split("?");
  const asked = index % 2 === 0 || query.includes("status=") ? query : `${query}&status=published`;
  const counts = /filters|_q/.test(query) ? [get(`${path}/count?${asked}`)] : [];
  return [get(`${path}?${asked}`), ...counts];
});

const WAYS = ["owner", "people", "dossier", "detail.person", "details.person", "detail.dossier"];
const TEXTS = ["", "e", "Needle", "Zed", "Ada", "needle@example.com", ABSENT.documentId];

/** Everything that the page can ask where the answer could depend on what is hidden. */
function questionsOf({ kept }: Vault, own: readonly string[]): readonly Question[] {
  const { shownNote, hiddenNote, shownPerson, hiddenPerson, dossier } = kept;
  const notes = [shownNote, hiddenNote].map(({ documentId }) => documentId).concat(own, ABSENT.documentId);
  const persons = [shownPerson, hiddenPerson].map(({ documentId }) => documentId).concat(ABSENT.documentId);
  const linked = { owner: hiddenPerson.documentId, people: persons, dossier: dossier.documentId };
  const checks = [{ title: HIDDEN.name }, linked, { detail: { person: hiddenPerson.documentId } }, { rank: 5 }];
  return [
    ...LISTINGS,
    ...[get("/working-copies"), get("/model"), get("/boot")],
    ...WAYS.flatMap((way) => TEXTS.map((text) => get(`${NOTES}/relations/${way}?_q=${text}`))),
    ...["notes", "mentions"].flatMap((way) =>
      TEXTS.slice(0, 4).map((text) => get(`${PERSONS}/relations/${way}?_q=${text}`)),
    ),
    ...notes.flatMap((id) => [
      ...["", "?locale=fr", "?status=published", "/uses", "/uses?locale=fr"].map((rest) =>
        get(`${NOTES}/${id}${rest}`),
      ),
      ...WAYS.flatMap((way) => [
        get(`${NOTES}/${id}/relations/${way}`),
        get(`${NOTES}/relations/${way}?without=${id}`),
      ]),
      ...checks.flatMap((data) =>
        ["save", "publish"].map((mode) => ({
          ...{ method: "POST", path: `${NOTES}/check?mode=${mode}` },
          body: { documentId: id, data },
        })),
      ),
    ]),
    ...persons.flatMap((id) => [
      ...["", "/uses", "/relations/notes", "/relations/mentions", "/relations/dossier"].map((rest) =>
        get(`${PERSONS}/${id}${rest}`),
      ),
    ]),
  ];
}

eitherDatabase("postgres", (database) => {
  // Both databases get the same SQL, and a thousand questions take a while: one is enough where there is a server.
  if (database.kind === "pglite" && process.env["TEST_DATABASE_URL"]) return;
  describe("Two worlds that only differ in what is hidden, on the admin page", () => {
    const vault = serveVault(database, {
      plugins: [contentApiPlugin, apiTokensPlugin, adminPlugin],
      pluginConfigs: { admin: { roles: { visitor: withDrafts(visitor), reader: withDrafts(reader) } } },
    });
    const own: string[] = [];

    const send = async (headers: Readonly<Record<string, string>>, { method, path, body }: Question) => {
      const response = await fetch(`${vault().url}/admin/api${path}`, {
        method,
        headers: { ...headers, ...(body ? { "content-type": "application/json" } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = (await response.text()).replaceAll(/"requestId":"[^"]*"/g, "");
      return { status: response.status, text };
    };
    const askAll = async (role: string) => {
      const headers = await signIn(vault().plinth.app, role);
      await standStill(vault());
      const answers = new Map<string, Awaited<ReturnType<typeof send>>>();
      for (const question of questionsOf(vault(), own))
        answers.set(JSON.stringify(question), await send(headers, question));
      return answers;
    };
    const expectAlike = async (role: string, least: number, change: (vault: Vault) => Promise<void>) => {
      const before = await askAll(role);
      await change(vault());
      const after = await askAll(role);
      for (const [question, answer] of before) expect(after.get(question), question).to.deep.equal(answer);
      const wrong = [...before].filter(([, { status }]) => ![200, 400, 403, 404].includes(status));
      expect(wrong).to.deep.equal([]);
      expect([...before.values()].filter(({ status }) => status === 200).length).to.be.above(least);
      return before;
    };

    it("answer a role alike where rows, attributes and types are hidden", async () => {
      await expectAlike("visitor", 200, (changed) => changeWhatIsHidden(changed, { pin: "Other-1" }));
    });

    it("answer a role alike where drafts and another locale are hidden", async () => {
      await expectAlike("reader", 200, changeDraftsAndFrench);
    });

    it("answer an author alike, whatever others write and link", async () => {
      const by = await signIn(vault().plinth.app, "author");
      const data = { title: "Own", owner: vault().kept.shownPerson.documentId, detail: { text: "own" } };
      const made = await send(by, { method: "POST", path: NOTES, body: { data: { title: data.title } } });
      own.push(String(JSON.parse(made.text).data.documentId));
      const before = await expectAlike("author", 200, async ({ manage, kept }) => {
        const { shownNote, hiddenNote } = kept;
        await manage("POST", "/api/persons", { name: "Own reader", mentions: own, notes: own });
        await manage("PUT", `/api/notes/${shownNote.documentId}`, { title: "Own, or not", rank: 8 });
        await manage("PUT", `/api/notes/${hiddenNote.documentId}`, { title: "Own too" });
      });
      expect([...before.values()].filter(({ text }) => /Needle|Alpha|"Ada"/.test(text))).to.deep.equal([]);
      expect([...before.values()].filter(({ text }) => text.includes('"Own"')).length).to.be.above(10);
    });

    it("are told apart by a super administrator", async () => {
      const { text } = await send(await signIn(vault().plinth.app, "super"), get(PERSONS));
      expect(text).to.include("Zed");
    });
  });
});
