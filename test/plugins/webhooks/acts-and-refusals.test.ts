import type { Command } from "@plinth/core";
import { type Act, onAct } from "@plinth/core/access";
import type { Client, TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { runCommand } from "../../run-command.js";
import { administrator, endpoint, startWebhooks, webhooksOf } from "./webhooks-app.js";

const SECRET = `whsec_${Buffer.alloc(32, 3).toString("base64")}`;
const CLOSED = { url: "https://shop.example.com/hooks", events: ["shop.*"], secrets: [SECRET], enabled: false };

describe("requests of administrators about webhooks", () => {
  eitherDatabase(import.meta.url, (database) => {
    let test: TestApp;
    let admin: Client;
    const acts: Act[] = [];
    before("start an app", async () => {
      const note = (act: Act) => void acts.push(act);
      const config = { webhooks: { closed: CLOSED } };
      test = await startWebhooks(database, {}, { config, app: { register: ({ on }) => on(onAct, note) } });
      admin = await administrator(test);
    });
    after("stop it", () => test?.stop());
    afterEach("remove the endpoints", async () => {
      for (const { documentId, source } of await webhooksOf(test).list())
        if (source === "database") await webhooksOf(test).remove(documentId);
    });

    it("does not say that an endpoint is enabled that the configuration disables", async () => {
      const path = "/admin/webhooks/config:closed";
      const refused = await admin.put(path, { enabled: true });
      expect([refused.status, refused.body.error.code]).to.deep.equal([409, "PLINTH_WEBHOOKS_IN_CONFIG"]);
      const command = test.app.registry("command").get("webhooks enable") as Command;
      const error: unknown = await runCommand(command, test.app, { arguments: { endpoint: "closed" } }).catch(
        (thrown: unknown) => thrown,
      );
      expect(error).to.include({ code: "PLINTH_WEBHOOKS_IN_CONFIG" });
    });

    it("takes no list for an object", async () => {
      const headers = { authorization: "hush" };
      const { documentId } = await endpoint(test, "search", { headers });
      const path = `/admin/webhooks/${documentId}`;
      for (const body of [{ headers: ["a"] }, [], { data: [] }]) {
        const refused = await admin.put(path, body);
        expect([refused.status, refused.body.error?.code]).to.deep.equal([400, "PLINTH_WEBHOOKS_INVALID"]);
      }
      expect((await admin.get(path)).body.data.headers).to.deep.equal(["authorization"]);
      for (const verb of ["replay", "drop"]) {
        const refused = await admin.post(`${path}/${verb}`, []);
        expect([refused.status, refused.body.error?.code]).to.deep.equal([400, "PLINTH_WEBHOOKS_SELECTION_INVALID"]);
      }
    });

    it("tells the hook of acts of what is no write of an endpoint", async () => {
      const { documentId } = await endpoint(test, "search", { events: ["test.told"] });
      acts.length = 0;
      const path = `/admin/webhooks/${documentId}`;
      await admin.post(`${path}/test`);
      await admin.post(`${path}/replay`, { since: "1h", state: "waiting" });
      await admin.post(`${path}/drop`);
      const subject = { uid: "plugin::webhooks.endpoint", documentId };
      expect(acts.map(({ action, result, subject, details }) => ({ action, result, subject, details }))).to.deep.equal([
        { action: "webhook.test", result: "accepted", subject, details: { status: 200 } },
        {
          action: "webhook.replay",
          result: "accepted",
          subject,
          details: { deliveries: 0, since: "1h", state: "waiting" },
        },
        { action: "webhook.drop", result: "accepted", subject, details: { deliveries: 0 } },
      ]);
      for (const { origin } of acts) {
        expect(origin).to.include({ transport: "admin" });
        expect(origin.actor).to.include({ kind: "admin" });
      }
    });
  });
});
