import { expect } from "chai";
import { jobsPlugin, jobs } from "@plinth/plugin-jobs";
import { schedulePlugin, schedules } from "@plinth/plugin-schedule";
import { adminPlugin } from "@plinth/plugin-admin";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { eitherDatabase } from "../../databases.js";
import { serveAdmin } from "../admin/serve-admin.js";
import { administratorOf, signIn } from "../admin/sign-in.js";

const ARTICLE = "api::article.article";
const HOUR = 3_600_000;
const READ = ["find", "findOne", "findDrafts"].map((name) => `${ARTICLE}.${name}`);
/** Who reads all, and publishes what they made. */
const OWNER = [
  ...[...READ, `${ARTICLE}.create`],
  { action: `${ARTICLE}.publish`, where: { createdBy: { id: "{{user.id}}" } } },
];

describe("the calendar of plans and releases", () => {
  eitherDatabase(import.meta.url, (database) => {
    const served = serveAdmin(database, {
      plugins: [contentApiPlugin, apiTokensPlugin, jobsPlugin, schedulePlugin, adminPlugin],
      pluginConfigs: {
        "api-tokens": { loginLimit: 1000 },
        admin: { roles: { reader: READ, owner: OWNER, public: [`${ARTICLE}.find`] } },
      },
    });
    const ask = async (role: string, method: string, path: string, body?: object) =>
      await served().ask(method, `/admin/api${path}`, await signIn(served().plinth.app, role), body);
    const write = async (role: string, title: string): Promise<string> =>
      (await ask(role, "POST", `/content/${ARTICLE}`, { data: { title } })).body.data.documentId;
    const later = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
    const plan = (role: string, documentId: string, body: object) =>
      ask(role, "POST", `/schedule/${ARTICLE}/${documentId}`, body);
    const calendar = (role: string, rest = "", from = later(-48), to = later(24 * 30)) =>
      ask(role, "GET", `/schedule?from=${from}&to=${to}${rest}`);
    const settle = () => served().plinth.app.extension(jobs).idle();
    /** Makes what is planned due. */
    const arrive = async (documentId: string) => {
      const { db } = served().plinth.app;
      const text = "update plinth_schedule set at = now() - interval '11 s' where document_id = $1";
      await db.query({ text, values: [documentId] });
      await served().plinth.app.extension(jobs).enqueue("schedule:look", {});
      await settle();
    };
    afterEach("forget all of it", async () => {
      for (const table of ["plinth_schedule", "plinth_schedule_past", "plinth_release"])
        await served().plinth.app.db.query({ text: `delete from ${table}`, values: [] });
    });

    it("has what waits, by its time, and who planned it", async () => {
      const [first, second] = [await write("super", "First"), await write("super", "Second")];
      const { documentId } = await administratorOf(served().plinth.app, "editor");
      await served()
        .plinth.app.documents("plugin::api-tokens.admin")
        .update({ documentId, data: { name: "Grace" } });
      const at = [later(3), later(2), later(5)];
      await plan("editor", first, { publishAt: at[0], unpublishAt: at[2] });
      await plan("super", second, { publishAt: at[1] });
      const { data, meta } = (await calendar("super")).body;
      expect(meta).to.deep.equal({ isCut: false });
      expect(
        data.map((each: { documentId: string; action: string; at: string }) => [each.documentId, each.action, each.at]),
      ).to.deep.equal([
        [second, "publish", at[1]],
        [first, "publish", at[0]],
        [first, "unpublish", at[2]],
      ]);
      expect(data[1]).to.deep.include({
        kind: "document",
        type: ARTICLE,
        locale: null,
        state: "waiting",
        endedAt: null,
        problems: [],
      });
      expect(data.map(({ by }: { by: object }) => by)).to.deep.equal([
        { kind: "admin", name: "super" },
        { kind: "admin", name: "Grace" },
        { kind: "admin", name: "Grace" },
      ]);
      const of = await ask("super", "GET", `/schedule/${ARTICLE}/${first}`);
      expect(of.body.data[0].by).to.deep.equal({ kind: "admin", name: "Grace" });
      expect((await calendar("super", "", later(4))).body.data).to.have.length(1);
      expect((await calendar("super", "&type=api::none.none")).body.data).to.have.length(0);
      await served()
        .plinth.app.service(schedules)
        .plan({ type: ARTICLE, documentId: second }, { unpublishAt: new Date(later(9)) });
      expect((await calendar("super")).body.data.at(-1).by).to.equal(null);
    });

    it("keeps what came of a plan: done, or refused and why, also when it is planned again", async () => {
      const [good, bad] = [await write("super", "Good"), await write("super", "Bad")];
      await plan("super", good, { publishAt: later(1) });
      await plan("super", bad, { publishAt: later(1) });
      await served()
        .plinth.app.documents(ARTICLE)
        .update({ documentId: bad, data: { title: null } });
      for (const documentId of [good, bad]) await arrive(documentId);
      await plan("super", bad, { publishAt: later(2) });
      const { data } = (await calendar("super")).body;
      const ends = data.map(
        ({ documentId, state, endedAt }: { documentId: string; state: string; endedAt: string | null }) => [
          ...[documentId, state, endedAt !== null],
        ],
      );
      expect(ends).to.have.deep.members([
        [good, "done", true],
        [bad, "failed", true],
        [bad, "waiting", false],
      ]);
      const [failed] = data.filter(({ state }: { state: string }) => state === "failed");
      expect(failed.problems[0].path).to.deep.equal(["title"]);
      await ask("super", "DELETE", `/content/${ARTICLE}/${bad}`);
      expect((await calendar("super")).body.data).to.have.length(1);
    });

    it("forgets what came of plans after a year", async () => {
      const { db, extension } = served().plinth.app;
      const text = `insert into plinth_schedule_past (uid, document_id, locale, action, at)
        select '${ARTICLE}', 'a', '', 'publish', now() - age * interval '1 day' from unnest(array[364, 366]) age`;
      await db.query({ text, values: [] });
      await extension(jobs).enqueue("schedule:forget", {});
      await settle();
      expect(await db.query({ text: "select 1 from plinth_schedule_past", values: [] })).to.have.length(1);
    });

    it("shows authors what they made, and counts nothing else", async () => {
      const hidden = await write("super", "Secret");
      const own = await write("author", "Mine");
      for (const documentId of [hidden, own]) await plan("super", documentId, { publishAt: later(1) });
      await ask("super", "POST", "/releases", {
        ...{ name: "Coup", actions: [{ type: ARTICLE, documentId: hidden, action: "publish" }] },
      });
      const { data, meta } = (await calendar("author")).body;
      expect(data.map(({ documentId }: { documentId: string }) => documentId)).to.deep.equal([own]);
      expect(meta).to.deep.equal({ isCut: false });
      expect((await calendar("reader")).body.data).to.have.length(2);
      // A reader of what is live sees no plan of a draft, but that something live is taken back.
      expect((await calendar("public")).body.data).to.have.length(0);
      await ask("super", "POST", `/content/${ARTICLE}/${hidden}/actions/publish`);
      await plan("super", hidden, { unpublishAt: later(2) });
      expect((await calendar("public")).body.data.length).to.be.above(0);
      expect((await calendar("nobody")).body.data).to.have.length(0);
    });

    it("lets those who publish only what they made plan that, and end no plan of others", async () => {
      const [own, other] = [await write("owner", "Mine"), await write("super", "Other")];
      await plan("super", other, { publishAt: later(1) });
      const statusOf = async (documentId: string) =>
        [
          ...[
            await plan("owner", documentId, { publishAt: later(2) }),
            await plan("owner", documentId, { publishAt: null }),
          ],
          await ask("owner", "DELETE", `/schedule/${ARTICLE}/${documentId}`),
        ].map(({ status }) => status);
      expect(await statusOf(own)).to.deep.equal([200, 200, 204]);
      expect(await statusOf(other)).to.deep.equal([403, 403, 403]);
      expect((await calendar("super")).body.data).to.have.length(1);
    });

    it("does not let many hidden plans say that there are any", async () => {
      const own = await write("author", "Mine");
      const { db } = served().plinth.app;
      const secret = await write("super", "Secret");
      const text = `insert into plinth_schedule_past (uid, document_id, locale, action, at)
        select '${ARTICLE}', $1, '', 'publish', now() + n * interval '1 s' from generate_series(1, 700) n`;
      await db.query({ text, values: [secret] });
      await plan("super", own, { publishAt: later(5) });
      const { data, meta } = (await calendar("author")).body;
      expect([data.length, meta.isCut]).to.deep.equal([1, false]);
      const all = (await calendar("super")).body;
      expect([all.data.length, all.meta.isCut]).to.deep.equal([500, true]);
    });

    it("has releases, for who may use them and sees every document of them", async () => {
      const actions = [{ type: ARTICLE, documentId: await write("super", "One"), action: "publish" }];
      const { id } = (await ask("editor", "POST", "/releases", { name: "Spring", actions })).body.data;
      const at = later(4);
      await ask("editor", "POST", `/releases/${id}/schedule`, { at });
      const [entry] = (await calendar("super")).body.data;
      expect(entry).to.deep.include({ kind: "release", id, name: "Spring", at, state: "scheduled", documents: 1 });
      expect((await calendar("super", `&type=${ARTICLE}`)).body.data).to.have.length(1);
      expect((await calendar("super", "&type=api::note.note")).body.data).to.have.length(0);
      expect((await calendar("reader")).body.data).to.have.length(0);
      expect((await calendar("author")).body.data).to.have.length(0);
    });

    it("counts the documents of a release, and reads none of them for who sees all of their type", async () => {
      const ids = [await write("super", "One"), await write("super", "Two"), await write("author", "Three")];
      const actions = ids.map((documentId) => ({ type: ARTICLE, documentId, action: "publish" }));
      const { id } = (await ask("super", "POST", "/releases", { name: "Spring", actions })).body.data;
      await ask("super", "POST", `/releases/${id}/schedule`, { at: later(4) });
      const { db } = served().plinth.app;
      const read: string[] = [];
      const query = db.query.bind(db);
      db.query = async (statement) => {
        const rows = await query(statement);
        if (statement.text.includes("plinth_release_action")) read.push(JSON.stringify(rows));
        return rows as never;
      };
      const { data } = (await calendar("super")).body;
      db.query = query;
      expect(data.map(({ name, documents }: { name: string; documents: number }) => [name, documents])).to.deep.equal([
        ["Spring", 3],
      ]);
      expect(read).to.have.length(1);
      expect(ids.filter((documentId) => read.join().includes(documentId))).to.deep.equal([]);
    });

    it("refuses spans that are none", async () => {
      for (const query of [
        "",
        "?from=a&to=b",
        `?from=${later(0)}&to=${later(1)}&type=%00`,
        "?from=2030-02-31T09:00:00Z&to=2030-03-31T09:00:00Z",
        `?from=${later(1)}&to=${later(0)}`,
        `?from=${later(0)}&to=${later(24 * 401)}`,
      ]) {
        const { status, body } = await ask("super", "GET", `/schedule${query}`);
        expect([status, body.error.code], query).to.deep.equal([400, "PLINTH_SCHEDULE_INVALID"]);
      }
    });
  });
});
