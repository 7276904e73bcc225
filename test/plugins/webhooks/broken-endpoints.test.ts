import type { TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { examineChecks } from "#core/app/examine-checks.js";
import { eventually } from "../../core/database/driver/note-app.js";
import { eitherDatabase } from "../../databases.js";
import { administrator, endpoint, numbersAt, startWebhooks, tell, webhooksOf } from "./webhooks-app.js";

const ENDPOINT = "plugin::webhooks.endpoint";

describe("endpoints that were written past their check", () => {
  eitherDatabase(import.meta.url, (database) => {
    let test: TestApp;
    before("start an app with a good endpoint", async () => {
      test = await startWebhooks(database);
      await endpoint(test, "good", { events: ["test.told"] });
    });
    after("stop it", () => test?.stop());
    afterEach("remove the bad one", async () => {
      await webhooksOf(test).remove((await webhooksOf(test).find("bad"))?.documentId ?? "");
    });
    const write = async (values: object) => {
      const data = { name: "bad", url: "https://example.com/bad", events: ["test.told"], secrets: [], ...values };
      return (await test.app.documents(ENDPOINT).create({ data: data as never })).documentId;
    };
    let sent = 0;

    for (const [attribute, value] of [
      ["events", { "test.told": true }],
      ["events", [1]],
      ["types", 5],
      ["secrets", { first: "whsec_hush" }],
      ["headers", { "webhook-id": "hush" }],
    ] as const)
      it(`are disabled, and others get what happens: ${attribute} ${JSON.stringify(value)}`, async () => {
        await write({ [attribute]: value });
        sent += 1;
        await tell(test, "a", sent);
        await eventually(async () => expect(numbersAt(test, "/good")).to.have.length(sent));
        const bad = await webhooksOf(test).find("bad");
        expect(bad).to.include({ enabled: false });
        expect(bad?.disabled?.reason).to.include(attribute).and.not.include("hush");
        expect(await webhooksOf(test).deliveries({ endpoint: "bad" })).to.deep.equal([]);
        const problems = (await examineChecks(test.app.health)).filter(({ kind }) => kind === "disabled webhooks");
        expect(problems.map(({ where }) => where)).to.deep.equal(["bad"]);
      });

    it("are enabled by a change that corrects them, and by no other", async () => {
      const admin = await administrator(test);
      const documentId = await write({ types: { all: true }, secrets: [`whsec_${"a".repeat(44)}`] });
      const path = `/admin/webhooks/${documentId}`;
      const refused = await admin.put(path, { enabled: true });
      expect([refused.status, refused.body.error.code]).to.deep.equal([400, "PLINTH_WEBHOOKS_INVALID"]);
      expect(refused.body.error.message).to.match(/^types must be/);
      const corrected = await admin.put(path, { types: null, enabled: true });
      expect(corrected.body.data).to.include({ enabled: true, disabled: null });
      sent += 1;
      await tell(test, "a", sent);
      await eventually(async () => expect(numbersAt(test, "/bad")).to.deep.equal([sent]));
    });
  });
});
