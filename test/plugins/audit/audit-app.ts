import type { RawContentType } from "@plinth/core";
import { adminPlugin } from "@plinth/plugin-admin";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { type Audit, type AuditEntry, type AuditFilter, audit, auditPlugin } from "@plinth/plugin-audit";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { graphqlPlugin } from "@plinth/plugin-graphql";
import { jobsPlugin } from "@plinth/plugin-jobs";
import { schedulePlugin } from "@plinth/plugin-schedule";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { createTestApp, type TestApp, type TestAppOptions } from "@plinth/test-kit";
import type { TestDatabase } from "../../databases.js";

/** Articles: with drafts and locales. */
export const ARTICLE = "api::article.article";
/** Notes: with neither. */
export const NOTE = "api::note.note";
/** Not noted. */
export const DRAFT = "api::scratch.scratch";

const type = (name: string, attributes: object, more: object = {}): Omit<RawContentType, "uid"> => ({
  kind: "collectionType",
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  ...more,
  attributes: attributes as Record<string, Record<string, unknown>>,
});

const LOCALIZED = { i18n: { localized: true } };

const types = {
  [ARTICLE]: type(
    "article",
    { title: { type: "string", required: true, pluginOptions: LOCALIZED }, pin: { type: "password" } },
    { options: { draftAndPublish: true }, pluginOptions: LOCALIZED },
  ),
  [NOTE]: type(
    "note",
    { text: { type: "string" }, state: { type: "string" } },
    { pluginOptions: { audit: { values: ["state"] } } },
  ),
  [DRAFT]: type("scratch", { text: { type: "string" } }, { pluginOptions: { audit: false } }),
};

const PLUGINS = [
  ...[contentApiPlugin, graphqlPlugin, apiTokensPlugin, adminPlugin, usersPermissionsPlugin],
  ...[jobsPlugin, schedulePlugin],
];

/** A running app, and its audit log. */
export interface AuditApp extends TestApp {
  readonly audit: Audit;
  /** Entries as they are now, oldest first. */
  entries(filter?: AuditFilter): Promise<readonly AuditEntry[]>;
  /**
   * What is written from now on, and is not of the start of the app, when `work` has ended. Without the counts of refusals: one
   * comes ten seconds after the first of them, so those of a test before may come now.
   */
  during(work: () => Promise<unknown>, filter?: AuditFilter): Promise<readonly AuditEntry[]>;
}

/** Starts an app of articles and notes with everything that is noted. It seals when it is asked to. */
export async function startAuditApp(
  database: TestDatabase,
  config: object = {},
  options: TestAppOptions = {},
): Promise<AuditApp> {
  const test = await createTestApp({
    plugins: [...PLUGINS, auditPlugin],
    database: database.config(),
    app: { contentTypes: types },
    config: { i18n: { defaultLocale: "en", locales: ["en", "fr"] } },
    ...options,
    pluginConfigs: { "api-tokens": { loginLimit: 1_000 }, ...options.pluginConfigs, audit: { seal: 3_600, ...config } },
  });
  const service = test.app.service(audit);
  const entries = async (filter: AuditFilter = {}) => {
    await test.app.service(audit).seal();
    return (await service.list(filter, { limit: 1_000 })).entries.toReversed();
  };
  const during = async (work: () => Promise<unknown>, filter: AuditFilter = {}) => {
    const known = new Set((await entries(filter)).map(({ id }) => id));
    await work();
    return (await entries(filter)).filter((entry) => !known.has(entry.id) && !isCount(entry));
  };
  return { ...test, app: test.app, audit: service, entries, during };
}

const isCount = ({ result, details }: AuditEntry): boolean => result === "refused" && details?.["count"] !== undefined;

/**
 * Seals until no entry waits for a seal: on PostgreSQL one waits for what the app was writing beside it, such as a heartbeat.
 *
 * @returns how many entries were sealed
 */
export async function sealAll(audit: Audit): Promise<number> {
  let sealed = 0;
  do sealed += await audit.seal();
  while ((await audit.verify()).unsealed > 0);
  return sealed;
}
