import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { ARTICLE, later, type Newsroom, serveNewsroom } from "./newsroom-app.js";

const ABSENT = "absent00000000000000000a";

/** What a visitor who does not see politics may try on a document. */
const ATTEMPTS: readonly (readonly [method: string, query: string, body?: () => object])[] = [
  ["GET", ""],
  ["GET", "?locale=en"],
  ["GET", "?locale=de"],
  ["POST", "", () => ({ publishAt: "2035-01-01T00:00:00Z" })],
  ["POST", "", () => ({ unpublishAt: "2035-01-01T00:00:00Z" })],
  ["POST", "", () => ({ publishAt: null })],
  ["DELETE", ""],
  ["DELETE", "?locale=en"],
];

const NOT_POLITICS = { $or: [{ desk: { $null: true } }, { desk: { $ne: "politics" } }] };

describe("Nobody learns by schedules and releases", () => {
  eitherDatabase(import.meta.url, (database) => {
    const room = serveNewsroom(database);
    let hidden: string;
    let shown: string;

    before("hide an article, and plan something with it", async () => {
      const limited = ["find", "findOne", "findDrafts"].map((name) => ({
        ...{ action: `${ARTICLE}.${name}`, where: NOT_POLITICS },
      }));
      const acts = [`${ARTICLE}.publish`, `${ARTICLE}.unpublish`, `${ARTICLE}.update`, "plugin::schedule.*"];
      Object.assign(room().people, { visitor: [...limited, ...acts], reader: "read" });
      hidden = await room().draft({ title: "Secret plan", desk: "politics" });
      shown = await room().draft({ title: "Open", desk: "sports" });
      for (const documentId of [hidden, shown])
        await room().schedules.plan({ type: ARTICLE, documentId }, { publishAt: later(room(), 3_600_000) });
    });

    /** What is planned, to see that nothing has changed. */
    const plans = async ({ app }: Newsroom) =>
      await app.db.query({ text: "select * from plinth_schedule order by id", values: [] });

    const path = (documentId: string, query: string) => `/api/articles/${documentId}/actions/schedule${query}`;

    for (const [method, query, body] of ATTEMPTS)
      it(`${method}${query} ${JSON.stringify(body?.() ?? "")} of a hidden document is answered as one of none`, async () => {
        const before = await plans(room());
        const of = (documentId: string) => room().ask("visitor", method, path(documentId, query), body?.());
        const [found, absent] = [await of(hidden), await of(ABSENT)];
        expect(found).to.deep.equal(absent);
        expect(found.status).to.equal(404);
        expect(await plans(room())).to.deep.equal(before);
      });

    it("what is seen is not hidden", async () => {
      expect((await room().ask("visitor", "GET", path(shown, ""))).body.data).to.have.length(1);
    });

    it("who reads and does not publish sees no schedule, and no release", async () => {
      for (const who of ["reader", ""]) {
        expect((await room().ask(who, "GET", path(shown, ""))).status).to.equal(403);
        for (const [method, end] of [
          ["GET", ""],
          ["POST", ""],
          ["GET", "/1"],
          ["PUT", "/1"],
          ["DELETE", "/1"],
          ["POST", "/1/run"],
        ])
          expect(
            (await room().ask(who, String(method), `/api/schedule/releases${end}`, method === "GET" ? undefined : {}))
              .status,
            `${who} ${method} ${end}`,
          ).to.equal(403);
      }
    });

    describe("a release that holds a hidden document", () => {
      let id: number;
      const asked = (method: string, end: string, body?: object) =>
        room().ask("visitor", method, `/api/schedule/releases${end}`, body);
      before("make it", async () => {
        const actions = [hidden, shown].map((documentId) => ({
          type: ARTICLE,
          documentId,
          action: "publish" as const,
        }));
        ({ id } = await room().releases.create({ name: "Coup", actions }));
      });

      it("is not there: not in a list, not by its id, and nothing can be done with it", async () => {
        const { body } = await asked("GET", "");
        expect(JSON.stringify(body)).not.to.include("Coup");
        expect(body.data).to.have.length(0);
        const actions = [{ type: ARTICLE, documentId: shown, action: "publish" }];
        for (const [method, end, sent] of [
          ["GET", ""],
          ["PUT", "", { name: "Mine", actions }],
          ["DELETE", ""],
          ["POST", "/check"],
          ["POST", "/run"],
          ["POST", "/cancel"],
          ["POST", "/schedule", { at: "2035-01-01T00:00:00Z" }],
        ] as const) {
          const [found, absent] = [
            await asked(method, `/${id}${end}`, sent),
            await asked(method, `/987654${end}`, sent),
          ];
          expect(found, `${method} ${end}`).to.deep.equal(absent);
          expect(found.status).to.equal(404);
        }
        expect((await room().releases.find(id)).state).to.equal("open");
      });

      it("and others like it leave what is older in a list", async () => {
        const old = { type: ARTICLE, documentId: shown, action: "publish" as const };
        const older = await room().releases.create({ name: "Older", actions: [old] });
        const secret = { type: ARTICLE, documentId: hidden, action: "publish" as const };
        for (let count = 0; count < 30; count += 1) await room().releases.create({ name: "Coup", actions: [secret] });
        const { body } = await asked("GET", "");
        expect(body.data.map(({ name }: { name: string }) => name)).to.deep.equal(["Older"]);
        await room().releases.remove(older.id);
      });

      it("cannot be made by who does not see it, nor found out by trying", async () => {
        const make = (documentId: string) =>
          asked("POST", "", { name: "Guess", actions: [{ type: ARTICLE, documentId, action: "publish" }] });
        const [found, absent] = [await make(hidden), await make(ABSENT)];
        expect(found).to.deep.equal(absent);
        expect(found.status).to.equal(400);
      });

      it("is there for who sees all of it, and is gone for them when a document is hidden", async () => {
        const made = await asked("POST", "", {
          name: "Sports",
          actions: [{ type: ARTICLE, documentId: shown, action: "publish" }],
        });
        expect((await asked("GET", "")).body.data.map(({ name }: { name: string }) => name)).to.deep.equal(["Sports"]);
        await room()
          .app.documents(ARTICLE)
          .update({ documentId: shown, data: { desk: "politics" } });
        expect((await asked("GET", "")).body.data).to.deep.equal([]);
        expect((await asked("GET", `/${made.body.data.id}`)).status).to.equal(404);
        await room()
          .app.documents(ARTICLE)
          .update({ documentId: shown, data: { desk: "sports" } });
        await room().app.documents(ARTICLE).delete({ documentId: shown });
        expect((await asked("GET", `/${made.body.data.id}`)).status, "who made it sees that it is gone").to.equal(200);
        room().people["other"] = room().people["visitor"] ?? "none";
        expect((await room().ask("other", "GET", `/api/schedule/releases/${made.body.data.id}`)).status).to.equal(404);
      });
    });
  });
});
