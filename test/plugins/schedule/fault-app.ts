import { setTimeout as sleep } from "node:timers/promises";
import { type AppSetup, type DatabaseConfig, definePlugin, ForbiddenError, writeHooks } from "@plinth/core";
import { jobsPlugin } from "@plinth/plugin-jobs";
import { schedulePlugin } from "@plinth/plugin-schedule";
import { pino } from "pino";
import { CONTENT } from "./newsroom-app.js";

/** Milliseconds that publishing a document takes at least, so that processes die in between. */
const SLOW = 60;

/** How the ids of documents begin that are fine when they are checked, and refused later. */
export const REFUSED = "refused";

/** Notes each publication in its transaction: what was published twice stands there twice. */
const notes = definePlugin({
  name: "publication-notes",
  register({ on, registry }) {
    registry("table").add("notes", {
      name: "plinth_publications",
      sql: [
        "create table plinth_publications (document_id text not null, at timestamptz not null default clock_timestamp())",
      ],
    });
    on(writeHooks.publish.before, async ({ documentId, isTrial }) => {
      if (isTrial) return;
      await sleep(SLOW);
      if (documentId.startsWith(REFUSED)) throw new ForbiddenError({});
    });
    on(writeHooks.publish.along, ({ documentId }) => [
      { text: "insert into plinth_publications (document_id) values ($1)", values: [documentId], isPlan: true },
    ]);
  },
});

/** An app whose publications are slow and noted. */
export const faultSetup = (database: DatabaseConfig): AppSetup => ({
  ...{ root: "/nowhere", environment: "test", plugins: [jobsPlugin, schedulePlugin, notes], app: CONTENT },
  config: {
    ...{ database, server: { host: "127.0.0.1", port: 0, closeTimeout: 500 } },
    i18n: { defaultLocale: "en", locales: ["en", "de"] },
  },
  pluginConfigs: { jobs: { lease: 1_000 } },
  log: pino({ level: "silent" }),
});
