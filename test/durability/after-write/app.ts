import { setTimeout as sleep } from "node:timers/promises";
import {
  type App,
  createPlinth,
  type DatabaseConfig,
  definePlugin,
  ForbiddenError,
  type HttpContext,
  type PlinthApp,
  type RawContentType,
  writeHooks,
} from "@plinth/core";
import { audit, auditPlugin } from "@plinth/plugin-audit";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { events, eventsPlugin } from "@plinth/plugin-events";
import { type Jobs, jobs, jobsPlugin } from "@plinth/plugin-jobs";
import { releases, schedulePlugin, schedules } from "@plinth/plugin-schedule";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { webhooksPlugin } from "@plinth/plugin-webhooks";
import { pino } from "pino";

export const NOTE = "api::note.note";
export const ARTICLE = "api::article.article";

/** The environment variables with the addresses of the receiver and of the mail server, and the level of the log. */
export const RECEIVER = "PLINTH_TEST_RECEIVER";
export const MAILS = "PLINTH_TEST_MAILS";
const LOG = "PLINTH_TEST_LOG";

/** How the ids of documents begin that are fine when they are checked, and refused later. */
export const REFUSED = "refused";

/** Milliseconds that publishing a document takes at least, so that processes die in between. */
const SLOW = 40;
const SECRET = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
const OFTEN = { retries: 100, backoff: 0 };
/** A try each 0.3 s: what is not there for half a minute is there again. */
const TRIES = Array.from({ length: 100 }, (_, n) => (n === 0 ? 0 : 0.3));

const info = (name: string) => ({ singularName: name, pluralName: `${name}s`, displayName: name });
const note: Omit<RawContentType, "uid"> = {
  ...{ kind: "collectionType", info: info("note"), attributes: { text: { type: "string" } } },
};
const article: Omit<RawContentType, "uid"> = {
  ...{ kind: "collectionType", info: info("article"), options: { draftAndPublish: true } },
  attributes: { title: { type: "string", required: true } },
};

/** What was done, by those who did it: what was done twice stands there twice. */
const TABLES: Readonly<Record<string, string>> = {
  load_effects: "kind text, key text, job text, runs int not null default 1, primary key (kind, key, job)",
  load_handled: "place bigserial primary key, event bigint not null",
  load_publications: "document_id text not null, at timestamptz not null default clock_timestamp()",
};

const DO = `insert into load_effects (kind, key, job) values ($1, $2, $3)
  on conflict (kind, key, job) do update set runs = load_effects.runs + 1`;

/** A job whose effect is the same however often it is run, and one for each second. */
function declareJobs(jobs: Jobs): void {
  jobs.define<{ key: string }>({
    ...{ name: "effect", concurrency: 5, ...OFTEN },
    run: async ({ app, id, data }) => {
      await sleep(Math.random() * 30);
      await app.db.query({ text: DO, values: ["effect", data.key, id] });
      await sleep(Math.random() * 30);
    },
  });
  jobs.define<{ tick: string }>({
    ...{ name: "tick", concurrency: 2, ...OFTEN },
    run: ({ app, id, data }) => app.db.query({ text: DO, values: ["tick", data.tick, id] }),
  });
  jobs.cron("tick", "* * * * * *");
}

/** A release or a schedule that is asked for. */
export interface PlanRequest {
  readonly key: string;
  /** Milliseconds until it is due. */
  readonly delay: number;
  readonly documents: number;
  /** Whether one of the documents is refused when its time comes. */
  readonly isBroken: boolean;
  /** Whether all of it happens, or nothing. */
  readonly isWhole: boolean;
}

const bodyOf = <Body>(ctx: HttpContext): Body => ctx.request.body as Body;

/** A document, an event, a job and a mail: all of them, or none. */
async function order(app: App, key: string): Promise<void> {
  await app.db.transaction(async () => {
    await app.documents(NOTE).create({ data: { text: key } });
    await app.service(events).publish("shop.paid", {}, { key });
    await app.extension(jobs).enqueue("effect", { key });
    await app.mail.send({ to: "buyer@example.com", subject: key, text: "Thank you." });
  });
}

const draft = (app: App, documentId: string) =>
  app.documents(ARTICLE).create({ documentId, data: { title: documentId } });

async function planRelease(app: App, { key, delay, documents, isBroken, isWhole }: PlanRequest): Promise<void> {
  const ids = Array.from({ length: documents }, (_, n) => `${isBroken && n === 1 ? REFUSED : "fine"}-${key}-${n}`);
  const actions = ids.map((documentId) => ({ type: ARTICLE, documentId, action: "publish" as const }));
  await app.db.transaction(async () => {
    for (const id of ids) await draft(app, id);
    const { id } = await app.service(releases).create({ name: key, actions, transaction: isWhole });
    await app.service(releases).schedule(id, new Date(app.clock.now() + delay));
  });
}

async function planPublication(app: App, { key, delay }: PlanRequest): Promise<void> {
  const documentId = `fine-${key}`;
  await app.db.transaction(async () => {
    await draft(app, documentId);
    const publishAt = new Date(app.clock.now() + delay);
    await app.service(schedules).plan({ type: ARTICLE, documentId }, { publishAt });
  });
}

const load = definePlugin({
  name: "load",
  register({ on, registry, extension }) {
    for (const [name, columns] of Object.entries(TABLES))
      registry("table").add(name, { name, sql: [`create table ${name} (${columns})`] });
    declareJobs(extension(jobs));
    on(writeHooks.publish.before, async ({ documentId, isTrial }) => {
      if (isTrial) return;
      await sleep(SLOW);
      if (documentId.startsWith(REFUSED)) throw new ForbiddenError({});
    });
    on(writeHooks.publish.along, ({ documentId, isTrial }) =>
      isTrial
        ? []
        : [{ text: "insert into load_publications (document_id) values ($1)", values: [documentId], isPlan: true }],
    );
  },
  bootstrap({ app, service }) {
    service(events).consume("load", { types: ["entry.*", "shop.*"], batch: 20 }, async (batch) => {
      const text = "insert into load_handled (event) select unnest($1::bigint[])";
      await app.db.query({ text, values: [batch.map(({ id }) => id)] });
    });
  },
  controllers: {
    load: ({ app }) => ({
      order: async (ctx) => {
        await order(app, bodyOf<{ key: string }>(ctx).key);
        return { data: null };
      },
      release: async (ctx) => {
        await planRelease(app, bodyOf<PlanRequest>(ctx));
        return { data: null };
      },
      schedule: async (ctx) => {
        await planPublication(app, bodyOf<PlanRequest>(ctx));
        return { data: null };
      },
      verify: async () => {
        await app.service(audit).seal();
        return { data: await app.service(audit).verify() };
      },
    }),
  },
  routes: [
    { method: "POST", path: "/orders", handler: "load.order" },
    { method: "POST", path: "/releases", handler: "load.release" },
    { method: "POST", path: "/schedules", handler: "load.schedule" },
    { method: "POST", path: "/verify", handler: "load.verify" },
  ],
});

/** An app in which everything that comes after a write is on, and that may be written to by everybody. */
export function makeLoadApp(database: DatabaseConfig): PlinthApp {
  const endpoint = {
    url: process.env[RECEIVER] ?? "",
    events: ["entry.*", "shop.*"],
    secrets: [SECRET],
    content: true,
  };
  return createPlinth({
    ...{
      root: "/nowhere",
      environment: "test",
      log: pino({ level: process.env[LOG] ?? "silent" }, pino.destination(2)),
    },
    plugins: [
      contentApiPlugin,
      jobsPlugin,
      eventsPlugin,
      webhooksPlugin,
      schedulePlugin,
      auditPlugin,
      usersPermissionsPlugin,
      load,
    ],
    app: { contentTypes: { [NOTE]: note, [ARTICLE]: article } },
    config: {
      ...{ database, permissions: { public: ["api::*.*", "plugin::load.*"] } },
      server: { host: "127.0.0.1", port: 0, closeTimeout: 2_000, drainDelay: 0 },
      webhooks: { receiver: endpoint },
    },
    pluginConfigs: {
      ...{ jobs: { lease: 2_000 }, audit: { seal: 1 } },
      "users-permissions": {
        jwtSecret: "a secret of the tests that is long enough",
        mail: { smtp: process.env[MAILS] },
      },
      webhooks: { http: true, allow: ["127.0.0.1"], schedule: TRIES },
    },
  });
}
