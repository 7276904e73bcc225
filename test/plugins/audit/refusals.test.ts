import { setTimeout as sleep } from "node:timers/promises";
import { ENTRIES } from "#plugins/audit/src/tables.js";
import { type Act, onAct } from "@plinth/core/access";
import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { ARTICLE, type AuditApp, NOTE, startAuditApp } from "./audit-app.js";

eitherDatabase(import.meta.url, (database) => {
  describe("the audit log of what was refused", () => {
    let test: AuditApp;
    before("start an app", async () => {
      test = await startAuditApp(database);
    });
    after("stop it", () => test?.stop());

    it("has refusals, with what was asked for; equal ones are counted", async () => {
      const entries = await test.during(
        async () => {
          expect((await test.public.get("/api/notes/abc123")).status).to.equal(403);
          expect((await test.withBearer("unknown").get("/api/notes")).status).to.equal(401);
          await test
            .as("read", { id: 1, documentId: "eve" })
            .graphql('mutation { createNote(data: { text: "x" }) { documentId } }');
          expect((await test.public.get("/admin/api/audit")).status).to.equal(401);
        },
        { action: "access.refuse" },
      );
      expect(entries.map(({ details }) => details?.["status"])).to.deep.equal([403, 401, 403, 401]);
      expect(entries[0]).to.deep.include({
        uid: NOTE,
        documentId: "abc123",
        actor: { kind: "public" },
        transport: "rest",
      });
      expect(entries[0]?.details).to.include({ asked: "api::note.note.findOne", path: "/api/notes/:documentId" });
      expect(entries[1]).to.not.have.property("actor");
      expect(entries[2]).to.deep.include({ transport: "graphql", actor: { kind: "user", id: "eve" } });
    });

    it("has each refused field of a request of GraphQL, with the action that it needed", async () => {
      const mallory = test.as("none", { id: 9, documentId: "mallory" });
      const told = async (query: string) => {
        const entries = await test.during(() => mallory.graphql(query), { action: "access.refuse" });
        return entries.map(({ uid, details }) => [uid, details?.["asked"], details?.["status"]]);
      };
      const both =
        'mutation { a: createNote(data: { text: "x" }) { documentId } b: deleteNote(documentId: "abc") { documentId } }';
      expect(await told(both)).to.have.deep.members([
        [NOTE, `${NOTE}.create`, 403],
        [NOTE, `${NOTE}.delete`, 403],
      ]);
      const reads = '{ one: note(documentId: "a") { documentId } other: article(documentId: "a") { documentId } }';
      expect(await told(reads)).to.have.deep.members([
        [NOTE, `${NOTE}.findOne`, 403],
        [ARTICLE, `${ARTICLE}.findOne`, 403],
      ]);
      expect(await told("{ me { id } }")).to.deep.equal([[undefined, "Query.me", 403]]);
    });

    it("has sign-ins with a name that no account can have, which are answered for that name", async () => {
      const name = "a\u0000b@example.org";
      const entries = await test.during(
        async () => {
          const user = await test.public.post("/api/auth/local", { identifier: name, password: "x" });
          expect(user.status).to.equal(400);
          expect(user.body.error.message).to.equal("identifier must not contain the NUL character");
          const administrator = await test.public.post("/admin/login", { email: name, password: "x" });
          expect(administrator.status).to.equal(401);
        },
        { action: "auth.sign-in" },
      );
      expect(entries.map(({ result, documentId }) => [result, documentId])).to.deep.equal([
        ["refused", undefined],
        ["refused", undefined],
      ]);
    });

    it("has the time at which something was refused, however long its statement waits", async () => {
      const { app } = test;
      const act = { action: "shop.refund", result: "refused", origin: { transport: "code" } } as const;
      let since = 0;
      let until = 0;
      const [entry] = await test.during(
        () =>
          app.db.transaction(async () => {
            await app.db.query({ text: `lock table ${ENTRIES} in exclusive mode`, values: [] });
            since = app.clock.now();
            await app.hooks.notify(onAct, act);
            until = app.clock.now();
            // Longer than the pause after which it is sent.
            await sleep(500);
          }),
        { action: "shop.refund" },
      );
      expect(Date.parse(entry?.at ?? "")).to.be.within(since, until);
    });

    it("says of an entry that the database does not take that it is missing, and goes on with the others", async () => {
      const bad = { action: "shop.bad", origin: { transport: "code" } } as unknown as Act;
      const entries = await test.during(async () => {
        await test.app.hooks.notify(onAct, { ...bad, result: "refused" });
        await test.app.hooks.notify(onAct, bad);
        await test.public.get("/api/articles");
        await test.audit.seal();
        await test.withBearer("no-such-token").get("/api/articles");
      });
      expect(entries.map(({ action }) => action)).to.have.members([
        "shop.bad",
        "audit.lost",
        "access.refuse",
        "access.refuse",
      ]);
      expect(entries.find(({ action }) => action === "audit.lost")).to.deep.include({
        result: "failed",
        details: { action: "shop.bad", count: 1 },
      });
      expect(test.logged.some(({ msg }) => msg === "The database does not take an entry of the audit log")).to.equal(
        true,
      );
    });
  });
});
