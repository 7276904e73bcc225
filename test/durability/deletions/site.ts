// Two processes of one site with everything that can be deleted, and the three ways to ask them.
import { createPlinth, type PlinthApp } from "@plinth/core";
import { adminPlugin } from "@plinth/plugin-admin";
import { apiTokens, apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { eventsPlugin } from "@plinth/plugin-events";
import { graphqlPlugin } from "@plinth/plugin-graphql";
import { i18nPlugin } from "@plinth/plugin-i18n";
import { jobsPlugin } from "@plinth/plugin-jobs";
import { schedulePlugin } from "@plinth/plugin-schedule";
import { uploadPlugin } from "@plinth/plugin-upload";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Answered, requestJson } from "../../plugins/admin/serve-admin.js";
import { signIn } from "../../plugins/admin/sign-in.js";
import type { TestDatabase } from "../../databases.js";
import { CHEAP_ROUNDS } from "../../projects.js";

type Headers = Readonly<Record<string, string>>;

/** Sends a request: to the processes in turn, so that both take part. */
type Ask = (method: string, path: string, body?: unknown) => Promise<Answered>;

/** The site. */
export interface Site {
  readonly apps: readonly PlinthApp["app"][];
  /** The content API, with a token that may do everything. */
  readonly rest: Ask;
  /** The same over GraphQL. The status of an answer with an error is 400, or 500 where the server is at fault. */
  readonly graphql: (query: string, variables?: object) => Promise<Answered>;
  /** The admin page, as an administrator who may do everything. What is changed is there, unless headers say otherwise. */
  readonly admin: (method: string, path: string, body?: unknown, headers?: Headers) => Promise<Answered>;
  /** A request with headers of its own. */
  readonly ask: (method: string, path: string, headers: Headers, body?: unknown) => Promise<Answered>;
  /** Rows of a statement. */
  readonly rows: (text: string) => Promise<readonly object[]>;
}

const LOCALIZED = { pluginOptions: { i18n: { localized: true } } };
const info = (singularName: string, pluralName: string) => ({ singularName, pluralName, displayName: singularName });

const contentTypes = {
  "api::post.post": {
    kind: "collectionType",
    info: info("post", "posts"),
    options: { draftAndPublish: true },
    ...LOCALIZED,
    attributes: {
      title: { type: "string", ...LOCALIZED },
      cover: { type: "media", multiple: false },
      topic: { type: "relation", relation: "manyToOne", target: "api::topic.topic" },
      topics: { type: "relation", relation: "manyToMany", target: "api::topic.topic" },
    },
  },
  "api::topic.topic": {
    kind: "collectionType",
    info: info("topic", "topics"),
    options: { draftAndPublish: true },
    attributes: { name: { type: "string" } },
  },
} as const;

const PLUGINS = [
  ...[contentApiPlugin, apiTokensPlugin, usersPermissionsPlugin, i18nPlugin, uploadPlugin, graphqlPlugin],
  ...[eventsPlugin, jobsPlugin, schedulePlugin, adminPlugin],
];

/** Starts the site, twice on a server, and stops it after the suite. */
export function serveSite(database: TestDatabase): () => Site {
  const started: PlinthApp[] = [];
  const directory = mkdtempSync(join(tmpdir(), "plinth-deletions-"));
  let site: Site | undefined;
  before("start the site", async () => {
    const urls: string[] = [];
    for (let count = 0; count < (database.kind === "postgres" ? 2 : 1); count += 1) {
      const plinth = createPlinth({
        root: import.meta.dirname,
        passwordRounds: CHEAP_ROUNDS,
        plugins: PLUGINS,
        app: { contentTypes },
        config: {
          server: { port: 0 },
          log: { level: "silent" },
          database: database.config(),
          i18n: { defaultLocale: "en", locales: ["en"] },
        },
        pluginConfigs: {
          "api-tokens": { loginLimit: 100_000 },
          "users-permissions": { jwtSecret: "what only these tests know" },
          jobs: { work: false },
          upload: { providerOptions: { directory }, onDeleteInUse: "refuse" },
        },
      });
      started.push(plinth);
      urls.push((await plinth.start()) ?? "");
    }
    site = await openSite(
      started.map(({ app }) => app),
      urls,
    );
  });
  after("stop the site", async () => {
    for (const plinth of started) await plinth.stop();
    await rm(directory, { recursive: true, force: true });
  });
  return () => {
    if (!site) throw new TypeError("The site has not started.");
    return site;
  };
}

async function openSite(apps: Site["apps"], urls: readonly string[]): Promise<Site> {
  const [first] = apps as [PlinthApp["app"]];
  const { accessKey } = await first.service(apiTokens).create({ name: "all", type: "full-access" });
  const bearer = { authorization: `Bearer ${accessKey}` };
  const session = { ...(await signIn(first, "super")), "x-plinth-admin": "1" };
  let turn = 0;
  const ask: Site["ask"] = (method, path, headers, body) => {
    turn += 1;
    return requestJson(`${urls[turn % urls.length]}${path}`, method, headers, body);
  };
  return {
    apps,
    ask,
    rest: (method, path, body) => ask(method, `/api${path}`, bearer, body),
    graphql: async (query, variables = {}) => {
      const answer = await ask("POST", "/graphql", bearer, { query, variables });
      const [error] = answer.body?.errors ?? [];
      if (!error) return answer;
      return { ...answer, status: error.extensions?.code === "INTERNAL_SERVER_ERROR" ? 500 : 400 };
    },
    admin: (method, path, body, headers = { "if-match": "*" }) =>
      ask(method, `/admin${path}`, { ...session, ...headers }, body),
    rows: (text) => first.db.query({ text, values: [] }),
  };
}
