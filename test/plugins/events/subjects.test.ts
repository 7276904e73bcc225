import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { NOTE, startEvents } from "./events-app.js";

eitherDatabase("pglite", (database) => {
  describe("how events of a content-type begin", () => {
    const startWith = (events: unknown) => {
      const note = {
        kind: "collectionType" as const,
        info: { singularName: "memo", pluralName: "memos", displayName: "Memo" },
        pluginOptions: { events },
        attributes: { text: { type: "string" } },
      };
      return startEvents(database, { app: { contentTypes: { [NOTE]: note as never } } }).then(
        async (test) => {
          await test.stop();
          return "started";
        },
        ({ cause }: { cause: { code: string; message: string } }) => `${cause.code} ${cause.message}`,
      );
    };

    for (const [wrong, reason] of [
      [{ subject: "My_Product" }, "My_Product"],
      [{ subject: "entry" }, "server"],
      [{ subject: "user" }, "server"],
      [{ subject: 5 }, "5"],
      [{ subjct: "product" }, "subjct"],
      [true, "true"],
    ] as const)
      it(`is refused at the start where it is ${JSON.stringify(wrong)}`, async () => {
        const answer = await startWith(wrong);
        expect(answer).to.match(/^PLINTH_EVENTS_SUBJECT_INVALID/);
        expect(answer).to.include(NOTE).and.include(reason);
      });

    for (const right of [{ subject: "product" }, { subject: "shop.product" }, false])
      it(`may be ${JSON.stringify(right)}`, async () => {
        expect(await startWith(right)).to.equal("started");
      });
  });
});
