import {
  type ActorUser,
  type App,
  createPlinth,
  definePlugin,
  type Handler,
  type Plugin,
  type PlinthApp,
  type Route,
} from "@plinth/core";
import { createAbility, type Grant } from "@plinth/core/access";
import { createReadParser } from "@plinth/core/reads";
import { administrators, apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import type { TestDatabase } from "../../../databases.js";
import { CHEAP_ROUNDS } from "../../../projects.js";

const ARTICLE = "api::article.article";

/** Writes everything, and changes, publishes and deletes what is their own; anything but drafts of others may be read. */
const WRITER: Grant = [
  ...["find", "findOne", "findDrafts", "create"].map((action) => `${ARTICLE}.${action}`),
  ...["update", "publish", "unpublish", "delete"].map((action) => ({
    action: `${ARTICLE}.${action}`,
    where: { createdBy: { id: "{{user.id}}" } },
  })),
];

interface Body {
  readonly data: Readonly<Record<string, unknown>>;
  readonly documentIds: readonly string[];
  readonly locale?: string;
}

/** An answer, parsed. */
export interface Answered {
  readonly status: number;
  // A test says what it expects of a body; a wrong guess fails there.
  // biome-ignore lint/suspicious/noExplicitAny: bodies have every form there is
  readonly body: any;
}

/** The app of two administrators who write, with articles in two locales. */
export interface Desk {
  readonly plinth: PlinthApp;
  readonly people: { readonly ada: ActorUser; readonly ben: ActorUser };
  /** Sends a request as somebody, or as the public. */
  ask(who: "ada" | "ben" | undefined, method: string, path: string, body?: object): Promise<Answered>;
}

/**
 * Lists and writes articles as an admin page does: for administrators, with facts, as they are stored, and with the person
 * who writes.
 */
const deskPlugin: Plugin = definePlugin({
  name: "desk",
  register({ app, route, strategy }) {
    strategy("desk", {
      name: "desk",
      authenticate: async (bearer) => {
        const user = (await app.service(administrators).list()).find(({ email }) => email === `${bearer}@example.com`);
        return user && { kind: "admin", user, ability: createAbility(WRITER, { user, kind: "admin" }) };
      },
    });
    route("articles", { createRoutes: () => [...listRoutes(app), ...writeRoutes(app)] });
  },
});

const routeOf = (method: "GET" | "POST" | "PUT", path: string, action: string, handler: Handler): Route => ({
  method,
  path: `/desk/articles${path}`,
  type: "root",
  config: { prefix: "", auth: { scope: [`${ARTICLE}.${action}`] } },
  handler,
});

function listRoutes({ model, documents, readBudget }: App): readonly Route[] {
  const type = model.contentTypes.get(ARTICLE);
  if (!type) throw new TypeError("no article");
  const limits = { defaultLimit: 25, maxLimit: 100, withCount: false };
  const asked = { kind: "list", limits, facts: true, asStored: true, defaultStatus: "draft" } as const;
  const parse = createReadParser(model, type, () => ({ ...asked, budget: readBudget }));
  return [
    routeOf("GET", "", "find", async (ctx) => {
      const { ability } = ctx.state.actor;
      const { text, nextCursor } = await documents(ARTICLE).read(parse(ctx.query, { visibility: "admin", ability }));
      ctx.body = { data: JSON.parse(text), nextCursor };
    }),
  ];
}

function writeRoutes({ documents }: App): readonly Route[] {
  const articles = () => documents(ARTICLE);
  const writeOf = (ctx: Parameters<Handler>[0]) => {
    const { ability, user } = ctx.state.actor;
    return {
      ...(ctx.request.body as unknown as Body),
      ability,
      author: user,
      facts: true,
      visibility: "admin",
    } as const;
  };
  return [
    routeOf("POST", "", "create", async (ctx) => {
      ctx.body = await articles().create(writeOf(ctx));
    }),
    routeOf("PUT", "/:documentId", "update", async (ctx) => {
      const documentId = String(ctx.params["documentId"]);
      ctx.body = (await articles().update({ ...writeOf(ctx), documentId })) ?? { gone: true };
    }),
    ...(["publishMany", "unpublishMany", "deleteMany", "updateMany"] as const).map((action) =>
      routeOf("POST", `/actions/${action}`, "find", async (ctx) => {
        ctx.body = { done: await articles()[action](writeOf(ctx)) };
      }),
    ),
  ];
}

/** Serves the app; stopped after the suite. */
export function serveDesk(database: TestDatabase): () => Desk {
  let desk: Desk | undefined;
  before("start the app", async () => {
    desk = await startDesk(database);
  });
  after("stop the app", () => desk?.plinth.stop());
  return () => {
    if (!desk) throw new TypeError("The app has not started.");
    return desk;
  };
}

async function startDesk(database: TestDatabase): Promise<Desk> {
  const plinth = createPlinth(deskSetup(database));
  const url = await plinth.start();
  const accounts = plinth.app.service(administrators);
  const ada = await accounts.create("ada@example.com", "Analytical-Engine-1843");
  const ben = await accounts.create("ben@example.com", "Analytical-Engine-1843");
  return {
    plinth,
    people: { ada, ben },
    ask: async (who, method, path, body) => {
      const headers = { ...(who ? { authorization: `Bearer ${who}` } : {}), "content-type": "application/json" };
      const response = await fetch(`${url}${path}`, {
        method,
        headers,
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await response.text();
      return { status: response.status, body: text && JSON.parse(text) };
    },
  };
}

/** What the app is made of. */
export function deskSetup(database: TestDatabase, config: object = {}): Parameters<typeof createPlinth>[0] {
  return {
    root: import.meta.dirname,
    passwordRounds: CHEAP_ROUNDS,
    plugins: [contentApiPlugin, apiTokensPlugin, deskPlugin],
    app: {
      contentTypes: {
        [ARTICLE]: {
          kind: "collectionType",
          info: { singularName: "article", pluralName: "articles", displayName: "Article" },
          options: { draftAndPublish: true },
          pluginOptions: { i18n: { localized: true } },
          attributes: {
            title: { type: "string", required: true, pluginOptions: { i18n: { localized: true } } },
            views: { type: "integer", index: true, pluginOptions: { i18n: { localized: true } } },
            notes: { type: "string", writable: false, pluginOptions: { i18n: { localized: true } } },
          },
        },
      },
    },
    config: {
      log: { level: "silent" },
      server: { port: 0 },
      i18n: { defaultLocale: "en", locales: ["en", "fr"] },
      database: database.config(),
      access: { public: [`${ARTICLE}.find`, `${ARTICLE}.findOne`, `${ARTICLE}.create`] },
      ...config,
    },
    pluginConfigs: { "api-tokens": { salt: "salt-of-tests-only", adminSecret: "secret-of-tests-only" } },
  };
}
