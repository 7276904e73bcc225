import { livePlugin } from "@plinth/plugin-live";
import { expect } from "chai";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { graphqlPlugin } from "@plinth/plugin-graphql";
import { eitherDatabase } from "../databases.js";
import { openEvents, type ReadEvent } from "../plugins/live/open-events.js";
import { QUESTIONS } from "./vault/questions.js";
import { ADMIN, serveVault, type Vault, VISITOR } from "./vault/vault-app.js";
import { changeWhatIsHidden, standStill } from "./vault/worlds.js";

/** Lists; the tag of one document has its version, which every writer of it has to know. */
const LISTS = QUESTIONS.filter((question) => /^\/api\/(notes|persons)(\?|$)/.test(question)).slice(0, 80);

/** Without times of writing, which everybody sees. */
const SHOWN = [
  "/api/notes?fields=title",
  "/api/notes?fields=title&populate[owner][fields]=name&populate[people][fields]=name",
  "/api/notes?fields=title&populate[detail][populate][person][fields]=name",
  "/api/notes?fields=title&pagination[pageSize]=1&sort=owner.name",
  "/api/persons?fields=name&populate[notes][count]=true",
  "/api/persons?fields=name&filters[notes][title][$gt]=B",
];

async function get({ url }: Vault, path: string, token: string, known?: string) {
  const headers = { authorization: `Bearer ${token}`, ...(known ? { "if-none-match": known } : {}) };
  const answer = await fetch(`${url}${path}`, { headers });
  return { status: answer.status, tag: answer.headers.get("etag") ?? "", text: await answer.text() };
}

eitherDatabase(import.meta.url, (database) => {
  describe("Nobody learns by asking again", () => {
    const vault = serveVault(database, {}, { listTags: true });

    it("another caller's tags are those of nobody, unless both see the same", async () => {
      for (const question of LISTS.slice(0, 40)) {
        const [all, own] = [await get(vault(), question, ADMIN), await get(vault(), question, VISITOR)];
        // As each would be asked when the other was there just before.
        await get(vault(), question, ADMIN, all.tag);
        const asked = await get(vault(), question, VISITOR, all.tag);
        expect(asked.status === 304, question).to.equal(all.text === own.text);
        if (asked.status !== 304) expect([asked.text, asked.tag], question).to.deep.equal([own.text, own.tag]);
      }
    });

    it("tags are what they were after everything hidden has changed", async () => {
      await standStill(vault());
      const before = new Map<string, string>();
      for (const question of LISTS) before.set(question, (await get(vault(), question, VISITOR)).tag);
      for (const [question, tag] of before) await get(vault(), question, VISITOR, tag);
      await changeWhatIsHidden(vault());
      await standStill(vault());
      for (const [question, tag] of before) {
        const { status, tag: now } = await get(vault(), question, VISITOR, tag);
        expect([status, now], question).to.deep.equal([304, tag]);
      }
    });
  });
});

eitherDatabase(import.meta.url, (database) => {
  describe("Answers in memory", () => {
    const vault = serveVault(database, {}, { cache: "16mb" });

    it("are alike in two worlds that only differ in what is hidden", async () => {
      await standStill(vault());
      const seen = new Map<string, string>();
      for (const question of LISTS) {
        seen.set(question, (await get(vault(), question, VISITOR)).text);
        await get(vault(), question, ADMIN);
        expect((await get(vault(), question, VISITOR)).text, question).to.equal(seen.get(question));
      }
      await changeWhatIsHidden(vault());
      await standStill(vault());
      for (const [question, text] of seen)
        expect((await get(vault(), question, VISITOR)).text, question).to.equal(text);
    });
  });
});

eitherDatabase(import.meta.url, (database) => {
  describe("Streams", () => {
    const vault = serveVault(database, {
      plugins: [contentApiPlugin, graphqlPlugin, livePlugin],
      pluginConfigs: { live: { interval: 50 } },
    });

    it("have no event of what is hidden, neither its content nor that there was something", async () => {
      const headers = { authorization: `Bearer ${VISITOR}` };
      const streams = await Promise.all(SHOWN.map((path) => openEvents(`${vault().url}${path}`, { headers })));
      const first = await Promise.all(streams.map((stream) => stream.next()));
      await changeWhatIsHidden(vault());
      const { shownPerson, shownNote } = vault().kept;
      await vault().manage("PUT", `/api/persons/${shownPerson.documentId}`, { name: "Adah" });
      await vault().manage("PUT", `/api/notes/${shownNote.documentId}`, { title: "Alphabet" });
      for (const [index, stream] of streams.entries()) {
        const isLast = ({ data }: { data: string }) => data === current;
        const { text: current } = await get(vault(), SHOWN[index] ?? "", VISITOR);
        let event = first[index] as ReadEvent;
        while (!isLast(event)) event = await stream.next();
        expect(stream.events.length, SHOWN[index]).to.be.within(1, 3);
        expect(withoutIds(stream.text())).to.not.match(/needle|other|Zed|Aaa/i);
        stream.close();
      }
    });
  });
});

/** Ids are made by chance, and may say anything. */
const withoutIds = (text: string): string =>
  text.replaceAll(/^id: .*$/gm, "id").replaceAll(/"documentId":"[^"]*"/g, '"documentId"');
