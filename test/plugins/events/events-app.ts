import { setTimeout as sleep } from "node:timers/promises";
import type { RawContentType } from "@plinth/core";
import type { RawComponent } from "@plinth/core/schema";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { type ConsumeOptions, type Event, type Events, events, eventsPlugin } from "@plinth/plugin-events";
import { graphqlPlugin } from "@plinth/plugin-graphql";
import { uploadPlugin } from "@plinth/plugin-upload";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { createTestApp, type TestApp, type TestAppOptions } from "@plinth/test-kit";
import { expect } from "chai";
import { eventually } from "../../core/database/driver/note-app.js";
import type { TestDatabase } from "../../databases.js";

/** Articles: with drafts and locales. */
export const ARTICLE = "api::article.article";
/** Notes: with neither. */
export const NOTE = "api::note.note";
/** Pages: of components in components. */
export const PAGE = "api::page.page";

const LOCALIZED = { i18n: { localized: true } };

const article: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  info: { singularName: "article", pluralName: "articles", displayName: "Article" },
  options: { draftAndPublish: true },
  pluginOptions: LOCALIZED,
  attributes: {
    title: { type: "string", required: true, pluginOptions: LOCALIZED },
    secret: { type: "string", private: true },
    seo: { type: "component", component: "shared.seo" },
    cover: { type: "media" },
    note: { type: "relation", relation: "manyToOne", target: NOTE },
  },
};

const page: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  info: { singularName: "page", pluralName: "pages", displayName: "Page" },
  attributes: {
    menu: { type: "component", component: "shared.menu" },
    blocks: { type: "dynamiczone", components: ["shared.menu", "shared.seo"] },
    secretMenu: { type: "component", component: "shared.menu", private: true },
    secretCover: { type: "media", private: true },
  },
};

const note: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  info: { singularName: "note", pluralName: "notes", displayName: "Note" },
  attributes: { text: { type: "string" } },
};

const seo: Omit<RawComponent, "uid"> = {
  info: { displayName: "SEO" },
  attributes: { title: { type: "string" }, hint: { type: "string", private: true } },
} as Omit<RawComponent, "uid">;

const menu = {
  info: { displayName: "Menu" },
  attributes: { links: { type: "component", component: "shared.link", repeatable: true } },
} as Omit<RawComponent, "uid">;

/** May be in itself. */
const link = {
  info: { displayName: "Link" },
  attributes: {
    label: { type: "string" },
    note: { type: "string", private: true },
    icon: { type: "media" },
    inner: { type: "component", component: "shared.link" },
  },
} as Omit<RawComponent, "uid">;

/** An app of articles and notes that tells what happens. */
export function startEvents(database: TestDatabase, options: TestAppOptions = {}): Promise<TestApp> {
  return createTestApp({
    plugins: [contentApiPlugin, graphqlPlugin, uploadPlugin, usersPermissionsPlugin, eventsPlugin],
    database: database.config(),
    ...options,
    app: {
      contentTypes: { [ARTICLE]: article, [NOTE]: note, [PAGE]: page },
      components: { "shared.seo": seo, "shared.menu": menu, "shared.link": link },
      ...options.app,
    },
    config: { i18n: { defaultLocale: "en", locales: ["en", "fr"] }, ...options.config },
  });
}

/** The service of an app. */
export const eventsOf = ({ app }: TestApp): Events => app.service(events);

/**
 * What was told while some work was done, as soon as it is settled: transactions of other databases on the server hold it back,
 * so the last event is one of ours that says that all before it is there.
 */
export async function toldBy(test: TestApp, work: () => Promise<unknown>): Promise<readonly Event[]> {
  const service = eventsOf(test);
  const place = await service.latest();
  await work();
  await service.publish(WORK_DONE);
  for (;;) {
    const { events: told } = await service.read(place);
    if (told.at(-1)?.type === WORK_DONE) return told.slice(0, -1);
    await sleep(20);
  }
}

const WORK_DONE = "test.work-done";

/**
 * Reads until so many events are there. A transaction of another database on the server holds them back for a moment where it
 * ends while the statement looks for it.
 */
export function readAll(test: TestApp, place: number, count: number): ReturnType<Events["read"]> {
  return eventually(async () => {
    const page = await eventsOf(test).read(place);
    expect(page.events.map(({ type }) => type)).to.have.length(count);
    return page;
  });
}

/** `entry.create api::note.note`, and so on. */
export const namesOf = (told: readonly Event[]): readonly string[] => told.map(({ type, uid }) => `${type} ${uid}`);

/** What a consumer was handed. */
export interface Handed {
  readonly all: Event[];
  /** Ends when there are so many. */
  reach(count: number): Promise<readonly Event[]>;
  stop(): Promise<void>;
}

/** Collects what a consumer is handed. @param fail - called before each batch is kept; may throw. */
export async function collect(
  test: TestApp,
  name: string,
  options: ConsumeOptions = {},
  fail: (batch: readonly Event[]) => void | Promise<void> = () => undefined,
): Promise<Handed> {
  const all: Event[] = [];
  const waiting = new Set<() => void>();
  const consumer = eventsOf(test).consume(name, options, async (batch) => {
    await fail(batch);
    all.push(...batch);
    for (const look of waiting) look();
  });
  await consumer.ready;
  const reach = (count: number) =>
    new Promise<readonly Event[]>((resolve) => {
      const look = () => {
        if (all.length < count) return;
        waiting.delete(look);
        resolve(all);
      };
      waiting.add(look);
      look();
    });
  return { all, reach, stop: () => consumer.stop() };
}

/** Another schema, or another embedded database. */
export function besideOf(database: TestDatabase): TestDatabase {
  const config = database.config();
  if (config.client === "pglite") return database;
  return { ...database, config: () => ({ ...config, schema: "beside" }) };
}
