import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Command } from "@plinth/core";
import { jobs } from "@plinth/plugin-jobs";
import type { Client, TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { Webhook } from "standardwebhooks";
import { exportArchive } from "#core/app/archive/export-archive.js";
import { examineChecks } from "#core/app/examine-checks.js";
import { partsOf } from "../../core/app/archive/archive-project.js";
import { eventually } from "../../core/database/driver/note-app.js";
import { eitherDatabase } from "../../databases.js";
import { runCommand } from "../../run-command.js";
import { ENDPOINT_TYPE } from "#plugins/webhooks/src/content-types.js";
import { readMetrics } from "../metrics/read-metrics.js";
import { administrator, endpoint, NOTE, startWebhooks, tell, webhooksOf } from "./webhooks-app.js";

const SECRET = `whsec_${Buffer.alloc(32, 3).toString("base64")}`;
const SHOP = { url: "https://shop.example.com/hooks", events: ["shop.*", "test.told"], secrets: [SECRET] };
const LATE = { timeout: 20_000 };

describe("administration of webhooks", () => {
  eitherDatabase(import.meta.url, (database) => {
    let test: TestApp;
    let admin: Client;
    before("start an app", async () => {
      test = await startWebhooks(database, {}, { config: { webhooks: { shop: SHOP } } });
      admin = await administrator(test);
    });
    after("stop it", () => test?.stop());
    afterEach("remove the endpoints", async () => {
      for (const { documentId, source } of await webhooksOf(test).list())
        if (source === "database") await webhooksOf(test).remove(documentId);
      await test.app.db.query({ text: "delete from plinth_deliveries", values: [] });
      test.webhooks.answerWith({});
      test.webhooks.clear();
    });
    const run = (name: string, given: Parameters<typeof runCommand>[2] = {}) =>
      runCommand(test.app.registry("command").get(name) as Command, test.app, given);
    const codeOf = (attempt: Promise<unknown>) =>
      attempt.then(
        () => "done",
        ({ code }: { code: string }) => code,
      );
    const VALUES = { name: "search", url: "https://search.example.com/in?x=1", events: ["entry.publish", "test.*"] };

    it("carries endpoints in archives, secrets and headers only where they are asked for", async () => {
      const { secrets } = await webhooksOf(test).create({ ...VALUES, headers: { authorization: "hush" } });
      const settingsOf = async (withSecrets: boolean) => {
        const output = new PassThrough();
        const options = { version: "1.0.0", types: undefined, since: undefined, withFiles: false, fromPrimary: true };
        const [packed] = await Promise.all([
          buffer(output),
          exportArchive(test.app, { ...options, withSecrets, output, say: () => undefined }),
        ]);
        return String(partsOf(packed).get("settings.jsonl"));
      };
      const [plain, whole] = [await settingsOf(false), await settingsOf(true)];
      expect(plain).to.include(VALUES.url).and.not.include("hush").and.not.include(secrets[0]);
      expect(whole).to.include(VALUES.url).and.include("hush").and.include(secrets[0]);
    });

    it("is for administrators only", async () => {
      for (const [method, path] of [
        ["GET", "/admin/webhooks"],
        ["POST", "/admin/webhooks"],
        ["GET", "/admin/webhooks/a/deliveries"],
        ["POST", "/admin/webhooks/a/replay"],
        ["POST", "/admin/webhooks/a/drop"],
        ["POST", "/admin/webhooks/a/secrets"],
      ] as const) {
        expect((await test.public.request(method, path)).status).to.equal(401);
        expect((await test.as("all").request(method, path)).status).to.equal(401);
      }
    });

    it("makes, shows, changes and ends endpoints; secrets are shown once, headers never", async () => {
      const made = await admin.post("/admin/webhooks", { ...VALUES, headers: { authorization: "hush" } });
      expect(made.status).to.equal(201);
      const { secrets, documentId, ...rest } = made.body.data;
      expect(secrets).to.have.length(1);
      expect(rest).to.deep.equal({
        ...{ ...VALUES, source: "database", types: null, headers: ["authorization"], format: "standard" },
        ...{ content: false, coalesce: false, enabled: true, failingSince: null, disabled: null },
      });
      const path = `/admin/webhooks/${documentId}`;
      const shown = await admin.get(path);
      expect(shown.body.data).to.deep.equal({ documentId, ...rest });
      const changed = await admin.put(path, { events: ["*"], types: [NOTE], coalesce: true });
      expect(changed.body.data).to.deep.include({ events: ["*"], types: [NOTE], coalesce: true, url: VALUES.url });
      const rotated = await admin.post(`${path}/secrets`);
      expect(rotated.body.data.secrets).to.have.length(1).and.not.include(secrets[0]);
      const again = await admin.post(`${path}/secrets`);
      expect(again.text).not.to.include(rotated.body.data.secrets[0]);
      const stored = await test.app.documents(ENDPOINT_TYPE).findOne({ documentId, withPrivate: true });
      expect(stored?.["secrets"]).to.deep.equal([again.body.data.secrets[0], rotated.body.data.secrets[0]]);
      const list = await admin.get("/admin/webhooks");
      expect(list.body.data.map(({ name }: { name: string }) => name)).to.deep.equal(["shop", "search"]);
      expect(list.text).to.not.include("hush").and.not.include("whsec_");
      expect((await admin.delete(path)).status).to.equal(204);
      expect((await admin.get(path)).status).to.equal(404);
      expect((await admin.delete(path)).status).to.equal(404);
      expect((await admin.post(`${path}/secrets`)).status).to.equal(404);
      expect((await admin.put(path, { enabled: false })).status).to.equal(404);
    });

    it("says all that is wrong with an endpoint, without its secrets", async () => {
      const wrong = {
        ...{ name: "", url: "http://ada:pass@example.com", events: ["entry.%"], types: ["api::none.none"] },
        ...{ secrets: ["hush"], headers: { "webhook-id": "1" }, format: "xml", other: 1 },
      };
      const { status, body, text } = await admin.post("/admin/webhooks", wrong);
      expect([status, body.error.code]).to.deep.equal([400, "PLINTH_WEBHOOKS_INVALID"]);
      const paths = body.error.details.errors.map(({ path }: { path: string }) => path.split(/[.[]/)[0]);
      expect(paths).to.include.members(["name", "url", "events", "types", "secrets", "headers", "format", "other"]);
      expect(text).to.not.include("hush");
      const refusals: Readonly<Record<string, string>> = {
        "ftp://example.com/": "must begin with https: or http:",
        "https://ada:pass@example.com/": "credentials",
        nonsense: "must be an address",
      };
      for (const [url, message] of Object.entries(refusals)) {
        const refused = await admin.post("/admin/webhooks", { ...VALUES, url });
        expect(refused.body.error.details.errors[0]).to.have.property("path", "url");
        expect(refused.body.error.message).to.include(message);
      }
      for (const name of ["Host", "content-length", "Connection", "bad header"]) {
        const refused = await admin.post("/admin/webhooks", { ...VALUES, headers: { [name]: "x" } });
        expect(refused.body.error?.details.errors[0].path, name).to.match(/^headers/);
      }
      const taken = await admin.post("/admin/webhooks", { ...VALUES, name: "shop" });
      expect(taken.body.error.message).to.include("config/webhooks");
      await admin.post("/admin/webhooks", VALUES);
      expect((await admin.post("/admin/webhooks", VALUES)).status).to.equal(400);
    });

    it("leaves endpoints of the configuration as they stand there", async () => {
      await tell(test, "a", 1);
      const { text, headers } = await test.webhooks.next({ path: "/hooks" }, LATE);
      expect(new Webhook(SECRET).verify(text, { ...headers })).to.have.property("type", "test.told");
      const path = "/admin/webhooks/config:shop";
      expect((await admin.get(path)).body.data).to.include({ name: "shop", source: "config", url: SHOP.url });
      for (const refused of [
        await admin.put(path, { url: "https://example.com" }),
        await admin.put(path, { enabled: false }),
        await admin.delete(path),
        await admin.post(`${path}/secrets`),
      ])
        expect([refused.status, refused.body.error.code]).to.deep.equal([409, "PLINTH_WEBHOOKS_IN_CONFIG"]);
      test.webhooks.failTimes(1, { status: 410 });
      await tell(test, "a", 2);
      await eventually(async () => expect((await admin.get(path)).body.data).to.include({ enabled: false }));
      const [found] = (await examineChecks(test.app.health)).filter(({ kind }) => kind === "disabled webhooks");
      expect(found).to.include({ weight: "warning", where: "shop" });
      expect((await run("webhooks endpoints")).stdout).to.match(/shop .*disabled: .*410/);
      expect((await run("webhooks enable", { arguments: { endpoint: "shop" } })).stdout).to.equal('"shop" is enabled.');
      await tell(test, "a", 3);
      await test.webhooks.next({ path: "/hooks" }, LATE);
      await test.webhooks.next({ path: "/hooks" }, LATE);
      expect((await admin.get(path)).body.data).to.include({ enabled: true, disabled: null });
    });

    it("lists deliveries and sends them again, by request and by command", async () => {
      const { documentId } = await endpoint(test, "search", { events: ["test.told"] });
      const path = `/admin/webhooks/${documentId}`;
      test.webhooks.answerWith({ status: 503, body: "closed" });
      await tell(test, "a", 7);
      const dead = async () => (await admin.get(`${path}/deliveries`, { query: { state: "dead" } })).body.data;
      await eventually(async () => expect(await dead()).to.have.length(1));
      const [delivery] = await dead();
      expect(delivery).to.include({
        type: "test.told",
        documentId: "a",
        uid: NOTE,
        attempts: 3,
        status: 503,
        answer: "closed",
      });
      const listed = await run("webhooks deliveries", { options: { state: "dead", endpoint: "search", since: "1h" } });
      expect(listed.stdout).to.match(/search +test\.told +a +dead +3 +it answered 503/);
      const asJson = await run("webhooks deliveries", {
        options: { json: true, event: delivery.message, endpoint: "search" },
      });
      expect(JSON.parse(asJson.stdout)).to.deep.equal([delivery]);
      const none = await run("webhooks deliveries", { options: { since: "2999-01-01" } });
      expect(none.stdout).to.equal("There are no such deliveries.");
      test.webhooks.answerWith({});
      test.webhooks.clear();
      expect((await admin.post(`${path}/replay`, {})).body.data).to.deep.equal({ deliveries: 1 });
      const first = await test.webhooks.next({ path: "/search" }, LATE);
      await eventually(async () => expect(await dead()).to.have.length(0));
      const { stdout } = await run("webhooks replay", {
        options: { event: String(delivery.event), endpoint: "search", delivered: true },
      });
      expect(stdout).to.equal("1 delivery is sent again.");
      const second = await test.webhooks.next({ path: "/search" }, LATE);
      expect(second.headers["webhook-id"]).to.equal(first.headers["webhook-id"]);
      expect(second.text).to.equal(first.text);
      expect((await run("webhooks replay", { options: { since: "10m", endpoint: "search" } })).stdout).to.equal(
        "0 deliveries are sent again.",
      );
    });

    it("commands and requests say what they miss", async () => {
      expect(await codeOf(run("webhooks replay"))).to.equal("PLINTH_WEBHOOKS_SELECTION_INVALID");
      const madeUp = `evt_${"a".repeat(22)}`;
      for (const options of [
        { since: "soon" },
        { event: "first" },
        { event: madeUp },
        { state: "lost" },
        { limit: "0" },
      ])
        expect(await codeOf(run("webhooks deliveries", { options }))).to.equal("PLINTH_WEBHOOKS_SELECTION_INVALID");
      const endpoints = { options: { endpoint: "shopp" } };
      expect(await codeOf(run("webhooks deliveries", endpoints))).to.equal("PLINTH_WEBHOOKS_UNKNOWN");
      expect(await codeOf(run("webhooks enable", { arguments: { endpoint: "no" } }))).to.equal(
        "PLINTH_WEBHOOKS_UNKNOWN",
      );
      const path = "/admin/webhooks/config:shop";
      expect((await admin.get(`${path}/deliveries`, { query: { sort: "x" } })).status).to.equal(400);
      expect((await admin.post(`${path}/replay`, { since: { a: 1 } })).status).to.equal(400);
      expect((await admin.get("/admin/webhooks/none/deliveries")).status).to.equal(404);
    });

    it("health, doctor and metrics show what is dead, and what to do", async () => {
      const { documentId } = await endpoint(test, "down", { events: ["test.told"] });
      test.webhooks.answerWith({ status: 500 });
      await tell(test, "a", 1);
      await eventually(async () =>
        expect(await webhooksOf(test).deliveries({ endpoint: "down", state: "dead" })).to.have.length(1),
      );
      const dead = (await examineChecks(test.app.health)).filter(({ kind }) => kind === "dead deliveries");
      expect(dead.map(({ where }) => where)).to.include("down");
      expect(dead[0]?.advice).to.include("plinth webhooks replay");
      expect(test.app.health.report().checks).to.have.property("webhooks");
      const late = `update plinth_deliveries set state = 'waiting', next_at = now() + interval '1 day', at = now() - interval '3 hours'`;
      await test.app.db.query({ text: late, values: [] });
      const kinds = (await examineChecks(test.app.health)).map(({ kind }) => kind);
      expect(kinds).to.include("late deliveries");
      const text = await (await fetch(`${test.plinth.management()}/metrics`)).text();
      const { labelsOf, value } = readMetrics(text);
      const numbers = labelsOf("plinth_deliveries_total").map(({ endpoint: number }) => number);
      expect(numbers).to.include("c1");
      const [row] = await test.app.db.query<{ id: string }>({
        ...{ text: `select id::text from webhook_endpoints where document_id = $1`, values: [documentId] },
      });
      expect(value("plinth_deliveries_total", { endpoint: row?.id, result: "dead" })).to.equal(1);
      expect(value("plinth_deliveries_total", { endpoint: row?.id, result: "retry" })).to.equal(2);
    });

    it("forgets old deliveries, and those of endpoints that are gone", async () => {
      const { documentId } = await endpoint(test, "old", { events: ["test.told"] });
      await tell(test, "a", 1, 2);
      await eventually(async () =>
        expect(await webhooksOf(test).deliveries({ endpoint: "old", state: "delivered" })).to.have.length(2),
      );
      const text = `update plinth_deliveries set ended_at = now() - interval '8 days' where event = (select min(event) from plinth_deliveries where endpoint = $1)`;
      await test.app.db.query({ text, values: [documentId] });
      const waiting = `insert into plinth_deliveries (event, part, endpoint, key, type, locales, at, format, body)
        select n, 1, endpoint, 'key', 'test.told', '{}', now() - n * interval '1 day', 'standard', '{}'
        from unnest(array['ended', 'config:next']) endpoint, unnest(array[6, 8]) n`;
      await test.app.db.query({ text: waiting, values: [] });
      await test.app.extension(jobs).enqueue("webhooks:forget", {});
      await test.app.extension(jobs).idle();
      expect(await webhooksOf(test).deliveries({ endpoint: "old" })).to.have.length(1);
      const kept = "select endpoint, event::int from plinth_deliveries where state = 'waiting'";
      expect(await test.app.db.query({ text: kept, values: [] }), "of a newer configuration").to.deep.equal([
        { endpoint: "config:next", event: 6 },
      ]);
      await webhooksOf(test).remove(documentId);
      const left = await test.app.db.query({
        text: "select 1 from plinth_deliveries where endpoint = $1",
        values: [documentId],
      });
      expect(left).to.deep.equal([]);
    });
  });

  describe("of the configuration", () => {
    eitherDatabase(import.meta.url, (database) => {
      const refusal = (config: object, options: object = {}) =>
        startWebhooks(database, config, options).then(
          async (test) => {
            await test.stop();
            return "started";
          },
          (error: { code: string; message: string }) => `${error.code} ${error.message}`,
        );

      it("is refused at the start, with all that is wrong", async () => {
        const own = await refusal({ allow: ["10.0.0.0/40"], schedule: [], timeout: 3 });
        // The first try is at once: another time would never be used.
        expect(await refusal({ schedule: [5, 300] })).to.include("a list of seconds that begins with 0");
        expect(own).to.include("The configuration of webhooks cannot be used");
        for (const part of ["allow", "schedule", "timeout"]) expect(own).to.include(part);
        const shop = { ...SHOP, url: "http://x.example", secrets: ["whsec_short-and-secret"] };
        const file = await refusal(
          { http: false },
          { config: { webhooks: { shop, other: { ...SHOP, types: ["api::a.b"] } } } },
        );
        expect(file).to.include("config/webhooks").and.not.include("short-and-secret");
        const address = await refusal(
          { http: false, sendTo: undefined },
          { config: { webhooks: { shop: { ...SHOP, url: "https://127.0.0.1/" } } } },
        );
        expect(address).to.include("public address");
        expect(
          await refusal({ http: false }, { config: { webhooks: { shop: { ...SHOP, url: "http://x.example" } } } }),
        ).to.include("https:");
      });
    });
  });

  describe("where nothing takes its place", () => {
    eitherDatabase(import.meta.url, (database) => {
      let test: TestApp;
      before("start an app that sends to endpoints themselves", async () => {
        test = await startWebhooks(database, { sendTo: undefined, allow: ["127.0.0.1/32"] });
      });
      after("stop it", () => test?.stop());

      it("an allowed address gets what happens, and others are refused", async () => {
        await endpoint(test, "near", { url: `${test.webhooks.url}/near?a=b`, events: ["test.told"] });
        const inside = await webhooksOf(test)
          .create({ name: "inside", url: "https://10.0.0.7/", events: ["*"] })
          .catch((error) => error);
        expect(inside.message).to.include("public address");
        await tell(test, "a", 1);
        expect((await test.webhooks.next({ path: "/near" }, LATE)).path).to.equal("/near?a=b");
      });

      it("what was written past the check is not sent to, and no endpoint without a secret", async () => {
        const type = test.app.documents("plugin::webhooks.endpoint" as never);
        const data = { name: "past", url: "https://169.254.169.254/latest", events: ["test.told"], secrets: [SECRET] };
        await type.create({ data: data as never });
        await type.create({
          data: { ...data, name: "unsigned", url: `${test.webhooks.url}/unsigned`, secrets: null } as never,
        });
        await tell(test, "b", 1);
        const errorOf = async (name: string) =>
          (await webhooksOf(test).deliveries({ endpoint: name, state: "dead" }))[0]?.error;
        await eventually(async () => expect(await errorOf("past")).to.include("public address"));
        await eventually(async () => expect(await errorOf("unsigned")).to.include("secrets"));
        expect(test.webhooks.all.some(({ path }) => path === "/unsigned")).to.equal(false);
      });
    });
  });
});
