import type { TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { webhooksService } from "#plugins/webhooks/src/webhooks-service.js";
import { eachDatabase } from "../../databases.js";
import { endpoint, startWebhooks } from "./webhooks-app.js";

const INSERT = `insert into plinth_deliveries (event, part, endpoint, key, type, locales, at, format, body)
  values (1, 1, $1, 'a', 'test.told', '{}', now(), 'standard', '{}')`;

describe("deliveries of webhooks that are old", () => {
  eachDatabase((database) => {
    let test: TestApp;
    before("start an app", async () => {
      const kept = { url: "https://example.com/kept", secrets: [`whsec_${Buffer.alloc(32).toString("base64")}`] };
      test = await startWebhooks(database, {}, { config: { webhooks: { kept: { ...kept, events: ["entry.*"] } } } });
    });
    after("stop it", () => test?.stop());
    afterEach("delete what is left", () => test.app.db.query({ text: "delete from plinth_deliveries", values: [] }));

    /** One that waits, and whose turn has not come. */
    const wait = (endpointId: string) => test.app.db.query({ text: INSERT, values: [endpointId] });
    const waiting = async () => {
      const text = "select endpoint from plinth_deliveries order by id";
      return (await test.app.db.query<{ endpoint: string }>({ text, values: [] })).map((row) => row.endpoint);
    };
    const forget = () => test.app.service(webhooksService).deliverer.forget();

    it("are kept where they wait for an endpoint that was made while old ones are deleted", async () => {
      const { db } = test.app;
      const query = db.query;
      let made: Promise<string> | undefined;
      db.query = async (...given: Parameters<typeof query>) => {
        if (given[0].text.startsWith("delete from plinth_deliveries") && !made) {
          made = endpoint(test, "meanwhile").then(({ documentId }) => documentId);
          await wait(await made);
        }
        return (await query.apply(db, given)) as never;
      };
      try {
        await forget();
      } finally {
        db.query = query;
      }
      expect(await waiting()).to.deep.equal([await made]);
    });

    it("are forgotten where their endpoint is gone: one of the configuration some days later", async () => {
      for (const id of ["gone", "config:kept", "config:gone"]) await wait(id);
      await forget();
      expect(await waiting()).to.deep.equal(["config:kept", "config:gone"]);
      await test.app.db.query({ text: "update plinth_deliveries set at = now() - interval '400 days'", values: [] });
      await forget();
      expect(await waiting()).to.deep.equal(["config:kept"]);
    });
  });
});
