import { randomBytes } from "node:crypto";
import type { TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { eventually } from "../../core/database/driver/note-app.js";
import { eitherDatabase } from "../../databases.js";
import { collect, eventsOf, startEvents } from "./events-app.js";

const COUNT = 8;

describe("long events", () => {
  eitherDatabase(import.meta.url, (database) => {
    let test: TestApp;
    before("start an app", async () => {
      test = await startEvents(database);
    });
    after("stop it", () => test?.stop());
    /** Of 4 MB each, that cannot be made shorter. */
    const publish = () =>
      test.app.db.transaction(async () => {
        for (let n = 1; n <= COUNT; n += 1)
          await eventsOf(test).publish("test.long", {}, { n, text: randomBytes(3_000_000).toString("base64") });
        await eventsOf(test).publish("test.last");
      });

    it("are read a few at once, and none is left out", async () => {
      let place = await eventsOf(test).latest();
      const handed = await collect(test, "long", { types: ["test.long"] });
      await publish();
      const read: string[] = [];
      let most = 0;
      await eventually(async () => {
        const page = await eventsOf(test).read(place);
        place = page.place;
        read.push(...page.events.map(({ type }) => type));
        most = Math.max(most, page.events.length);
        expect(read.at(-1)).to.equal("test.last");
      }, 60_000);
      expect(read).to.have.length(COUNT + 1);
      expect(most).to.be.at.most(4);
      const all = await handed.reach(COUNT);
      expect(all.map(({ data }) => (data as { n: number }).n)).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8]);
      await handed.stop();
    });
  });
});
