import { expect } from "chai";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { adminPlugin } from "@plinth/plugin-admin";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { eventsPlugin } from "@plinth/plugin-events";
import { historyPlugin } from "@plinth/plugin-history";
import { jobs, jobsPlugin } from "@plinth/plugin-jobs";
import { schedulePlugin } from "@plinth/plugin-schedule";
import { webhooksPlugin } from "@plinth/plugin-webhooks";
import { eitherDatabase } from "../../databases.js";
import { serveAdmin } from "./serve-admin.js";
import { administratorOf, signIn } from "./sign-in.js";

const ARTICLES = "/content/api::article.article";
const HOUR = 60 * 60 * 1000;
const later = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();

/** What `ask` of the tests is given. */
interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sees no article above rank 100. */
const clerk = [
  ...["find", "findDrafts", "publish", "update"].map((action) => ({
    action: `api::article.article.${action}`,
    where: { rank: { $lt: 100 } },
  })),
  "api::article.article.create",
];

const app = {
  contentTypes: {
    "api::article.article": {
      kind: "collectionType",
      info: { singularName: "article", pluralName: "articles", displayName: "Article" },
      options: { draftAndPublish: true },
      attributes: { title: { type: "string", required: true }, rank: { type: "integer" }, slug: { type: "string" } },
    },
  },
} as const;

const withManager = {
  roles: { clerk, manager: ["plugin::admin.webhooks", "plugin::jobs.manage", "plugin::schedule.releases"] },
};
const pluginConfigs = { "api-tokens": { loginLimit: 1000 } };

eitherDatabase(import.meta.url, (database) => {
  describe("what the home screen is told", () => {
    const served = serveAdmin(database, {
      plugins: [
        contentApiPlugin,
        apiTokensPlugin,
        adminPlugin,
        eventsPlugin,
        jobsPlugin,
        historyPlugin,
        schedulePlugin,
        webhooksPlugin,
      ],
      pluginConfigs: { ...pluginConfigs, admin: withManager, jobs: { work: false } },
      app: {
        ...app,
        register: ({ extension }: never) => {
          const known = (extension as (ref: typeof jobs) => { define(definition: object): void })(jobs);
          known.define({ name: "newsletter", retries: 0, run: () => undefined });
        },
      } as never,
    });
    const ask = async (role: string, method: string, path: string, { body, headers }: Sent = {}) =>
      await served().ask(
        method,
        `/admin/api${path}`,
        { ...(await signIn(served().plinth.app, role)), ...headers },
        body,
      );
    const create = async (role: string, title: string, rank: number): Promise<string> => {
      const { body, text } = await ask(role, "POST", ARTICLES, { body: { data: { title, rank } } });
      if (!body?.data) throw new TypeError(text);
      return String(body.data.documentId);
    };
    const titles = async (role: string, path: string) =>
      (await ask(role, "GET", path)).body.data.map(({ title }: { title: string }) => title);
    const query = (text: string, values: readonly unknown[] = []) => served().plinth.app.db.query({ text, values });

    it("is what others changed last, a document once, with who and when, and nothing that the role does not see", async () => {
      const first = await create("editor", "First", 1);
      await create("editor", "Second", 200);
      await create("super", "Third", 3);
      await ask("editor", "PUT", `${ARTICLES}/${first}`, {
        body: { data: { title: "First again" } },
        headers: { "if-match": "*" },
      });
      expect(await titles("super", "/history/recent")).to.deep.equal(["First again", "Second"]);
      expect(await titles("editor", "/history/recent")).to.deep.equal(["Third"]);
      expect(await titles("clerk", "/history/recent")).to.deep.equal(["First again", "Third"]);
      expect((await ask("manager", "GET", "/history/recent")).body.data).to.deep.equal([]);
      const [change] = (await ask("super", "GET", "/history/recent")).body.data;
      expect(change).to.deep.include({ uid: "api::article.article", documentId: first, locale: null, state: "draft" });
      expect(change.by.name).to.equal("editor");
      expect(Math.abs(Date.now() - Date.parse(change.at))).to.be.below(60_000);
    });

    it("is what one sees, also behind many documents that one does not, and what code changed", async () => {
      const documents = served().plinth.app.documents("api::article.article");
      const hidden = await Promise.all(
        Array.from({ length: 60 }, (_, index) => documents.create({ data: { title: `Hidden ${index}`, rank: 500 } })),
      );
      expect(await titles("clerk", "/history/recent")).to.deep.equal(["First again", "Third"]);
      expect(await titles("super", "/history/recent"))
        .to.have.length(10)
        .and.satisfy((each: readonly string[]) => each.every((title) => title.startsWith("Hidden")));
      for (const { documentId } of hidden) await documents.delete({ documentId });
    });

    it("is also what was changed days ago where little was since, and not what is deleted", async () => {
      const old = await create("editor", "Old", 5);
      const gone = await create("editor", "Gone", 6);
      await query("update plinth_history set at = at - interval '3 days' where document_id = $1", [old]);
      expect(await titles("super", "/history/recent")).to.deep.equal(["Gone", "First again", "Second", "Old"]);
      await ask("super", "DELETE", `${ARTICLES}/${gone}`);
      expect(await titles("super", "/history/recent")).to.deep.equal(["First again", "Second", "Old"]);
    });

    it("is what is planned next, documents by what the role sees, releases where the role has them", async () => {
      const [open, hidden] = [await create("super", "Open", 1), await create("super", "Hidden", 500)];
      await ask("super", "POST", `/schedule/api::article.article/${hidden}`, { body: { publishAt: later(1) } });
      await ask("super", "POST", `/schedule/api::article.article/${open}`, {
        body: { publishAt: later(3), unpublishAt: later(9) },
      });
      const actions = [{ type: "api::article.article", documentId: hidden, action: "publish" }];
      const made = await ask("super", "POST", "/releases", { body: { name: "Spring", actions } });
      expect(made.status, made.text).to.equal(201);
      await ask("super", "POST", `/releases/${made.body.data.id}/schedule`, { body: { at: later(2) } });
      const all = (await ask("super", "GET", "/schedule/next")).body.data;
      expect(all.map(({ title, action }: { title: string; action: string }) => `${action} ${title}`)).to.deep.equal([
        ...["publish Hidden", "release Spring", "publish Open", "unpublish Open"],
      ]);
      expect(all[0]).to.deep.include({ kind: "document", release: null });
      expect(all[0].document).to.deep.equal({
        uid: "api::article.article",
        documentId: hidden,
        locale: null,
        state: "draft",
      });
      expect(all[1]).to.deep.include({
        kind: "release",
        document: null,
        release: { id: made.body.data.id, documents: 1 },
      });
      expect(await titles("clerk", "/schedule/next")).to.deep.equal(["Open", "Open"]);
      // Editors may use releases.
      expect(await titles("editor", "/schedule/next")).to.deep.equal(["Hidden", "Spring", "Open", "Open"]);
      expect(await titles("manager", "/schedule/next")).to.deep.equal([]);
      expect((await ask("clerk", "GET", "/schedule/next")).text).to.not.match(/Hidden|Spring/);
    });

    it("is what was planned and failed, with why, until it is planned anew", async () => {
      const problems = JSON.stringify([{ code: "X", path: ["slug"], message: "slug must be defined." }]);
      await query("update plinth_schedule set failed_at = now(), problems = $1::jsonb where action = 'publish'", [
        problems,
      ]);
      await query("update plinth_release set state = 'failed'");
      const all = (await ask("super", "GET", "/schedule/failed")).body.data;
      expect(all.map(({ title }: { title: string }) => title)).to.have.members(["Open", "Hidden", "Spring"]);
      expect(all.find(({ title }: { title: string }) => title === "Open").reason).to.equal("slug must be defined.");
      expect(await titles("clerk", "/schedule/failed")).to.deep.equal(["Open"]);
      expect(await titles("clerk", "/schedule/next")).to.deep.equal(["Open"]);
    });

    it("is which webhooks do not get what is sent, for those who manage webhooks", async () => {
      const endpoint = { name: "Shop", url: "https://shop.example/hook", events: ["*"] };
      const made = await served().ask("POST", "/admin/webhooks", await signIn(served().plinth.app, "super"), endpoint);
      expect((await ask("super", "GET", "/webhooks/failed")).body.data).to.deep.equal([]);
      const { documentId } = made.body.data ?? made.body;
      await query(
        `insert into plinth_deliveries (event, part, endpoint, key, type, locales, at, format, body, state, error, ended_at)
         select n, 1, $1, 'k', 'entry.publish', '{}', now(), 'standard', '{}', 'dead', 'refused ' || n, now() - n * interval '1 minute' from generate_series(1, 3) n`,
        [documentId],
      );
      const { data } = (await ask("manager", "GET", "/webhooks/failed")).body;
      expect(data).to.have.length(1);
      expect(data[0]).to.include({
        documentId,
        name: "Shop",
        failingSince: null,
        isDisabled: false,
        dead: 3,
        reason: "refused 1",
      });
      for (const role of ["editor", "author", "clerk"])
        expect((await ask(role, "GET", "/webhooks/failed")).status, role).to.equal(403);
    });

    it("is which jobs are dead, for those who manage jobs", async () => {
      await query(
        "insert into plinth_jobs (name, state, fault) values ('newsletter', 'dead', $1), ('newsletter', 'dead', $1)",
        [JSON.stringify({ message: "no mailer" })],
      );
      const { data } = (await ask("manager", "GET", "/jobs/failed")).body;
      expect(data).to.have.length(1);
      expect(data[0]).to.include({ name: "newsletter", dead: 2, reason: "no mailer" });
      expect((await ask("editor", "GET", "/jobs/failed")).status).to.equal(403);
    });

    it("is for those who are signed in, on a page of this origin", async () => {
      const { app: running } = served().plinth;
      const foreign = { ...(await signIn(running, "super")), "sec-fetch-site": "same-site" };
      for (const path of [
        "history/recent",
        "schedule/next",
        "schedule/failed",
        "webhooks/failed",
        "jobs/failed",
        "home/changed",
      ]) {
        expect((await served().ask("GET", `/admin/api/${path}`)).status, path).to.equal(401);
        expect((await served().ask("GET", `/admin/api/${path}`, foreign)).status, path).to.equal(403);
      }
    });
  });
});

eitherDatabase(import.meta.url, (database) => {
  describe("what others changed, where no history is kept", () => {
    const served = serveAdmin(database, {
      pluginConfigs: { ...pluginConfigs, admin: { roles: { clerk, manager: ["plugin::admin.others"] } } },
      app: app as never,
    });
    const ask = async (role: string, method: string, path: string, body?: unknown) =>
      await served().ask(method, `/admin/api${path}`, await signIn(served().plinth.app, role), body);
    const titles = async (role: string) =>
      (await ask(role, "GET", "/home/changed")).body.data.map(({ title }: { title: string }) => title);

    it("is found among the newest documents of a week, by whom they were changed last", async () => {
      for (const [role, title, rank] of [
        ["editor", "Theirs", 1],
        ["super", "Mine", 2],
        ["editor", "High", 500],
        ["editor", "Old", 3],
      ] as const)
        await ask(role, "POST", ARTICLES, { data: { title, rank } });
      const { db } = served().plinth.app;
      await db.query({
        text: "update articles set updated_at = now() - interval '8 days' where title = 'Old'",
        values: [],
      });
      expect(await titles("super")).to.deep.equal(["High", "Theirs"]);
      expect(await titles("editor")).to.deep.equal(["Mine"]);
      expect(await titles("clerk")).to.have.members(["Theirs", "Mine"]);
      expect(await titles("manager")).to.deep.equal([]);
      const { id } = await administratorOf(served().plinth.app, "editor");
      const [change] = (await ask("super", "GET", "/home/changed")).body.data;
      expect(change.by).to.deep.equal({ id, name: "editor" });
    });
  });
});
