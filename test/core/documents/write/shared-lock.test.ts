import { expect } from "chai";
import { eachDatabase } from "../../../databases.js";
import { asAnotherRequest, waitForLocks } from "../../../other-requests.js";
import { type Newsroom, openNewsroom, uid } from "./newsroom.js";

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

    it("is held by several at once, lets others change the document, and keeps it from being deleted", async () => {
      const documentId = await make();
      let isDeleted = false;
      let deletion: Promise<unknown> | undefined;
      await newsroom.db.transaction(async () => {
        await lock(documentId);
        await asAnotherRequest(() => newsroom.db.transaction(() => lock(documentId)));
        await asAnotherRequest(() => topics().update({ documentId, data: { name: "changed" } }));
        deletion = asAnotherRequest(() => topics().delete({ documentId })).then(() => {
          isDeleted = true;
        });
        await waitForLocks(newsroom.db);
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
        locked = asAnotherRequest(() => newsroom.db.transaction(() => lock(documentId)));
        await waitForLocks(newsroom.db);
      });
      expect(await locked).to.equal(false);
    });
  });
});
