import { AsyncLocalStorage } from "node:async_hooks";
import { expect } from "chai";
import { eventually } from "../../database/driver/note-app.js";
import { eachDatabase } from "../../../databases.js";
import { type Newsroom, openNewsroom, uid } from "./newsroom.js";

/** Runs work outside of the transaction that it is called in. */
const inAnother: <Result>(work: () => Result) => Result = AsyncLocalStorage.snapshot();

describe("a shared lock of a document", () => {
  eachDatabase((database) => {
    let newsroom: Newsroom;
    before(async () => {
      newsroom = await openNewsroom(await database.connect());
    });

    const topics = () => newsroom.documents(uid("topic"));
    const make = async () => (await topics().create({ data: { name: "kept" }, status: "published" })).documentId;
    const lock = (documentId: string) => topics().lock(documentId, "shared");

    it("is of one that is there, and needs a transaction", async () => {
      const documentId = await make();
      expect(await newsroom.db.transaction(() => lock(documentId))).to.equal(true);
      expect(await newsroom.db.transaction(() => lock("none"))).to.equal(false);
      const outside = await lock(documentId).catch((error: unknown) => error);
      expect(outside).to.include({ code: "PLINTH_DATABASE_NO_TRANSACTION" });
    });

    // The embedded database has one connection: nothing waits for a lock there.
    if (database.kind !== "postgres") return;

    const isWaiting = async (pids: number) => {
      const text = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await eventually(async () => expect(await newsroom.db.query({ text, values: [] })).to.have.length(pids));
    };

    it("is held by several at once, lets others change the document, and keeps it from being deleted", async () => {
      const documentId = await make();
      let isDeleted = false;
      let deletion: Promise<unknown> | undefined;
      await newsroom.db.transaction(async () => {
        await lock(documentId);
        await inAnother(() => newsroom.db.transaction(() => lock(documentId)));
        await inAnother(() => topics().update({ documentId, data: { name: "changed" } }));
        deletion = inAnother(() => topics().delete({ documentId })).then(() => {
          isDeleted = true;
        });
        await isWaiting(1);
        expect(isDeleted).to.equal(false);
      });
      await deletion;
      expect(await topics().findOne({ documentId })).to.equal(null);
    });

    it("waits for who deletes the document, and finds that it is gone", async () => {
      const documentId = await make();
      let locked: Promise<boolean> | undefined;
      await newsroom.db.transaction(async () => {
        await topics().delete({ documentId });
        locked = inAnother(() => newsroom.db.transaction(() => lock(documentId)));
        await isWaiting(1);
      });
      expect(await locked).to.equal(false);
    });
  });
});
