import { contentApiPlugin } from "@plinth/plugin-content-api";
import { events } from "@plinth/plugin-events";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { uploadPlugin } from "@plinth/plugin-upload";
import { graphqlPlugin } from "@plinth/plugin-graphql";
import type { TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { tripsOf } from "../../core/database/trips-of.js";
import { eachDatabase } from "../../databases.js";
import { ARTICLE, besideOf, eventsOf, namesOf, NOTE, PAGE, readAll, startEvents, toldBy } from "./events-app.js";

const AT = "2025-03-04T05:06:07.089Z";
const version = (id: number, documentId: string, publishedAt: string | null, locale = "en") => ({
  ...{ id, documentId, locale, publishedAt, createdAt: AT, updatedAt: AT },
  ...{ values: { title: "Imported" }, links: {} },
});

/** What the pages of these tests show, without the ids and the rest of what a file has. */
const shownOf = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, ["__component", "links", "label", "icon", "url", "inner", "title"]));

describe("the outbox of events", () => {
  eachDatabase((database) => {
    let test: TestApp;
    before("start an app", async () => {
      test = await startEvents(database);
    });
    after("stop it", () => test?.stop());
    const told = (work: () => Promise<unknown>) => toldBy(test, work);

    it("has every write over REST, with who did it and where", async () => {
      const client = test.as("all");
      const [made, published] = await told(() => client.post("/api/articles", { data: { title: "a" } }));
      expect(made).to.deep.include({ type: "entry.create", uid: ARTICLE, locales: ["en"] });
      expect(made?.origin).to.deep.include({ transport: "rest", actor: { kind: "token" } });
      expect(made?.origin.requestId).to.be.a("string");
      expect(Date.parse(made?.at ?? "")).to.be.closeTo(Date.now(), 60_000);
      expect(published).to.deep.include({ type: "entry.publish", documentId: made?.documentId });
      expect((published?.id ?? 0) > (made?.id ?? 0)).to.equal(true);
      const path = `/api/articles/${made?.documentId}`;
      const rest = await told(async () => {
        await client.put(path, { data: { title: "b" } }, { query: { status: "draft" } });
        await client.post(`${path}/actions/discard-draft`);
        await client.post(`${path}/actions/unpublish`);
        await client.delete(path);
        await client.get("/api/articles");
        await client.put(path, { data: { title: "gone" } });
      });
      expect(rest.map(({ type }) => type)).to.deep.equal([
        ...["entry.update", "entry.draft-discard", "entry.unpublish", "entry.delete"],
      ]);
    });

    it("says that something is published where an update changes the published version as well", async () => {
      const articles = test.app.documents(ARTICLE);
      const { documentId } = await articles.create({ data: { title: "a" }, status: "published" });
      let title = "";
      const change = () => {
        title += "b";
        return articles.update({ documentId, data: { title }, alsoPublished: true });
      };
      const both = [`entry.update ${ARTICLE}`, `entry.publish ${ARTICLE}`];
      expect(namesOf(await told(change))).to.deep.equal(both);
      const end = test.app.service(events).keepEntriesOf([ARTICLE]);
      expect(namesOf(await told(change))).to.deep.equal(both);
      end();
      await articles.unpublish({ documentId });
      expect(namesOf(await told(change))).to.deep.equal([`entry.update ${ARTICLE}`]);
    });

    it("has those over GraphQL, from code and of an import, and those of files and users", async () => {
      const graphql = await told(() =>
        test.as("all").graphql('mutation { createNote(data: { text: "a" }) { documentId } }'),
      );
      expect(namesOf(graphql)).to.deep.equal([`entry.create ${NOTE}`]);
      expect(graphql[0]).to.deep.include({ locales: [] });
      expect(graphql[0]?.origin.transport).to.equal("graphql");
      const [code] = await told(() => test.app.documents(NOTE).create({ data: { text: "a" } }));
      expect(code?.origin).to.deep.equal({ transport: "code" });
      const imported = await told(() =>
        test.app.loader.load(ARTICLE, [
          version(901, "imported", null),
          version(902, "imported", AT),
          version(903, "imported", null, "fr"),
          version(904, "second", null),
        ]),
      );
      expect(imported.map(({ type, documentId, locales }) => [type, documentId, ...locales])).to.deep.equal([
        ["entry.create", "imported", "en", "fr"],
        ["entry.publish", "imported", "en"],
        ["entry.create", "second", "en"],
      ]);
      expect(imported[0]?.origin).to.deep.equal({ transport: "import" });
      const again = { ...version(904, "second", null), updatedAt: "2026-01-01T00:00:00.000Z" };
      const replaced = await told(() => test.app.loader.load(ARTICLE, [again], "newer"));
      expect(namesOf(replaced)).to.deep.equal([`entry.update ${ARTICLE}`]);
      const uploaded = await told(() => test.as("all").upload([{ name: "a.txt", content: "a" }]));
      expect(uploaded.map(({ type }) => type)).to.deep.equal(["media.create"]);
      const account = { username: "ada", email: "ada@example.org", password: "Analytical-1" };
      const registered = await told(() => test.public.post("/api/auth/local/register", account));
      expect(registered.map(({ type }) => type)).to.deep.equal(["user.create"]);
    });

    it("has nothing of what is no content, of what was taken back, and of a write that is only tried", async () => {
      const nothing = await told(async () => {
        await test.app
          .documents("plugin::users-permissions.role")
          .create({ data: { name: "Editors", type: "editors" } });
        const data = { title: 1 as unknown as string };
        await test.app
          .documents(ARTICLE)
          .create({ data })
          .catch(() => undefined);
        const undone = test.app.db.transaction(async () => {
          await test.app.documents(NOTE).create({ data: { text: "a" }, isTrial: true });
          await test.app.documents(NOTE).create({ data: { text: "b" } });
          await eventsOf(test).publish("shop.opened");
          throw new Error("taken back");
        });
        await undone.catch(() => undefined);
      });
      expect(nothing).to.deep.equal([]);
    });

    it("has one event of a document in several locales, and each document of many", async () => {
      const articles = test.app.documents(ARTICLE);
      const { documentId } = await articles.create({ data: { title: "One" } });
      await articles.update({ documentId, locale: "fr", data: { title: "Un" } });
      const [published, ...others] = await told(() => articles.publish({ documentId, locale: "*" }));
      expect([published?.type, ...(published?.locales ?? [])]).to.have.members(["entry.publish", "en", "fr"]);
      expect(others).to.deep.equal([]);
      const { documentId: second } = await articles.create({ data: { title: "Two" } });
      const many = await told(() => articles.publishMany({ documentIds: [documentId, second] }));
      expect(many.map((event) => event.documentId)).to.have.members([documentId, second]);
    });

    it("has what plugins publish, in the transaction of the caller", async () => {
      const service = eventsOf(test);
      const published = await told(async () => {
        await service.publish("shop.opened", {}, { floor: 2 });
        await test.app.db.transaction(async () => {
          await test.app.documents(NOTE).create({ data: { text: "a" } });
          await service.publish("shop.order-paid", { uid: NOTE, documentId: "d", locales: ["en"] });
        });
      });
      expect(published.map(({ type, data, documentId }) => ({ type, data, documentId }))).to.deep.equal([
        { type: "shop.opened", data: { floor: 2 }, documentId: null },
        { type: "entry.create", data: undefined, documentId: published[1]?.documentId },
        { type: "shop.order-paid", data: undefined, documentId: "d" },
      ]);
      for (const type of ["entry.create", "media.made", "Shop.opened", "shop", "shop.%"]) {
        const refused = await service.publish(type).catch((error: unknown) => error);
        expect(refused, type).to.include({ code: "PLINTH_EVENTS_TYPE_INVALID", status: 400 });
      }
      const subject = { uid: NOTE, documentId: "a\u0000" };
      const unnamed = await service.publish("shop.opened", subject).catch((error: unknown) => error);
      expect(unnamed).to.include({ code: "PLINTH_EVENTS_DATA_INVALID", status: 400 });
      const looped: Record<string, unknown> = {};
      looped["self"] = looped;
      for (const data of [{ note: "a\u0000b" }, { note: "\ud83d" }, looped, () => 1]) {
        const refused = await service.publish("shop.opened", {}, data).catch((error: unknown) => error);
        expect(refused).to.include({ code: "PLINTH_EVENTS_DATA_INVALID", status: 400 });
      }
    });

    it("is read by types and content-types", async () => {
      const service = eventsOf(test);
      const place = await service.latest();
      await test.app.documents(NOTE).create({ data: { text: "a" } });
      await test.app.documents(ARTICLE).create({ data: { title: "a" }, status: "published" });
      await readAll(test, place, 3);
      const read = async (filter: object) => namesOf((await service.read(place, filter)).events);
      expect(await read({ types: ["entry.publish"] })).to.deep.equal([`entry.publish ${ARTICLE}`]);
      expect(await read({ types: ["entry.*"], uids: [NOTE] })).to.deep.equal([`entry.create ${NOTE}`]);
      expect(await read({ types: ["shop.*"] })).to.deep.equal([]);
      const page = await service.read(place, {}, 1);
      expect(page.events).to.have.length(1);
      expect(namesOf((await service.read(page.place)).events)).to.deep.equal([
        `entry.create ${ARTICLE}`,
        `entry.publish ${ARTICLE}`,
      ]);
    });

    it("keeps what is in a document for those who want it, as the public sees it", async () => {
      const end = eventsOf(test).keepEntriesOf([ARTICLE]);
      const articles = test.app.documents(ARTICLE);
      const data = { title: "One", secret: "s", seo: { title: "S", hint: "h" } };
      const { documentId } = await articles.create({ data });
      await articles.update({ documentId, locale: "fr", data: { title: "Un" } });
      const [published, edited, deleted] = await told(async () => {
        await articles.publish({ documentId, locale: "*" });
        await articles.update({ documentId, data: { title: "Two" } });
        await articles.delete({ documentId, locale: "*" });
      });
      const titlesOf = (event: typeof published) => event?.entries?.map(({ title }) => title);
      expect(titlesOf(published)).to.deep.equal(["One", "Un"]);
      const [entry] = published?.entries ?? [];
      expect(entry).to.include({ documentId, locale: "en" });
      expect(entry?.["publishedAt"]).to.be.a("string");
      expect(entry?.["seo"]).to.have.property("title", "S");
      expect(JSON.stringify(published)).to.not.match(/secret|hint/);
      expect(titlesOf(edited)).to.deep.equal(["Two"]);
      expect(titlesOf(deleted)).to.deep.equal(["Two", "Un"]);
      end();
      const [plain] = await told(() => articles.create({ data: { title: "a" } }));
      expect(plain).to.not.have.property("entries");
    });

    it("keeps components in components, and the media in them, as deep as they go", async () => {
      const files = test.app.documents("plugin::upload.file");
      const file = {
        name: "a.png",
        hash: "a",
        ext: ".png",
        mime: "image/png",
        size: 1,
        url: "/a.png",
        provider: "local",
      };
      const { id } = await files.create({ data: file });
      const end = eventsOf(test).keepEntriesOf([PAGE]);
      const link = (label: string, more: object = {}) => ({ label, icon: id, ...more });
      const [created] = await told(() =>
        test.app.documents(PAGE).create({
          data: {
            menu: { links: [link("one", { inner: link("two", { note: "hidden" }) })] },
            blocks: [
              { __component: "shared.menu", links: [link("three")] },
              { __component: "shared.seo", title: "S" },
            ],
            secretMenu: { links: [link("hidden")] },
          },
        }),
      );
      end();
      const entry: Readonly<Record<string, unknown>> = created?.entries?.[0] ?? {};
      expect(JSON.stringify(entry)).to.not.include("hidden");
      // The link in a link is of a component that was gone into already.
      const inner = { label: "two" };
      expect(shownOf(entry["menu"])).to.deep.equal({ links: [{ label: "one", icon: { url: "/a.png" }, inner }] });
      expect(shownOf(entry["blocks"])).to.deep.equal([
        { __component: "shared.menu", links: [{ label: "three", icon: { url: "/a.png" }, inner: null }] },
        { __component: "shared.seo", title: "S" },
      ]);
    });

    it("costs a write one statement, and no round trip", async () => {
      const without = await startEvents(besideOf(database), {
        plugins: [contentApiPlugin, graphqlPlugin, uploadPlugin, usersPermissionsPlugin],
      });
      /** Round trips and statements; without the messages to readers, which are sent by themselves. The least of three, for totals are folded by chance. */
      const costsOf = async (on: TestApp, work: (app: TestApp) => Promise<unknown>): Promise<[number, number]> => {
        const costs: [number, number][] = [];
        for (let run = 0; run < 4; run += 1) {
          const all = await tripsOf(on.app.db.knex, () => work(on));
          const trips = all.filter(({ text }) => !text.includes("pg_notify"));
          costs.push([trips.length, trips.reduce((sum, { statements }) => sum + statements, 0)]);
        }
        // The first warms the caches.
        const [, ...warm] = costs;
        return [Math.min(...warm.map(([trips]) => trips)), Math.min(...warm.map(([, statements]) => statements))];
      };
      const makeNote = ({ app }: TestApp) => app.documents(NOTE).create({ data: { text: "a" } });
      const makeArticle = ({ app }: TestApp) =>
        app.documents(ARTICLE).create({ data: { title: "a" }, status: "published" });
      const note = await costsOf(test, makeNote);
      const article = await costsOf(test, makeArticle);
      const plainNote = await costsOf(without, makeNote);
      const plainArticle = await costsOf(without, makeArticle);
      await without.stop();
      expect(note).to.deep.equal([plainNote[0], plainNote[1] + 1]);
      expect(article).to.deep.equal([plainArticle[0], plainArticle[1] + 1]);
    });
  });
});
