import { events } from "@plinth/plugin-events";
import type { TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { DeliveryStore } from "#plugins/webhooks/src/deliveries/delivery-store.js";
import { eventually } from "../../core/database/driver/note-app.js";
import { eitherDatabase } from "../../databases.js";
import { endpoint, NOTE, startWebhooks } from "./webhooks-app.js";

const MEGABYTE = 1_000_000;
const COUNT = 9;

describe("webhooks with large bodies", () => {
  eitherDatabase(import.meta.url, (database) => {
    let test: TestApp;
    before("start an app", async () => {
      test = await startWebhooks(database);
    });
    after("stop it", () => test?.stop());
    const publish = () =>
      test.app.db.transaction(async () => {
        for (let n = 1; n <= COUNT; n += 1)
          await test.app
            .service(events)
            .publish("test.told", { uid: NOTE, documentId: `d${n}` }, { n, text: "x".repeat(2 * MEGABYTE) });
      });

    it("arrive all, and are written and read a few at once", async () => {
      const { documentId } = await endpoint(test, "large", { events: ["test.told"] });
      const { db } = test.app;
      const queryAll = db.queryAll.bind(db);
      const lengths: number[] = [];
      const noted: typeof queryAll = (statements) => {
        for (const { text, values } of statements)
          if (text.startsWith("insert into plinth_deliveries")) lengths.push(String(values[0]).length);
        return queryAll(statements);
      };
      Object.assign(db, { queryAll: noted });
      test.webhooks.answerWith({ delay: 60_000 });
      await publish();
      await eventually(async () => expect(lengths.length).to.be.at.least(COUNT / 2), 60_000);
      Object.assign(db, { queryAll });
      expect(Math.max(...lengths)).to.be.below(5 * MEGABYTE);
      const store = new DeliveryStore(db);
      const all: string[] = [];
      let most = 0;
      await eventually(async () => {
        const ready = await store.ready([documentId], all, 64);
        all.push(...ready.map(({ id }) => id));
        most = Math.max(most, ready.length);
        expect(all).to.have.length(COUNT);
      }, 60_000);
      expect(most).to.be.at.most(3);
      test.webhooks.answerWith({});
    });
  });
});
