import {
  alongLoad,
  type App,
  definePlugin,
  type LoadedVersion,
  type RawContentType,
  withOrigin,
  type WriteOrigin,
  writeHooks,
} from "@plinth/core";
import { adminPlugin } from "@plinth/plugin-admin";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { audit, auditPlugin } from "@plinth/plugin-audit";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { eventsPlugin } from "@plinth/plugin-events";
import { graphqlPlugin } from "@plinth/plugin-graphql";
import { history, historyPlugin } from "@plinth/plugin-history";
import { i18nPlugin } from "@plinth/plugin-i18n";
import { jobs, jobsPlugin } from "@plinth/plugin-jobs";
import { schedulePlugin } from "@plinth/plugin-schedule";
import { uploadPlugin } from "@plinth/plugin-upload";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { webhooksPlugin } from "@plinth/plugin-webhooks";
import { type Answer, type Client, createTestApp, type TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { runRequest } from "#core/cli/beside/run-request.js";
import { runTold } from "#core/cli/tell-command.js";
import type { Terminal } from "#core/cli/terminal.js";
import { invitations } from "#plugins/admin/src/accounts/invitations.js";
import { administrator } from "./webhooks/webhooks-app.js";

const NOTE = "api::note.note";
const PASSWORD = "Analytical-1";
const OTHER = "Different-2";
const PAGE = { "sec-fetch-site": "same-origin" };
const SOON = "2035-01-01T00:00:00Z";

const note: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  info: { singularName: "note", pluralName: "notes", displayName: "Note" },
  options: { draftAndPublish: true },
  attributes: { text: { type: "string" } },
};

/** A write that a hook was told of. */
interface Heard {
  readonly uid: string;
  readonly origin: WriteOrigin;
}

const listening = (heard: Heard[]) =>
  definePlugin({
    name: "listening",
    register: ({ on }) => {
      for (const { along } of Object.values(writeHooks))
        on(along, ({ uid, origin }) => {
          heard.push({ uid, origin });
          return [];
        });
      on(alongLoad, ({ uid, origin }) => {
        heard.push({ uid, origin });
        return [];
      });
    },
  });

/** What a sweep sends with, and what it has made on the way. */
interface Sweep {
  readonly test: TestApp;
  readonly all: Client;
  /** By the bearer of an administrator. */
  readonly tokens: Client;
  /** By the session of the admin page. */
  page(method: string, path: string, body?: unknown): Promise<Answer>;
  readonly made: Record<string, string>;
}

type Step = (sweep: Sweep) => Promise<Answer>;

const idOf = (sweep: Sweep, name: string): string => sweep.made[name] ?? expect.fail(`nothing has made ${name}`);

/** Sends, and keeps a value of the answer. */
const keeping =
  (name: string, step: Step, read: (body: Answer["body"]) => unknown = ({ data }) => data.documentId): Step =>
  async (sweep) => {
    const answer = await step(sweep);
    if (answer.status < 300) sweep.made[name] = String(read(answer.body));
    return answer;
  };

const linkIn = async ({ test }: Sweep, to: string, parameter: string): Promise<string> => {
  const { links } = await test.mails.next({ to });
  return links.map((link) => new URL(link).searchParams.get(parameter)).find(Boolean) ?? expect.fail("no link");
};

const AT = "2025-03-04T05:06:07.089Z";
/** A draft that is imported. */
const imported = (documentId: string, id: number): LoadedVersion => ({
  ...{ id, documentId, locale: "", publishedAt: null, createdAt: AT, updatedAt: AT },
  ...{ values: { text: "imported" }, links: {} },
});

/** What writes, one after the other: by the kind of its origin. */
const WRITES: Readonly<Record<"rest" | "graphql" | "admin", Readonly<Record<string, Step>>>> = {
  rest: {
    "a registration": keeping(
      "jwt",
      ({ test }) =>
        test.public.post("/api/auth/local/register", { username: "ada", email: "ada@example.com", password: PASSWORD }),
      ({ user }) => user.id,
    ),
    "a confirmation": async (sweep) => {
      const confirmation = await linkIn(sweep, "ada@example.com", "confirmation");
      const answer = await sweep.test.public.get(`/api/auth/email-confirmation?confirmation=${confirmation}`);
      // It leads to a page.
      return answer.status === 302 ? { ...answer, status: 200 } : answer;
    },
    "a login": keeping(
      "jwt",
      ({ test }) => test.public.post("/api/auth/local", { identifier: "ada", password: PASSWORD }),
      ({ jwt }) => jwt,
    ),
    "another password": keeping(
      "jwt",
      ({ test, made }) =>
        test.withBearer(made["jwt"] ?? "").post("/api/auth/change-password", {
          ...{ currentPassword: PASSWORD, password: OTHER, passwordConfirmation: OTHER },
        }),
      ({ jwt }) => jwt,
    ),
    "a forgotten password": ({ test }) => test.public.post("/api/auth/forgot-password", { email: "ada@example.com" }),
    "a new password": keeping(
      "refresh",
      async (sweep) => {
        const code = await linkIn(sweep, "ada@example.com", "code");
        const body = { code, password: PASSWORD, passwordConfirmation: PASSWORD };
        return sweep.test.public.post("/api/auth/reset-password", body);
      },
      ({ refreshToken }) => refreshToken,
    ),
    "a refresh": ({ test, made }) => test.public.post("/api/auth/refresh", { refreshToken: made["refresh"] }),
    "a new user": keeping(
      "user",
      async ({ test, all }) => {
        const role = await test.app
          .documents("plugin::users-permissions.role")
          .findFirst({ filters: { type: "authenticated" } });
        return all.post("/api/users", {
          username: "bob",
          email: "bob@example.com",
          password: PASSWORD,
          role: role?.id,
        });
      },
      ({ id }) => id,
    ),
    "a blocked user": (sweep) => sweep.all.put(`/api/users/${idOf(sweep, "user")}`, { blocked: true }),
    "a deleted user": (sweep) => sweep.all.delete(`/api/users/${idOf(sweep, "user")}`),
    "a new role": ({ all }) =>
      all.post("/api/users-permissions/roles", {
        ...{ name: "Writer", description: "writes" },
        permissions: { "api::note": { controllers: { note: { find: { enabled: true } } } } },
      }),
    "a changed role": async ({ all }) => {
      const { roles } = (await all.get("/api/users-permissions/roles")).body;
      const { id } = roles.find(({ name }: { name: string }) => name === "Writer");
      return all.put(`/api/users-permissions/roles/${id}`, { name: "Author", description: "writes", permissions: {} });
    },
    "a document": keeping("note", ({ all }) => all.post("/api/notes", { data: { text: "a" } })),
    "a changed document": (sweep) => sweep.all.put(`/api/notes/${idOf(sweep, "note")}`, { data: { text: "b" } }),
    "a restored version": async (sweep) => {
      const path = `/api/notes/${idOf(sweep, "note")}/history`;
      const { data } = (await sweep.all.get(path)).body;
      return sweep.all.post(`${path}/${data.at(-1).id}/restore`);
    },
    "a document taken back": (sweep) => sweep.all.post(`/api/notes/${idOf(sweep, "note")}/actions/unpublish`),
    "a release": keeping(
      "release",
      (sweep) => {
        const action = { type: NOTE, documentId: idOf(sweep, "note"), action: "publish" };
        return sweep.all.post("/api/schedule/releases", { name: "R", actions: [action] });
      },
      ({ data }) => data.id,
    ),
    "a folder": keeping("folder", ({ all }) => all.post("/api/upload/folders", { data: { name: "F" } })),
    "a file": ({ all }) => all.upload([{ name: "a.txt", content: "a" }]),
  },
  graphql: {
    "a document": ({ all }) => all.graphql('mutation { createNote(data: { text: "g" }) { documentId } }'),
    "a registration": ({ test }) =>
      test.public.graphql(
        `mutation { register(input: { username: "eve", email: "eve@example.com", password: "${PASSWORD}" }) { user { id } } }`,
      ),
    "a role": ({ all }) =>
      all.graphql('mutation { createUsersPermissionsRole(data: { name: "G", description: "g" }) { ok } }'),
  },
  admin: {
    "a token": keeping("token", ({ tokens }) => tokens.post("/admin/api-tokens", { name: "t", type: "read-only" })),
    "another key": (sweep) => sweep.tokens.post(`/admin/api-tokens/${idOf(sweep, "token")}/regenerate`),
    "another name": (sweep) => sweep.tokens.put(`/admin/api-tokens/${idOf(sweep, "token")}`, { name: "u" }),
    "no token": (sweep) => sweep.tokens.delete(`/admin/api-tokens/${idOf(sweep, "token")}`),
    "a locale": keeping("locale", ({ tokens }) => tokens.post("/admin/i18n/locales", { code: "de", name: "German" })),
    "another locale": (sweep) => sweep.tokens.put(`/admin/i18n/locales/${idOf(sweep, "locale")}`, { name: "Deutsch" }),
    "no locale": (sweep) => sweep.tokens.delete(`/admin/i18n/locales/${idOf(sweep, "locale")}`),
    "an endpoint": keeping("endpoint", ({ tokens }) =>
      tokens.post("/admin/webhooks", { name: "shop", url: "https://example.com/", events: ["shop.*"] }),
    ),
    "a secret": (sweep) => sweep.tokens.post(`/admin/webhooks/${idOf(sweep, "endpoint")}/secrets`),
    "another endpoint": (sweep) => sweep.tokens.put(`/admin/webhooks/${idOf(sweep, "endpoint")}`, { enabled: false }),
    "no endpoint": (sweep) => sweep.tokens.delete(`/admin/webhooks/${idOf(sweep, "endpoint")}`),
    "an entry": keeping("entry", ({ page }) => page("POST", `/content/${NOTE}`, { data: { text: "p" } })),
    "a copy of it": (sweep) => sweep.page("POST", `/content/${NOTE}/${idOf(sweep, "entry")}/actions/duplicate`),
    "some at once": (sweep) =>
      sweep.page("POST", `/content/${NOTE}/actions/publish`, { documentIds: [idOf(sweep, "entry")] }),
    "a working copy": (sweep) =>
      sweep.page("PUT", `/working-copies/${NOTE}/${idOf(sweep, "entry")}`, {
        changes: { text: "q" },
        device: "laptop",
      }),
    "no working copy": (sweep) => sweep.page("DELETE", `/working-copies/${NOTE}/${idOf(sweep, "entry")}`),
    "a release": async (sweep) => sweep.page("POST", `/releases/${idOf(sweep, "release")}/run`),
    "a schedule": (sweep) => sweep.page("POST", `/schedule/${NOTE}/${idOf(sweep, "entry")}`, { unpublishAt: SOON }),
    "no entry": (sweep) =>
      sweep.page("POST", `/content/${NOTE}/actions/delete`, { documentIds: [idOf(sweep, "entry")] }),
    "an administrator who was invited": async ({ test }) => {
      const { code } = await test.app.service(invitations).invite({ email: "new@example.com", role: "super" });
      const body = { code, name: "New", password: "correct horse battery" };
      return test.public.post("/admin/api/invitations/accept", body, { headers: PAGE });
    },
    "the end of a session": ({ page }) => page("DELETE", "/session"),
  },
};

const mails = {
  ...{ emailConfirmation: { enabled: true, redirectTo: "https://app.example.com/" }, jwtManagement: "refresh" },
  resetPassword: { url: "https://app.example.com/reset" },
};

describe("where writes come from", () => {
  const heard: Heard[] = [];
  let sweep: Sweep;
  let test: TestApp;
  /** After the start, and what the test made by itself. */
  let begun: number;

  before("start an app with all that writes", async () => {
    const content = [contentApiPlugin, graphqlPlugin, uploadPlugin, usersPermissionsPlugin, i18nPlugin, historyPlugin];
    const later = [jobsPlugin, eventsPlugin, webhooksPlugin, schedulePlugin, auditPlugin];
    test = await createTestApp({
      plugins: [...content, apiTokensPlugin, adminPlugin, ...later, listening(heard)],
      app: { contentTypes: { [NOTE]: note } },
      config: { server: { url: "https://api.example.com" } },
      pluginConfigs: { "users-permissions": mails },
    });
    const made: Record<string, string> = {};
    const tokens = await administrator(test);
    const { code } = await test.app.service(invitations).invite({ email: "ann@example.com", role: "super" });
    const body = { code, name: "Ann", password: "correct horse battery" };
    const accepted = await test.public.post("/admin/api/invitations/accept", body, { headers: PAGE });
    const cookie = accepted.headers.getSetCookie().find((each) => each.startsWith("plinth-admin=")) ?? "";
    const headers = { ...PAGE, cookie: cookie.split(";")[0] ?? "" };
    sweep = {
      ...{ test, tokens, made, all: test.as("all") },
      page: (method, path, sent) => test.public.request(method, `/admin/api${path}`, { headers, body: sent }),
    };
    begun = await latest(test.app);
  });
  beforeEach(() => {
    heard.length = 0;
  });
  after("stop it", () => test?.stop());

  for (const [transport, steps] of Object.entries(WRITES))
    for (const [name, step] of Object.entries(steps))
      it(`is ${transport} of ${name}`, async () => {
        const { status, body, text } = await step(sweep);
        expect(status, text).to.be.within(200, 299);
        expect(body?.errors, text).to.equal(undefined);
        await test.app.extension(jobs).idle();
        const own = heard.filter(({ uid }) => uid !== "plugin::admin.invitation" || transport !== "admin");
        const wrong = own.filter(({ origin }) => origin.transport !== transport);
        expect(wrong).to.deep.equal([]);
        for (const { origin } of own) expect(origin.requestId).to.be.a("string");
      });

  it("is no code in any endpoint that takes what is wrong", async () => {
    for (const { method, path, isPattern } of test.plinth.routes()) {
      if (method === "GET" || isPattern) continue;
      const at = path.replaceAll(/:[\w-]+/g, "1");
      await sweep.tokens.request(method, at, { body: {} });
      await sweep.all.request(method, at, { body: { data: {} } });
    }
    expect(heard.filter(({ origin }) => origin.transport === "code")).to.deep.equal([]);
  });

  it("is a command of a command that runs in a process that serves", async () => {
    const running = { by: "a test", root: test.app.root, app: test.app, hold: <T>(work: () => Promise<T>) => work() };
    const terminal = { print: () => undefined, say: () => undefined, fail: () => undefined } as unknown as Terminal;
    const request = { token: "", debug: false, isTyped: false, isShown: false, size: { columns: 80, rows: 24 } };
    const command = { command: "token create", arguments: {}, options: { name: "beside", type: "read-only" } };
    const read = () => Promise.reject(new TypeError("not read"));
    await runRequest({ ...request, ...command, root: test.app.root, user: "deploy" }, { ...running, read }, terminal);
    expect(heard).to.have.length.above(0);
    const deploy = { transport: "command", actor: { kind: "system", id: "deploy" } };
    expect(heard.map(({ origin }) => origin)).to.deep.equal(heard.map(() => deploy));
  });

  it("is the user of the system in what a command writes and imports", async () => {
    const told = { name: "own write", options: {}, user: "deploy" };
    await runTold(test.app, told, { fail: () => undefined }, async () => {
      await test.app.documents(NOTE).create({ data: { text: "by a command" } });
      await test.app.loader.load(NOTE, [imported("by-a-command", 9_001)]);
    });
    const actor = { kind: "system", id: "deploy" };
    expect(heard.map(({ origin }) => origin)).to.deep.equal([
      { transport: "command", actor },
      { transport: "import", actor },
    ]);
    const { entries } = await test.app.service(audit).list({ uid: NOTE, actor: "system:deploy" });
    expect(entries.map(({ action }) => action)).to.deep.equal(["document.import", "document.create"]);
    const [kept] = await test.app.service(history).list(NOTE, { documentId: "by-a-command" });
    expect(kept?.origin).to.deep.equal({ transport: "import", actor });
  });

  it("is an import of who imports, in which request", async () => {
    const origin = { transport: "rest", actor: { kind: "user", id: "ada" }, requestId: "first" } as const;
    await withOrigin(
      () => origin,
      () => test.app.loader.load(NOTE, [imported("by-a-request", 9_002)]),
    );
    expect(heard.map((each) => each.origin)).to.deep.equal([{ ...origin, transport: "import" }]);
  });

  it("is code where code acts by itself, whoever woke it", async () => {
    await test.app.documents(NOTE).create({ data: { text: "by itself" } });
    expect(heard.map(({ origin }) => origin)).to.deep.equal([{ transport: "code" }]);
  });

  it("is said by every event", async () => {
    const text =
      "select type, uid, origin from plinth_events where id > $1 and origin->>'transport' = 'code' order by id";
    const events = await test.app.db.query<{ uid: string }>({ text, values: [begun] });
    // The one of the test before.
    expect(events.map(({ uid }) => uid)).to.deep.equal([NOTE]);
  });
});

async function latest({ db }: App): Promise<number> {
  const rows = await db.query<{ id: number }>({
    text: "select coalesce(max(id), 0)::int as id from plinth_events",
    values: [],
  });
  return rows[0]?.id ?? 0;
}
