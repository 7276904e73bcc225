import type { AppDefinition, DatabaseConfig, Plugin } from "@plinth/core";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { graphqlPlugin } from "@plinth/plugin-graphql";
import { type History, history, historyPlugin, type VersionInfo } from "@plinth/plugin-history";
import { createTestApp, type TestApp } from "@plinth/test-kit";

export const ARTICLE = "api::article.article";
export const NOTE = "api::note.note";
export const PAGE = "api::page.page";
export const PLACE: string = "api::place.place";
export const TAG = "api::tag.tag";

const LOCALIZED = { pluginOptions: { i18n: { localized: true } } };

const type = (name: string, attributes: object, more: object = {}) => ({
  kind: "collectionType" as const,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  ...more,
  attributes: attributes as Record<string, Record<string, unknown>>,
});

const component = (attributes: object) => ({
  info: { displayName: "part" },
  attributes: attributes as Record<string, Record<string, unknown>>,
});

const part = (uid: string, more: object = {}) => ({ type: "component", component: uid, ...more });
const to = (relation: string, name: string, more: object = {}) => ({
  ...{ type: "relation", relation, target: `api::${name}.${name}` },
  ...more,
});

/** Articles have everything, in drafts and languages; places have languages alone; notes are plain; pages are one; of tags no versions are kept. */
export const historyTypes: Pick<AppDefinition, "contentTypes" | "components"> = {
  components: {
    "shared.box": component({
      label: { type: "string" },
      key: { type: "password" },
      token: { type: "string", private: true, writable: false },
      tag: to("oneToOne", "tag"),
      inner: part("shared.lock"),
      locks: part("shared.lock", { repeatable: true }),
    }),
    "shared.lock": component({ code: { type: "string" }, pin: { type: "password" } }),
    "shared.tree": component({
      name: { type: "string" },
      pin: { type: "password" },
      below: part("shared.tree", { repeatable: true }),
    }),
  },
  contentTypes: {
    [ARTICLE]: type(
      "article",
      {
        title: { type: "string", ...LOCALIZED },
        body: { type: "richtext", ...LOCALIZED },
        price: { type: "decimal" },
        views: { type: "biginteger" },
        at: { type: "datetime", ...LOCALIZED },
        secret: { type: "password", ...LOCALIZED },
        token: { type: "string", private: true, writable: false },
        memo: { type: "string", private: true, ...LOCALIZED },
        box: part("shared.box", LOCALIZED),
        zone: { type: "dynamiczone", components: ["shared.box", "shared.lock"], ...LOCALIZED },
        tree: part("shared.tree", LOCALIZED),
        tag: to("manyToOne", "tag", LOCALIZED),
        tags: to("manyToMany", "tag", LOCALIZED),
        anything: { type: "relation", relation: "morphToMany", ...LOCALIZED },
      },
      { options: { draftAndPublish: true }, ...LOCALIZED },
    ),
    [NOTE]: type("note", { text: { type: "string" }, count: { type: "integer" }, tag: to("oneToOne", "tag") }),
    [PLACE]: type("place", { name: { type: "string", ...LOCALIZED }, size: { type: "integer" } }, LOCALIZED),
    [PAGE]: { ...type("page", { text: { type: "string" } }), kind: "singleType" as const },
    [TAG]: type("tag", { name: { type: "string" } }, { pluginOptions: { history: false } }),
  },
};

/** What the app is made with. */
export interface HistoryAppOptions {
  readonly config?: object;
  readonly app?: AppDefinition;
  readonly plugins?: readonly Plugin[];
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** A running app, and its history. */
export interface HistoryApp extends TestApp {
  readonly history: History;
}

/** Starts an app with history over REST and GraphQL. */
export async function startHistoryApp(database: DatabaseConfig, options: HistoryAppOptions = {}): Promise<HistoryApp> {
  const { config = {}, app = historyTypes, plugins = [], settings = {} } = options;
  const test = await createTestApp({
    plugins: [contentApiPlugin, graphqlPlugin, historyPlugin, ...plugins],
    app,
    database,
    pluginConfigs: { history: config },
    config: { i18n: { defaultLocale: "en", locales: ["en", "fr"] }, ...settings },
  });
  return { ...test, app: test.app, history: test.app.service(history) };
}

/** What a list says of each version, oldest first. */
export const told = (versions: readonly VersionInfo[]) =>
  versions.toReversed().map(({ action, status, changed }) => [action, status, changed]);
