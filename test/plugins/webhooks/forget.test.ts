import type { TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { EndpointFaults } from "#plugins/webhooks/src/endpoints/endpoint-faults.js";
import type { KnownEndpoint } from "#plugins/webhooks/src/endpoints/known-endpoint.js";
import type { LiveEndpoints } from "#plugins/webhooks/src/endpoints/live-endpoints.js";
import { webhooksService } from "#plugins/webhooks/src/webhooks-service.js";
import { eachDatabase } from "../../databases.js";
import { endpoint, startWebhooks, webhooksOf } from "./webhooks-app.js";

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
    afterEach("delete what is left", async () => {
      for (const table of ["plinth_deliveries", "plinth_webhook_states"])
        await test.app.db.query({ text: `delete from ${table}`, values: [] });
      for (const { documentId, source } of await webhooksOf(test).list())
        if (source === "database") await webhooksOf(test).remove(documentId);
    });

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

    it("are forgotten with the failures of an endpoint that was deleted while one of its tries failed", async () => {
      const { documentId } = await endpoint(test, "fails");
      const failing = "insert into plinth_webhook_states (endpoint, failing_since) select unnest($1::text[]), now()";
      await test.app.db.query({ text: failing, values: [[documentId, "gone", "config:gone"]] });
      await forget();
      const text = "select endpoint from plinth_webhook_states order by endpoint";
      const kept = await test.app.db.query<{ endpoint: string }>({ text, values: [] });
      expect(kept.map((row) => row.endpoint)).to.have.members(["config:gone", documentId]);
    });

    it("disable no endpoint that another process has just deleted", async () => {
      const { documentId } = await endpoint(test, "leaves");
      const known = { ...test.app.service(webhooksService).deliverer.live.get(documentId) } as KnownEndpoint;
      await test.app.documents("plugin::webhooks.endpoint").delete({ documentId });
      const stale = { get: () => known, read: async () => [] } as unknown as LiveEndpoints;
      await new EndpointFaults(test.app, stale).failed(known, { isGone: true });
      const text = "select endpoint from plinth_webhook_states where endpoint = $1";
      expect(await test.app.db.query({ text, values: [documentId] })).to.deep.equal([]);
    });
  });
});
