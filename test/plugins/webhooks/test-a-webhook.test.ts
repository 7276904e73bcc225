import type { Client, TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { Webhook } from "standardwebhooks";
import { eitherDatabase } from "../../databases.js";
import { administrator, ARTICLE, endpoint, NOTE, startWebhooks, webhooksOf } from "./webhooks-app.js";

describe("trying a webhook out", () => {
  eitherDatabase(import.meta.url, (database) => {
    let test: TestApp;
    let admin: Client;
    before("start an app", async () => {
      test = await startWebhooks(database);
      admin = await administrator(test);
    });
    after("stop it", () => test?.stop());

    it("sends one signed test at once, also to an endpoint that is disabled, and shows the answer", async () => {
      const { documentId, secrets } = await endpoint(test, "quiet", { enabled: false });
      test.webhooks.answerWith({ status: 202, body: "thanks" });
      const { status, body } = await admin.post(`/admin/webhooks/${documentId}/test`);
      expect(status).to.equal(200);
      expect(body.data).to.include({ status: 202, error: null, answer: "thanks" });
      const { text, headers } = await test.webhooks.next({ path: "/quiet" });
      expect(new Webhook(secrets[0] ?? "").verify(text, { ...headers })).to.deep.include({
        type: "test.ping",
        data: {},
      });
      expect(headers["webhook-id"]).to.equal(body.data.id);
      expect((await admin.get(`/admin/webhooks/${documentId}/deliveries`)).body.data).to.deep.equal([]);
    });

    it("says why a test failed, and holds nothing against the endpoint", async () => {
      const { documentId } = await endpoint(test, "broken", { format: "strapi" });
      test.webhooks.answerWith({ status: 500, body: "no" });
      const { body } = await admin.post(`/admin/webhooks/${documentId}/test`);
      expect(body.data).to.include({ status: 500, error: "it answered 500", answer: "no" });
      const { text } = await test.webhooks.next({ path: "/broken" });
      expect(JSON.parse(text)).to.include({ event: "test.ping" });
      expect(await webhooksOf(test).find("broken")).to.include({ enabled: true, failingSince: null });
      expect((await admin.post("/admin/webhooks/none/test")).status).to.equal(404);
      test.webhooks.answerWith({});
    });

    it("lists the events and content-types that there are", async () => {
      const { data } = (await admin.get("/admin/webhooks/options")).body;
      expect(data.http).to.equal(true);
      expect(data.events).to.include.members(["entry.create", "entry.publish", "entry.draft-discard"]);
      expect(data.events.indexOf("entry.create")).to.be.below(data.events.indexOf("entry.publish"));
      expect(data.types).to.deep.include.members([
        { uid: ARTICLE, name: "Article" },
        { uid: NOTE, name: "Note" },
      ]);
      expect(data.types.map(({ uid }: { uid: string }) => uid)).to.not.include("plugin::webhooks.endpoint");
    });
  });
});
