import { expect } from "chai";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { events, eventsPlugin } from "@plinth/plugin-events";
import { graphqlPlugin } from "@plinth/plugin-graphql";
import { eventually } from "../core/database/driver/note-app.js";
import { eitherDatabase } from "../databases.js";
import { type OpenedEvents, openEvents } from "../plugins/live/open-events.js";
import { ADMIN, READER, serveVault, type Vault, VISITOR } from "./vault/vault-app.js";

/** Finds all notes that are published, and no drafts. */
const PUBLICIST = "publicist";
const STREAM = "plugin::events.event.find";

/** What a client can tell: all but ids, which are other ones each time, and the time. */
const toldBy = ({ events: all, text }: OpenedEvents) => ({
  told: all.map(({ event, data }) => ({ event, ...JSON.parse(data), at: "then" })),
  lengths: text()
    .split("\n\n")
    .flatMap((block) => (block.includes("data:") ? [block.length] : [])),
});
const lastIdOf = (stream: OpenedEvents) => [...stream.text().matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? "";

eitherDatabase(import.meta.url, (database) => {
  /** Beside what surfaces.test.ts asks: how long the answers are, to who is connected as well; what was deleted; events that code publishes. */
  describe("The stream of events says no more than a read", () => {
    const vault = serveVault(database, {
      plugins: [contentApiPlugin, graphqlPlugin, eventsPlugin],
      pluginConfigs: { events: { streamTypes: ["vault.*"] } },
      config: {
        log: { level: "silent" },
        server: { port: 0 },
        i18n: { defaultLocale: "en", locales: ["en", "fr"] },
        database: database.config(),
        access: { tokens: { [ADMIN]: "all", [PUBLICIST]: [STREAM, "api::note.note.find"] } },
      },
    });
    const open: OpenedEvents[] = [];
    afterEach("close streams", () => {
      for (const stream of open.splice(0)) stream.close();
    });
    const listen = async (token: string, lastEventId?: string) => {
      const headers = { authorization: `Bearer ${token}`, ...(lastEventId ? { "last-event-id": lastEventId } : {}) };
      const stream = await openEvents(`${vault().url}/api/events/stream`, { headers });
      open.push(stream);
      await eventually(async () => expect(lastIdOf(stream)).to.not.equal(""));
      return stream;
    };
    let rank = 1;
    /** What everybody here may see happens to one note; the stream has come so far when that is there. */
    const showAll = async ({ manage, kept }: Vault, streams: readonly OpenedEvents[]) => {
      const { documentId } = kept.shownNote;
      const before = streams.map(({ events: { length } }) => length);
      rank += 1;
      await manage("PUT", `/api/notes/${documentId}`, { title: "Alpha", rank });
      const isIt = ({ data }: { readonly data: string }) => data.includes("entry.publish") && data.includes(documentId);
      await eventually(async () => {
        for (const [index, { events: all }] of streams.entries())
          expect(all.slice(before[index]).some(isIt)).to.equal(true);
      }, 30_000);
    };
    /** What a caller is told while something happens, and afterwards what is shown; once on, and once when it comes back. */
    const worlds = async (token: string, hide: (vault: Vault) => Promise<void>) => {
      const answers = [];
      for (const change of [async () => undefined, hide]) {
        const on = await listen(token);
        const place = lastIdOf(on);
        await change(vault());
        await showAll(vault(), [on]);
        const back = await listen(token, place);
        await eventually(async () => expect(back.events.length).to.equal(on.events.length));
        answers.push([toldBy(on), toldBy(back)]);
      }
      const [without, within] = answers;
      expect(within).to.deep.equal(without);
      return within?.[0]?.told ?? [];
    };
    const remove = ({ ask }: Vault, path: string) => ask("DELETE", path, undefined, ADMIN);
    const publishOwn = async ({ plinth }: Vault, uid: string, documentId: string) =>
      await plinth.app.service(events).publish("vault.opened", { uid, documentId }, { secret: "needle" });

    it("of rows that rules hide, of types that nobody may find, and of what was deleted there", async () => {
      const told = await worlds(VISITOR, async (world) => {
        const { manage, kept } = world;
        const made = await manage("POST", "/api/dossiers", { name: "New" });
        await remove(world, `/api/dossiers/${made.documentId}`);
        const note = await manage("POST", "/api/notes", { title: "Hidden", rank: 99 });
        await publishOwn(world, "api::note.note", note.documentId);
        await publishOwn(world, "api::dossier.dossier", kept.dossier.documentId);
        await world.ask("POST", `/api/notes/${note.documentId}/actions/unpublish`, undefined, ADMIN);
        await remove(world, `/api/notes/${note.documentId}`);
        const person = await manage("POST", "/api/persons", { name: "Needle", rank: 99 });
        await remove(world, `/api/persons/${person.documentId}`);
      });
      expect(told.length).to.be.greaterThan(0);
      expect(JSON.stringify(told)).to.not.match(/needle|dossier|origin|data"/i);
    });

    it("of drafts and of other locales", async () => {
      const told = await worlds(READER, async (world) => {
        const { manage, kept } = world;
        const path = `/api/notes/${kept.shownNote.documentId}`;
        await manage("PUT", `${path}?status=draft`, { title: "A draft" });
        await manage("PUT", `${path}?locale=fr`, { title: "Caché" });
        await remove(world, `${path}?locale=fr`);
        const draft = await manage("POST", "/api/notes?status=draft", { title: "Another draft", rank: 1 });
        await publishOwn(world, "api::note.note", draft.documentId);
        await remove(world, `/api/notes/${draft.documentId}`);
      });
      expect(told.map(({ type, locales }) => [type, locales])).to.deep.equal([["entry.publish", ["en"]]]);
    });

    it("of drafts that were deleted, and in which locales there were some", async () => {
      const told = await worlds(PUBLICIST, async (world) => {
        const draft = await world.manage("POST", "/api/notes?status=draft", { title: "Never published", rank: 1 });
        await world.manage("PUT", `/api/notes/${draft.documentId}?status=draft&locale=fr`, { title: "Jamais" });
        await remove(world, `/api/notes/${draft.documentId}`);
      });
      expect(told).to.have.length(1);
      const stream = await listen(PUBLICIST);
      const note = await vault().manage("POST", "/api/notes", { title: "Public", rank: 1 });
      await vault().manage("PUT", `/api/notes/${note.documentId}?status=draft&locale=fr`, { title: "Pas encore" });
      await vault().plinth.app.documents("api::note.note").delete({ documentId: note.documentId, locale: "*" });
      await showAll(vault(), [stream]);
      const gone = toldBy(stream).told.filter(
        ({ documentId, type }) => documentId === note.documentId && type === "entry.delete",
      );
      expect(gone.map(({ type, locales }) => [type, locales])).to.deep.equal([["entry.delete", ["en"]]]);
    });

    it("but all of it to who may read all", async () => {
      const stream = await listen(ADMIN);
      const { manage, kept } = vault();
      await manage("PUT", `/api/dossiers/${kept.dossier.documentId}`, { name: "Told" });
      await manage("PUT", `/api/notes/${kept.hiddenNote.documentId}?status=draft&locale=fr`, { title: "Dit" });
      await showAll(vault(), [stream]);
      const told = toldBy(stream).told.map(({ uid, type, locales }) => [uid, type, locales]);
      expect(told.slice(0, 2)).to.deep.equal([
        ["api::dossier.dossier", "entry.update", []],
        ["api::note.note", "entry.create", ["fr"]],
      ]);
    });
  });
});
