import type { Client, TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { Webhook } from "standardwebhooks";
import { eitherDatabase } from "../../databases.js";
import { administrator, endpoint, startWebhooks, webhooksOf } from "./webhooks-app.js";

describe("a webhook with another address", () => {
  eitherDatabase(import.meta.url, (database) => {
    let test: TestApp;
    let admin: Client;
    before("start an app", async () => {
      test = await startWebhooks(database);
      admin = await administrator(test);
    });
    after("stop it", () => test?.stop());

    const pinged = async (documentId: string) => {
      test.webhooks.clear();
      await admin.post(`/admin/webhooks/${documentId}/test`);
      const [caught] = test.webhooks.all;
      if (!caught) throw new TypeError("Nothing was sent.");
      return caught;
    };
    const isSignedBy = ({ text, headers }: Awaited<ReturnType<typeof pinged>>, secret: string) => {
      try {
        return new Webhook(secret).verify(text, { ...headers }) !== undefined;
      } catch {
        return false;
      }
    };

    for (const [place, url] of [
      ["at another server", "https://evil.example/in"],
      ["at another path of the same server, where somebody else may listen", "https://example.com/mine"],
    ] as const)
      it(`sends no header that was given for the one before, ${place}`, async () => {
        const values = { headers: { "x-api-key": "hush" } };
        const { documentId } = await endpoint(test, `with headers ${place.length}`, values);
        const path = `/admin/webhooks/${documentId}`;
        const before = (await admin.get(path)).body;
        const refused = await admin.put(path, { url, name: "moved" });
        expect([refused.status, refused.body.error.code]).to.deep.equal([400, "PLINTH_WEBHOOKS_INVALID"]);
        expect(refused.body.error.details.errors[0].path).to.equal("headers");
        expect(refused.text).to.include("x-api-key").and.not.include("hush");
        expect((await admin.get(path)).body).to.deep.equal(before);
        expect((await admin.put(path, { url: before.data.url, coalesce: true })).status, "the same one").to.equal(200);
        const moved = await admin.put(path, { url, headers: { "x-other": "1" } });
        expect(moved.body.data, moved.text).to.deep.include({ url, headers: ["x-other"] });
        const { headers } = await pinged(documentId);
        expect(headers).to.include({ "x-other": "1" }).and.not.have.property("x-api-key");
        expect((await admin.put(path, { url: before.data.url, headers: {} })).body.data.headers).to.deep.equal([]);
      });

    it("at another server has a new secret, which is shown once, and the ones before sign nothing more", async () => {
      const { documentId, secrets } = await endpoint(test, "signed");
      const [before = ""] = secrets;
      const path = `/admin/webhooks/${documentId}`;
      const moved = (await admin.put(path, { url: "https://new.example.com/in" })).body.data;
      expect(moved.secrets).to.have.length(1);
      const sent = await pinged(documentId);
      expect([isSignedBy(sent, moved.secrets[0]), isSignedBy(sent, before)]).to.deep.equal([true, false]);
      expect((await admin.get(path)).text).not.to.include("whsec_");

      const within = await admin.put(path, { url: "https://new.example.com/other" });
      expect(within.body.data).not.to.have.property("secrets");
      expect(isSignedBy(await pinged(documentId), moved.secrets[0]), "the same server keeps it").to.equal(true);

      const given = await admin.put(path, { url: "https://example.com/in", secrets: [before] });
      expect(given.text).not.to.include("whsec_");
      expect(isSignedBy(await pinged(documentId), before), "unless the change has one").to.equal(true);
    });

    it("is so for code as well", async () => {
      const { documentId } = await endpoint(test, "by code", { headers: { "x-api-key": "hush" } });
      const url = "https://evil.example/in";
      const refused = await webhooksOf(test)
        .update(documentId, { url })
        .catch((error: unknown) => error);
      expect(refused).to.include({ code: "PLINTH_WEBHOOKS_INVALID" });
      expect(await webhooksOf(test).update(documentId, { url, headers: null })).to.have.property("secrets");
    });
  });
});
