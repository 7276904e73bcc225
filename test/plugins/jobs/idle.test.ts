import { setTimeout as sleep } from "node:timers/promises";
import type { Statement } from "@plinth/core";
import { expect } from "chai";
import { eachDatabase } from "../../databases.js";
import { type JobsApp, startJobsApp } from "./jobs-app.js";

/** The statements of the store: who takes jobs, and who looks whether there are any. */
const TAKES = /^with due as/;
const LOOKS = /^select name, \(extract/;

describe("an app whose jobs are waited for", () => {
  eachDatabase((database) => {
    let app: JobsApp | undefined;
    afterEach("stop it", () => app?.plinth.stop());

    it("is not idle while a job is taken that nobody sees to wait any more", async () => {
      const ran: number[] = [];
      app = await startJobsApp(database.config(), {
        declare: (jobs) => jobs.define({ name: "note", run: ({ attempt }) => ran.push(attempt) }),
      });
      const { db } = app.plinth.app;
      await app.jobs.idle();
      const query = db.query.bind(db);
      let [isNextLookOurs, tell]: [boolean, () => void] = [false, () => undefined];
      const taken = new Promise<void>((done) => {
        tell = done;
      });
      const slowed = async (statement: Statement) => {
        if (isNextLookOurs && LOOKS.test(statement.text)) {
          isNextLookOurs = false;
          await taken;
        }
        const rows = await query(statement);
        if (!TAKES.test(statement.text) || rows.length === 0) return rows;
        tell();
        // Until the look has been answered, and the caller of idle has gone on.
        await sleep(300);
        return rows;
      };
      // Before there is a job: who takes it at once has to tell.
      Object.assign(db, { query: slowed });
      await query({ text: "insert into plinth_jobs (name, data) values ('note', '1')", values: [] });
      isNextLookOurs = true;
      await app.jobs.idle().finally(() => Object.assign(db, { query }));
      expect(ran).to.deep.equal([1]);
    });
  });
});
