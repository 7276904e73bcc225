import type { App, Command, RawContentType } from "@plinth/core";
import { administrators, apiTokens } from "@plinth/plugin-api-tokens";
import { auditPlugin } from "@plinth/plugin-audit";
import { type Client, createTestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { tellingCommand } from "#core/cli/tell-command.js";
import { parseConfig } from "#plugins/audit/src/config.js";
import { Bursts, MOST_KINDS, WINDOW } from "#plugins/audit/src/writing/bursts.js";
import { networkOf } from "#plugins/audit/src/writing/places.js";
import { eitherDatabase } from "../../databases.js";
import { type CommandOutcome, runCommand } from "../../run-command.js";
import { signIn } from "../admin/sign-in.js";
import { ARTICLE, type AuditApp, NOTE, startAuditApp } from "./audit-app.js";

const AGENT = "Mozilla/5.0 (X11; Linux x86_64) Test/1.0";

eitherDatabase("postgres", (database) => {
  describe("reading the audit log", () => {
    let test: AuditApp;
    let admin: Client;
    let note = "";
    before("start an app, and do some things", async () => {
      test = await startAuditApp(database, { personal: "full", names: true });
      const { accessKey } = await test.app.service(apiTokens).create({ name: "auditor", type: "admin" });
      admin = test.withBearer(accessKey);
      note = (await test.app.documents(NOTE).create({ data: { text: "a" } })).documentId;
      await test.app.documents(NOTE).update({ documentId: note, data: { text: "b" } });
      await test
        .as("all", { id: 1, documentId: "ada" })
        .post("/api/articles", { data: { title: "A" } }, { headers: { "user-agent": AGENT } });
      await test.entries();
    });
    after("stop it", () => test?.stop());
    const list = async (query: string) => (await admin.get(`/admin/api/audit${query}`)).body;
    const run = (name: string, given: Parameters<typeof runCommand>[2] = {}): Promise<CommandOutcome> =>
      runCommand(test.app.registry("command").get(name) as Command, test.app as App, given);

    it("is for administrators whose role has the action, whatever documents they may read", async () => {
      expect((await test.public.get("/admin/api/audit")).status).to.equal(401);
      expect((await test.as("all").get("/admin/api/audit")).status).to.equal(401);
      const { app } = test;
      const roles = app.documents("plugin::admin.role");
      await roles.create({ data: { name: "auditor", grant: ["plugin::audit.read"] } });
      await roles.create({ data: { name: "writer", grant: ["plugin::admin.others", `${NOTE}.*`] } });
      const ask = async (role: string) =>
        await test.public.get("/admin/api/audit", { headers: await signIn(app, role) });
      expect((await ask("writer")).status).to.equal(403);
      const seen = await ask("auditor");
      expect(seen.status).to.equal(200);
      expect(seen.body.data.some(({ uid }: { uid?: string }) => uid === ARTICLE)).to.equal(true);
      const [written] = (await list(`?uid=${ARTICLE}`)).data;
      expect(written).to.deep.include({ address: "127.0.0.1", agent: AGENT });
    });

    it("streams the selected entries as lines, oldest first, to those who may read them, and notes that", async () => {
      const answer = await admin.get(`/admin/api/audit/export?documentId=${note}`);
      expect(answer.headers.get("content-type")).to.match(/^application\/jsonl/);
      expect(answer.headers.get("content-disposition")).to.include("audit.jsonl");
      const lines = answer.text.trim().split("\n");
      expect(lines.map((line) => JSON.parse(line).action)).to.deep.equal(["document.create", "document.update"]);
      expect((await admin.get("/admin/api/audit/export?since=soon")).body.error.code).to.equal(
        "PLINTH_AUDIT_SELECTION_INVALID",
      );
      expect((await admin.get("/admin/api/audit/export?limit=1")).status).to.equal(400);
      expect((await test.as("all").get("/admin/api/audit/export")).status).to.equal(401);
      await test.audit.seal();
      const noted = (await list("?action=audit.read")).data;
      expect(noted.some(({ details }: { details: object }) => "export" in details)).to.equal(true);
    });

    it("says what is kept, and whether the latest entries are as they were sealed", async () => {
      const head = (await admin.get("/admin/api/audit/head")).body;
      expect(head.meta.keeps).to.deep.equal({ personal: "full", names: true, days: 365 });
      const [one, other] = await Promise.all([1, 2].map(() => admin.get("/admin/api/audit/check")));
      expect(one?.body.data).to.include({ isWhole: true, break: null, isAll: true, isDone: true });
      expect(one?.body.data.entries).to.be.greaterThan(0);
      expect(other?.body).to.deep.equal(one?.body);
    });

    it("selects entries, and goes on page by page", async () => {
      const { data } = await list(`?documentId=${note}`);
      expect(data.map(({ action }: { action: string }) => action)).to.deep.equal([
        "document.update",
        "document.create",
      ]);
      const of = async (query: string) => (await list(query)).data.length;
      expect(await of(`?documentId=${note}&action=document.create`)).to.equal(1);
      expect(await of(`?documentId=${note}&action=document.*`)).to.equal(2);
      expect(await of(`?documentId=${note}&result=refused`)).to.equal(0);
      expect(await of(`?documentId=${note}&since=1h`)).to.equal(2);
      expect(await of(`?documentId=${note}&until=2020-01-01`)).to.equal(0);
      expect(await of("?actor=user:ada")).to.be.greaterThan(0);
      expect(await of("?actor=user:nobody")).to.equal(0);
      expect(await of("?actor=ada")).to.equal(await of("?actor=user:ada"));
      const whole = (await list("?limit=1000&action=document.*")).data;
      const paged: unknown[] = [];
      for (let after = ""; ; ) {
        const page = await list(`?limit=2&action=document.*${after}`);
        paged.push(...page.data);
        if (page.meta.next === null) break;
        after = `&after=${page.meta.next}`;
      }
      expect(paged.slice(-whole.length)).to.deep.equal(whole);
    });

    it("says what cannot be asked", async () => {
      for (const query of [
        "?limit=0",
        "?since=later",
        "?action=a_b",
        "?result=done",
        "?after=x",
        "?color=red",
        "?uid[a]=b",
        ...["?actor=%00", "?documentId=a%00", "?uid=%00", "/export?actor=%00"],
        ...[
          "?since=999999d",
          "?until=999999d",
          "?since=0000-01-01",
          "?since=9999-12-31T23:00-23:00",
          "/export?since=999999d",
        ],
      ]) {
        const { status, body } = await admin.get(`/admin/api/audit${query}`);
        expect([status, body.error.code], query).to.deep.equal([400, "PLINTH_AUDIT_SELECTION_INVALID"]);
      }
    });

    it("answers an export that cannot begin as an error, and not by half of it", async () => {
      const query = (text: string) => test.app.db.query({ text, values: [] });
      await test.audit.seal();
      await query("alter table plinth_audit rename to plinth_audit_away");
      const answer = await admin
        .get("/admin/api/audit/export")
        .finally(() => query("alter table plinth_audit_away rename to plinth_audit"));
      expect([answer.status, answer.body.error.name]).to.deep.equal([500, "InternalServerError"]);
      expect(answer.headers.get("content-disposition")).to.equal(null);
    });

    it("is noted itself, once in a while", async () => {
      await list("?limit=1");
      await list("?limit=1");
      const entries = await test.entries({ action: "audit.read" });
      expect(entries.length).to.be.greaterThan(0);
      expect(entries.filter(({ details }) => details?.["limit"] !== undefined)).to.deep.equal([]);
    });

    it("has names where it is configured", async () => {
      const person = { username: "rosalind", email: "rosalind@example.com", password: "correct horse battery" };
      await test.public.post("/api/auth/local/register", person);
      const [entry] = await test.entries({ action: "auth.register" });
      expect(entry?.actor).to.deep.equal({ kind: "user", id: entry?.documentId, name: "rosalind" });
      await test.app.service(administrators).create("grace@example.com", "correct horse battery");
      const cookie = await signIn(test.app, "auditor");
      await test.public.get("/admin/api/audit?limit=3", { headers: cookie });
      const read = await test.entries({ action: "audit.read", actor: "admin" });
      expect(read.some(({ actor }) => actor?.name === "auditor@example.com")).to.equal(true);
    });

    it("gives the latest seal to who keeps it elsewhere", async () => {
      await test.audit.seal();
      const { data } = (await admin.get("/admin/api/audit/head")).body;
      expect(data).to.deep.equal(await test.audit.head());
    });

    it("names the API token by which an administrator's route was asked, and what was done by it", async () => {
      const issued = await test.app.service(apiTokens).create({ name: "deploy robot", type: "admin" });
      const robot = test.withBearer(issued.accessKey);
      const actor = { kind: "admin", id: issued.documentId, name: "deploy robot" };
      const entries = await test.during(async () => {
        expect((await robot.get("/admin/api/audit?limit=3")).status).to.equal(200);
        expect((await robot.post("/admin/api-tokens", { name: "made", type: "read-only" })).status).to.equal(201);
      });
      expect(entries.map(({ action, actor: by }) => [action, by])).to.have.deep.members([
        ["audit.read", actor],
        ["document.create", actor],
      ]);
      const own = await test.entries({ actor: `admin:${issued.documentId}` });
      expect(own).to.have.length(2);
    });

    it("works by commands", async () => {
      const listed = await run("audit list", { options: { document: note } });
      expect(listed.stdout).to.include("document.update").and.to.include(note);
      const json = JSON.parse(
        (await run("audit list", { options: { document: note, json: true, limit: "1" } })).stdout,
      );
      expect(json).to.have.length(1);
      expect((await run("audit list", { options: { document: "none" } })).stdout).to.include("no such entries");
      const { hasFailed, stdout } = await run("audit verify");
      expect([hasFailed, stdout.split("\n").length]).to.deep.equal([false, 2]);
      const { head } = await test.audit.verify();
      expect((await run("audit verify", { options: { seal: `${head?.id}:${head?.hash}` } })).hasFailed).to.equal(false);
      const other = await run("audit verify", { options: { seal: `${head?.id}:${"0".repeat(64)}` } });
      expect(other.hasFailed).to.equal(true);
      expect(other.stdout).to.include(`seal ${head?.id} is not the one that was made`);
      expect(JSON.parse((await run("audit verify", { options: { json: true } })).stdout)).to.have.property(
        "isWhole",
        true,
      );
      expect((await run("audit verify", { options: { days: "30" } })).hasFailed).to.equal(false);
      for (const options of [{ seal: "x" }, { days: "0" }]) {
        const refused = await run("audit verify", { options }).then(
          () => undefined,
          ({ code }: { code: string }) => code,
        );
        expect(refused).to.equal("PLINTH_AUDIT_SELECTION_INVALID");
      }
      await run("audit export", { options: { type: NOTE } });
    });
  });

  describe("an audit log of an app that", () => {
    // An embedded database in memory is gone with its app.
    const itOnServer = database.kind === "postgres" ? it : () => undefined;

    it("leaves the user of the system out names them neither with commands nor with what these write", async () => {
      const test = await startAuditApp(database, { systemUser: false });
      try {
        const entries = await test.during(() =>
          tellingCommand(test.app, { name: "own", options: {}, user: "deploy" }, () =>
            test.app.documents(NOTE).create({ data: { text: "x" } }),
          ),
        );
        expect(entries.map(({ action, actor }) => [action, actor])).to.deep.equal([
          ["command.run", { kind: "system" }],
          ["document.create", { kind: "system" }],
        ]);
      } finally {
        await test.stop();
      }
    });

    itOnServer("stops has what was told last", async () => {
      const test = await startAuditApp(database, { personal: "none", seal: 1 });
      const known = await test.entries({ action: "access.refuse" });
      for (let n = 0; n < 5; n += 1) await test.public.get("/api/notes");
      await test.stop();
      const again = await startAuditApp(database);
      try {
        const entries = (await again.entries({ action: "access.refuse" })).slice(known.length);
        expect(entries).to.have.length(2);
        expect(entries[1]?.details).to.have.property("count", 4);
        expect(entries[0]).to.not.have.any.keys("address", "agent");
        expect(await again.audit.verify()).to.have.property("isWhole", true);
      } finally {
        await again.stop();
      }
    });
  });
});

describe("a wrong configuration of the audit log", () => {
  it("stops the start", async () => {
    expect(() => parseConfig({ personal: "some", colour: 1 }))
      .to.throw(/personal/)
      .with.property("code", "PLINTH_AUDIT_CONFIG_INVALID");
    const note: Omit<RawContentType, "uid"> = {
      kind: "collectionType",
      info: { singularName: "note", pluralName: "notes", displayName: "Note" },
      pluginOptions: { audit: { values: ["pin", "none"], colour: "red" } },
      attributes: { pin: { type: "password" }, text: { type: "string" } },
    };
    const refused = await createTestApp({ plugins: [auditPlugin], app: { contentTypes: { [NOTE]: note } } }).then(
      () => undefined,
      (error: Error) => error.cause as Error,
    );
    expect(refused).to.have.property("code", "PLINTH_AUDIT_OPTIONS_INVALID");
    for (const problem of ['"pin" is private', 'no attribute "none"', "colour"])
      expect(refused?.message).to.include(problem);
  });
});

describe("a flood of refusals", () => {
  const refusal = (path: string) => ({
    ...{ action: "access.refuse", result: "refused" as const, transport: "rest", actor_kind: "public", actor_id: null },
    ...{ uid: null, document_id: null, locales: null, attributes: null, request_id: null, address: null, agent: null },
    details: { path },
  });

  it("is an entry of each kind, and one that counts the others", () => {
    const bursts = new Bursts();
    const admitted = Array.from({ length: 50 }, () => bursts.admit(refusal("/a"), 1_000)).filter(Boolean);
    expect(admitted).to.have.length(1);
    expect(bursts.end(1_000 + WINDOW - 1)).to.deep.equal([]);
    expect(bursts.end(1_000 + WINDOW).map(({ details }) => details)).to.deep.equal([{ path: "/a", count: 49 }]);
    expect(bursts.admit(refusal("/a"), 1_000 + WINDOW)).to.equal(true);
    expect(bursts.end(1_001 + WINDOW, true)).to.deep.equal([]);
  });

  it("of many kinds has a bound", () => {
    const bursts = new Bursts();
    const admitted = Array.from({ length: 500 }, (_, n) => bursts.admit(refusal(`/${n}`), 0)).filter(Boolean);
    expect(admitted).to.have.length(MOST_KINDS);
    expect(bursts.end(WINDOW).map(({ details }) => details)).to.deep.equal([{ count: 500 - MOST_KINDS, others: true }]);
  });

  const signIn = (document_id: string) => ({
    ...refusal(""),
    ...{ action: "auth.sign-in", uid: "plugin::users-permissions.user", document_id, details: null },
  });

  it("leaves room for failed sign-ins, of each account one", () => {
    const bursts = new Bursts();
    const reading = (n: number) => ({ ...refusal(`/${n}`), action: "audit.read", result: "accepted" as const });
    for (let n = 0; n < 500; n += 1) bursts.admit(n % 2 === 0 ? refusal(`/${n}`) : reading(n), 0);
    expect(["a", "b", "a"].map((account) => bursts.admit(signIn(account), 0))).to.deep.equal([true, true, false]);
    const counted = bursts.end(WINDOW).filter(({ action }) => action === "auth.sign-in");
    expect(counted.map(({ document_id, details }) => [document_id, details])).to.deep.equal([["a", { count: 1 }]]);
  });

  it("says of which action those are that it leaves out, up to a bound", () => {
    const bursts = new Bursts();
    for (let n = 0; n < MOST_KINDS + 7; n += 1) bursts.admit(signIn(`account${n}`), 0);
    for (let n = 0; n < MOST_KINDS + 5; n += 1) bursts.admit(refusal(`/${n}`), 0);
    const told = () => bursts.end(WINDOW).map(({ action, result, details }) => [action, result, details?.["count"]]);
    expect(told()).to.deep.equal([
      ["auth.sign-in", "refused", 7],
      ["access.refuse", "refused", 5],
    ]);
    for (let n = 0; n < 3 * MOST_KINDS; n += 1) bursts.admit({ ...refusal(""), action: `shop.${n}` }, 2 * WINDOW);
    const ends = bursts.end(3 * WINDOW);
    expect(ends).to.have.length(MOST_KINDS + 1);
    expect(ends.at(-1)).to.deep.include({ action: "audit.lost", details: { count: MOST_KINDS, others: true } });
  });
});

describe("the network of an address", () => {
  const networks: Readonly<Record<string, string | null>> = {
    "203.0.113.77": "203.0.113.0",
    "::ffff:203.0.113.77": "203.0.113.0",
    "2001:db8:7:8::9": "2001:db8:7::",
    "2001:0DB8::1": "2001:db8:0::",
    "::1": "0:0:0::",
    "fe80::1%eth0": "fe80:0:0::",
    nonsense: null,
  };
  for (const [address, network] of Object.entries(networks))
    it(`of ${address} is ${network}`, () => expect(networkOf(address)).to.equal(network));
});
