import { jobsPlugin } from "@plinth/plugin-jobs";
import { schedulePlugin } from "@plinth/plugin-schedule";
import { expect } from "chai";
import { adminPlugin } from "@plinth/plugin-admin";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { eitherDatabase } from "../../databases.js";
import { serveAdmin } from "../admin/serve-admin.js";
import { signIn } from "../admin/sign-in.js";

const ARTICLE = "api::article.article";
const HOUR = 3_600_000;
/** More than are looked at in one go, and than were looked at in all. */
const MANY = 300;

/** Of these, "Secret" is not for the desk. */
const desk = [
  ...["find", "findOne", "findDrafts", "publish"].map((name) => ({
    action: `${ARTICLE}.${name}`,
    where: { title: { $ne: "Secret" } },
  })),
  "plugin::schedule.releases",
];

describe("the home screen's plans", () => {
  eitherDatabase(import.meta.url, (database) => {
    const served = serveAdmin(database, {
      plugins: [contentApiPlugin, apiTokensPlugin, jobsPlugin, schedulePlugin, adminPlugin],
      pluginConfigs: { "api-tokens": { loginLimit: 1000 }, admin: { roles: { desk } }, jobs: { work: false } },
    });
    const ask = async (role: string, method: string, path: string, body?: object) =>
      await served().ask(method, `/admin/api${path}`, await signIn(served().plinth.app, role), body);
    const write = async (title: string): Promise<string> =>
      (await ask("super", "POST", `/content/${ARTICLE}`, { data: { title } })).body.data.documentId;
    const later = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
    const titles = async (role: string, path: string): Promise<readonly string[]> =>
      (await ask(role, "GET", `/schedule/${path}`)).body.data.map(({ title }: { title: string }) => title);
    const query = (text: string, values: readonly unknown[] = []) => served().plinth.app.db.query({ text, values });
    /** Plans of versions of one document in languages that are gone do as well as many documents. */
    const planSecrets = (secret: string) =>
      query(
        `insert into plinth_schedule (uid, document_id, locale, action, at, failed_at)
          select '${ARTICLE}', $1, n::text, 'publish', now() + n * interval '1 s', case when n > ${MANY} then now() end
          from generate_series(1, ${2 * MANY}) n`,
        [secret],
      );
    const release = async (name: string, documentId: string) => {
      const actions = [{ type: ARTICLE, documentId, action: "publish" }];
      const { id } = (await ask("super", "POST", "/releases", { name, actions })).body.data;
      await ask("super", "POST", `/releases/${id}/schedule`, { at: later(5) });
    };
    const releaseSecrets = (secret: string) =>
      query(
        `with made as (insert into plinth_release (name, state, transaction, at)
            select 'Coup', 'scheduled', true, now() + n * interval '1 s' from generate_series(1, ${MANY}) n returning id)
          insert into plinth_release_action (release, place, uid, document_id, locale, action)
            select id, 0, '${ARTICLE}', $1, '', 'publish' from made`,
        [secret],
      );
    afterEach("forget all of it", async () => {
      for (const table of ["plinth_schedule", "plinth_release"]) await query(`delete from ${table}`);
    });

    it("are what one sees that comes next, behind any number of others", async () => {
      const [secret, own] = [await write("Secret"), await write("Own")];
      await planSecrets(secret);
      await releaseSecrets(secret);
      await ask("super", "POST", `/schedule/${ARTICLE}/${own}`, { publishAt: later(4) });
      await release("Spring", own);
      expect(await titles("desk", "next")).to.deep.equal(["Own", "Spring"]);
    });

    it("are what one sees that failed, behind any number of others", async () => {
      const [secret, own] = [await write("Secret"), await write("Own")];
      await ask("super", "POST", `/schedule/${ARTICLE}/${own}`, { publishAt: later(4) });
      await release("Spring", own);
      await query("update plinth_schedule set failed_at = now()");
      await planSecrets(secret);
      await releaseSecrets(secret);
      await query("update plinth_release set state = 'failed'");
      expect(await titles("desk", "failed")).to.have.members(["Own", "Spring"]);
    });

    it("are ten, the first to come", async () => {
      const ids = await Promise.all(Array.from({ length: 12 }, (_, n) => write(`${String(n).padStart(2, "0")}`)));
      for (const [n, id] of ids.entries())
        await ask("super", "POST", `/schedule/${ARTICLE}/${id}`, { publishAt: later(24 - n) });
      await release("Spring", String(ids[0]));
      expect(await titles("super", "next")).to.deep.equal([
        ...["Spring", "11", "10", "09", "08", "07", "06", "05", "04", "03"],
      ]);
    });
  });
});
