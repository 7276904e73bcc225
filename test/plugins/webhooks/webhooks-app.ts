import type { RawContentType } from "@plinth/core";
import { apiTokens, apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { events, eventsPlugin } from "@plinth/plugin-events";
import { jobsPlugin } from "@plinth/plugin-jobs";
import { metricsPlugin } from "@plinth/plugin-metrics";
import {
  type EndpointValues,
  type EndpointWithSecrets,
  type Webhooks,
  webhooks,
  webhooksPlugin,
} from "@plinth/plugin-webhooks";
import { type Client, createTestApp, type TestApp, type TestAppOptions } from "@plinth/test-kit";
import type { TestDatabase } from "../../databases.js";

/** Articles: with drafts and locales, and something private. */
export const ARTICLE = "api::article.article";
/** Notes: with neither. */
export const NOTE = "api::note.note";

const LOCALIZED = { i18n: { localized: true } };

const article: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  info: { singularName: "article", pluralName: "articles", displayName: "Article" },
  options: { draftAndPublish: true },
  pluginOptions: LOCALIZED,
  attributes: {
    title: { type: "string", required: true, pluginOptions: LOCALIZED },
    secret: { type: "string", private: true },
    pin: { type: "password" },
  },
};

const note: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  info: { singularName: "note", pluralName: "notes", displayName: "Note" },
  attributes: { text: { type: "string" } },
};

/** What the tests may send to, and how often: quickly. */
export const QUICK = { http: true, schedule: [0, 0.05, 0.1] };

/** An app of articles and notes with webhooks, which the kit catches. */
export function startWebhooks(
  database: TestDatabase,
  config: object = {},
  options: TestAppOptions = {},
): Promise<TestApp> {
  return createTestApp({
    plugins: [contentApiPlugin, apiTokensPlugin, jobsPlugin, eventsPlugin, webhooksPlugin, metricsPlugin],
    database: database.config(),
    ...options,
    app: { contentTypes: { [ARTICLE]: article, [NOTE]: note }, ...options.app },
    config: { i18n: { defaultLocale: "en", locales: ["en", "fr"] }, server: { management: 0 }, ...options.config },
    pluginConfigs: { webhooks: { ...QUICK, ...config } },
  });
}

/** The service of an app. */
export const webhooksOf = ({ app }: Pick<TestApp, "app">): Webhooks => app.service(webhooks);

/** Makes an endpoint of a name, at a path of that name. */
export function endpoint(
  { app }: Pick<TestApp, "app">,
  name: string,
  values: Partial<EndpointValues> = {},
): Promise<EndpointWithSecrets> {
  return webhooksOf({ app }).create({ name, url: `https://example.com/${name}`, events: ["entry.*"], ...values });
}

/** Requests of an administrator. */
export async function administrator(test: TestApp): Promise<Client> {
  const { accessKey } = await test.app.service(apiTokens).create({ name: `admin ${Math.random()}`, type: "admin" });
  return test.withBearer(accessKey);
}

/** Publishes events of a document that is none: `n` is in their data. */
export async function tell(
  test: Pick<TestApp, "app">,
  documentId: string,
  ...numbers: readonly number[]
): Promise<void> {
  await test.app.db.transaction(async () => {
    for (const n of numbers) await test.app.service(events).publish("test.told", { uid: NOTE, documentId }, { n });
  });
}

/** The `n` of what was caught at a path. */
export const numbersAt = (test: TestApp, path: string): readonly number[] =>
  test.webhooks.all.filter((hook) => hook.path === path).map(({ body }) => body.data.data.n as number);
