import { listRoutes } from "@plinth/core/http";
import { admin, adminPlugin } from "@plinth/plugin-admin";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { auditPlugin } from "@plinth/plugin-audit";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { eventsPlugin } from "@plinth/plugin-events";
import { historyPlugin } from "@plinth/plugin-history";
import { i18nPlugin } from "@plinth/plugin-i18n";
import { jobsPlugin } from "@plinth/plugin-jobs";
import { metricsPlugin } from "@plinth/plugin-metrics";
import { schedulePlugin } from "@plinth/plugin-schedule";
import { uploadPlugin } from "@plinth/plugin-upload";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { webhooksPlugin } from "@plinth/plugin-webhooks";
import { expect } from "chai";
import type { PageExtensions } from "#plugins/admin/src/page/page-extensions.js";
import { ENTRIES, SEALS } from "#plugins/audit/src/tables.js";
import { CONSUMERS, FLOOR, NEWEST, STREAM } from "#plugins/events/src/tables.js";
import { DELIVERIES } from "#plugins/webhooks/src/tables.js";
import { eitherDatabase } from "../../databases.js";
import { fingerprint as fingerprintOf } from "../content-api/hostile-requests.js";
import type { Asked, Sent, Things } from "./granting-row.js";
import { SETTINGS_ROWS } from "./granting-rows.js";
import { type Answered, serveAdmin } from "./serve-admin.js";
import { administratorOf, signIn } from "./sign-in.js";

const GRANTS_MORE = "PLINTH_ADMIN_GRANTS_MORE";
const ARTICLE = "api::article.article";
const NOTE = "api::note.note";
const PAYROLL = "api::payroll.payroll";
/** Parts of values that no answer has. */
const SECRET = /hush|whsec_|\$2[aby]\$|[0-9a-f]{128}/;

/** What each partial role has beside one action of the settings. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  "plugin::schedule.releases": ["find", "findOne", "findDrafts", "unpublish"].map((name) => `${ARTICLE}.${name}`),
};

const typeOf = (name: string, hasDrafts: boolean) => ({
  kind: "collectionType" as const,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish: hasDrafts },
  attributes: { title: { type: "string" as const } },
});

eitherDatabase(import.meta.url, (database) => {
  describe("every endpoint of the settings, for an administrator with one action of them", () => {
    const served = serveAdmin(database, {
      plugins: [
        ...[contentApiPlugin, apiTokensPlugin, adminPlugin, auditPlugin, eventsPlugin, historyPlugin, i18nPlugin],
        ...[jobsPlugin, metricsPlugin, schedulePlugin, uploadPlugin, usersPermissionsPlugin, webhooksPlugin],
      ],
      pluginConfigs: {
        jobs: { work: false },
        "api-tokens": { loginLimit: 1000 },
        "users-permissions": { jwtSecret: "what only these tests know" },
        webhooks: { http: true, allow: ["127.0.0.1"] },
      },
      app: {
        contentTypes: {
          [ARTICLE]: typeOf("article", true),
          [NOTE]: typeOf("note", false),
          [PAYROLL]: typeOf("payroll", false),
        },
      },
    });
    const app = () => served().plinth.app;
    /** All that is stored, but for the log, sessions, and what the server writes by itself about the events of before. */
    const fingerprint = () =>
      fingerprintOf(served().plinth, [
        ...[ENTRIES, SEALS, "admin_sessions", "plinth_counters", DELIVERIES],
        ...[CONSUMERS, FLOOR, NEWEST, STREAM],
      ]);

    const make = async (path: string, body: object): Promise<Answered["body"]> => {
      const made = await served().ask("POST", `/admin${path}`, await signIn(app(), "super"), body);
      expect(made.status, made.text).to.equal(201);
      return made.body.data ?? made.body;
    };
    let count = 0;
    /** One of each kind, with the right to read documents of a type. */
    const makeThings = async (uid: string, action: "publish" | "unpublish"): Promise<Things> => {
      count += 1;
      const [name, find] = [`${action} ${count}`, `${uid}.find`];
      const { documentId: role } = await app()
        .documents("plugin::admin.role")
        .create({ data: { name, grant: [find] } });
      const account = await administratorOf(app(), name.replace(" ", "-"));
      await app()
        .documents("plugin::api-tokens.admin")
        .update({ documentId: account.documentId, data: { role: name } });
      const userRole = (await make("/api/user-roles", { name, grant: [find] })).documentId;
      const email = `${action}${count}@users.example.com`;
      const user = { username: name, email, password: "Analytical-1", role: userRole };
      const hook = { name, url: "http://127.0.0.1:1/hook", events: ["entry.*"], content: true, types: [uid] };
      const documentId = await draft();
      const released = { name, actions: [{ type: ARTICLE, documentId, action }] };
      return {
        ...{ role, roleName: name, account: account.documentId, userRole },
        token: (await make("/api-tokens", { name, type: "custom", permissions: [find] })).documentId,
        user: (await make("/api/users", user)).documentId,
        webhook: (await make("/webhooks", { ...hook, headers: { "x-key": "hush" } })).documentId,
        invitation: (await make("/api/invitations", { email: `guest${count}@example.com`, role: name })).invitation.id,
        release: (await make("/api/releases", released)).id,
      };
    };
    const draft = async () =>
      (
        await app()
          .documents(ARTICLE)
          .create({ data: { title: "Embargoed" } })
      ).documentId;
    const makeAsked = async (above: Things): Promise<Asked> => {
      const types = app().documents("plugin::users-permissions.role");
      const hook = { name: `plain ${count}`, url: "http://127.0.0.1:1/plain", events: ["entry.*"] };
      return {
        above,
        below: await makeThings(NOTE, "unpublish"),
        publicRole: (await types.findFirst({ filters: { type: "public" } }))?.documentId ?? "",
        plainWebhook: (await make("/webhooks", { ...hook, headers: { "x-key": "hush" } })).documentId,
        article: await draft(),
      };
    };

    /** The endpoints with the action that each asks for, as the app declares them. */
    const guarded = (): ReadonlyMap<string, string> =>
      new Map(
        listRoutes(app().registry("route"), { app: app() }).flatMap(({ route: { method, path, config } }) =>
          (config?.policies ?? []).flatMap((policy) => {
            const { name, config: gate = {} } = Object(policy) as { name?: string; config?: Record<string, unknown> };
            if (!name?.endsWith("is-administrator") || gate["anyRole"] === true) return [];
            return [[`${method} ${config?.prefix}${String(path)}`, String(gate["action"] ?? "plugin::admin.others")]];
          }),
        ),
      );
    const actions = () => Object.keys((app().extension(admin) as PageExtensions).listActions());
    const roleOf = (action: string) => `only-${action.replace(/^plugin::/, "").replaceAll(".", "-")}`;
    const as = (action: string) => signIn(app(), roleOf(action));
    const send = (name: string, { path, body, headers }: Sent, by: Readonly<Record<string, string>>) =>
      served().ask(name.split(" ")[0] ?? "", `/admin${path}`, { ...by, "x-plinth-admin": "1", ...headers }, body);

    let above: Things;
    before("make things that may do more, and a role for each action of the settings", async () => {
      above = await makeThings(PAYROLL, "publish");
      for (const action of actions())
        await app()
          .documents("plugin::admin.role")
          .create({ data: { name: roleOf(action), grant: [action, `${NOTE}.find`, ...(BESIDE[action] ?? [])] } });
      for (const action of actions()) await as(action);
    });

    it("has a row in this test, or is for every administrator", () => {
      expect([...guarded().keys()].toSorted()).to.deep.equal(Object.keys(SETTINGS_ROWS).toSorted());
      expect(new Set(guarded().values())).to.include.members(["plugin::admin.tokens", "plugin::schedule.releases"]);
      for (const [name, { above: refused, harmless }] of Object.entries(SETTINGS_ROWS))
        expect(refused === undefined, `${name} says why it is harmless, or what it refuses`).to.equal(
          harmless !== undefined,
        );
    });

    it("is closed to each role with another action, and nothing changes", async () => {
      const asked = await makeAsked(above);
      const people = new Map(await Promise.all(actions().map(async (action) => [action, await as(action)] as const)));
      const before = await fingerprint();
      for (const [name, action] of guarded())
        for (const [other, by] of people) {
          if (other === action) continue;
          const row = SETTINGS_ROWS[name];
          const answer = await send(name, row?.above?.(asked)[0] ?? (row?.within(asked) as Sent), by);
          expect([answer.status, answer.body?.error?.code], `${name} by ${other}`).to.deep.equal([
            403,
            "PLINTH_ACCESS_FORBIDDEN",
          ]);
        }
      expect(await fingerprint()).to.deep.equal(before);
    });

    it("refuses the role with its action to give, change, or be shown the secret of rights beyond it", async () => {
      const asked = await makeAsked(above);
      for (const [name, action] of guarded()) {
        const by = await as(action);
        for (const sent of SETTINGS_ROWS[name]?.above?.(asked) ?? []) {
          const before = await fingerprint();
          const answer = await send(name, sent, by);
          const what = `${name} ${JSON.stringify(sent)}: ${answer.text}`;
          expect(answer.body?.error?.code, what).to.equal(sent.code ?? GRANTS_MORE);
          expect(answer.status, what).to.be.within(400, 403);
          expect(answer.text, what).not.to.match(SECRET);
          expect(await fingerprint(), what).to.deep.equal(before);
        }
      }
    });

    it("does what is within the role with its action, and shows no stored secret", async () => {
      const kept = await makeAsked(above);
      for (const [name, action] of guarded()) {
        const asked = name.startsWith("GET ") ? kept : await makeAsked(above);
        const sent = SETTINGS_ROWS[name]?.within(asked) as Sent;
        const answer = await send(name, sent, await as(action));
        const code = answer.body?.error?.code ?? "done";
        expect(code, `${name}: ${answer.text}`).to.match(new RegExp(`^${(sent.code ?? "done").replace("*", ".*")}$`));
        // A webhook that is made, moved or renewed shows its new secret, this once.
        const secret = /^(POST|PUT) \/admin\/webhooks/.test(name) ? /hush/ : SECRET;
        expect(answer.text, name).not.to.match(secret);
      }
    });
  });
});
