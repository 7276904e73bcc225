/** What each endpoint of the settings is asked by an administrator whose role has little more than the action of the endpoint. */

import { ACCOUNTS, ROLES } from "./granting-people.js";
import { harmless, NOTE, PAYROLL, reads, type SettingsRow } from "./granting-row.js";

const PASSWORD = "Analytical-1";
const LATER = "2035-01-01T00:00:00.000Z";

const custom = (name: string, permissions: readonly string[]) => ({ name, type: "custom", permissions });

const TOKENS = {
  "GET /admin/permissions": reads("/permissions"),
  "GET /admin/api-tokens": reads("/api-tokens"),
  "GET /admin/api-tokens/:documentId": reads(({ above }) => `/api-tokens/${above.token}`),
  "POST /admin/api-tokens": {
    above: () => [
      ...["full-access", "read-only", "admin"].map((type) => ({ path: "/api-tokens", body: { name: type, type } })),
      ...[["*"], ["api::*.find"], [NOTE, PAYROLL], ["plugin::users-permissions.role.updateRole", NOTE]].map(
        (actions) => ({
          path: "/api-tokens",
          body: custom("mine", actions),
        }),
      ),
    ],
    within: () => ({ path: "/api-tokens", body: custom("notes", [NOTE]) }),
  },
  "PUT /admin/api-tokens/:documentId": {
    above: ({ above, below }) => [
      { path: `/api-tokens/${above.token}`, body: { description: "mine" } },
      { path: `/api-tokens/${above.token}`, body: { permissions: [NOTE] } },
      { path: `/api-tokens/${below.token}`, body: { permissions: [NOTE, PAYROLL] } },
      { path: `/api-tokens/${below.token}`, body: { type: "full-access", permissions: [] } },
    ],
    within: ({ below }) => ({ path: `/api-tokens/${below.token}`, body: { description: "mine" } }),
  },
  "DELETE /admin/api-tokens/:documentId": {
    above: ({ above }) => [{ path: `/api-tokens/${above.token}` }],
    within: ({ below }) => ({ path: `/api-tokens/${below.token}` }),
  },
  "POST /admin/api-tokens/:documentId/regenerate": {
    above: ({ above }) => [{ path: `/api-tokens/${above.token}/regenerate` }],
    within: ({ below }) => ({ path: `/api-tokens/${below.token}/regenerate` }),
  },
} satisfies Readonly<Record<string, SettingsRow>>;

const newUser = (role: string, name = "mallory") => ({
  username: name,
  email: `${name}@example.com`,
  password: PASSWORD,
  role,
});

const END_USERS = {
  "GET /admin/api/users": reads("/api/users"),
  "GET /admin/api/users/attributes": reads("/api/users/attributes"),
  "GET /admin/api/users/:documentId": reads(({ above }) => `/api/users/${above.user}`),
  "GET /admin/api/users/:documentId/sessions": reads(({ above }) => `/api/users/${above.user}/sessions`),
  "POST /admin/api/users": {
    above: ({ above }) => [{ path: "/api/users", body: newUser(above.userRole) }],
    within: ({ below }) => ({ path: "/api/users", body: newUser(below.userRole, "trent") }),
  },
  "PUT /admin/api/users/:documentId": {
    above: ({ above, below }) => [
      ...[{ password: PASSWORD }, { email: "mallory@example.com" }, { blocked: false }, { role: below.userRole }].map(
        (body) => ({ path: `/api/users/${above.user}`, body }),
      ),
      { path: `/api/users/${below.user}`, body: { role: above.userRole } },
      { path: `/api/users/${below.user}`, body: { role: { connect: [above.userRole] } } },
    ],
    within: ({ below }) => ({ path: `/api/users/${below.user}`, body: { password: PASSWORD } }),
  },
  "DELETE /admin/api/users/:documentId": {
    above: ({ above }) => [{ path: `/api/users/${above.user}` }],
    within: ({ below }) => ({ path: `/api/users/${below.user}` }),
  },
  "DELETE /admin/api/users/:documentId/sessions": harmless("it ends what somebody may do", ({ above }) => ({
    path: `/api/users/${above.user}/sessions`,
  })),
  "GET /admin/api/user-roles/actions": reads("/api/user-roles/actions"),
  "GET /admin/api/user-roles/:documentId": reads(({ above }) => `/api/user-roles/${above.userRole}`),
  "POST /admin/api/user-roles": {
    above: () => [
      ...[PAYROLL, "plugin::users-permissions.role.updateRole", "plugin::users-permissions.user.update"].map(
        (action) => ({
          path: "/api/user-roles",
          body: { name: "Mallory", grant: [action] },
        }),
      ),
    ],
    within: () => ({ path: "/api/user-roles", body: { name: "Readers of notes", grant: [NOTE] } }),
  },
  "PUT /admin/api/user-roles/:documentId": {
    above: ({ above, below, publicRole }) => [
      { path: `/api/user-roles/${publicRole}`, body: { grant: [PAYROLL] } },
      { path: `/api/user-roles/${below.userRole}`, body: { grant: [PAYROLL] } },
      ...[{ name: "Mallory" }, { revoke: [PAYROLL] }, { grant: [NOTE] }].map((body) => ({
        path: `/api/user-roles/${above.userRole}`,
        body,
      })),
    ],
    within: ({ below }) => ({ path: `/api/user-roles/${below.userRole}`, body: { revoke: [NOTE] } }),
  },
  "DELETE /admin/api/user-roles/:documentId": {
    above: ({ above }) => [{ path: `/api/user-roles/${above.userRole}` }],
    within: ({ below }) => ({ path: `/api/user-roles/${below.userRole}` }),
  },
} satisfies Readonly<Record<string, SettingsRow>>;

const WEBHOOK = { url: "http://127.0.0.1:1/mine", events: ["entry.*"] };
const MOVED = { code: "PLINTH_WEBHOOKS_INVALID", body: { url: "http://127.0.0.1:2/mine" } };

const WEBHOOKS = {
  "GET /admin/webhooks": reads("/webhooks"),
  "GET /admin/webhooks/options": reads("/webhooks/options"),
  "GET /admin/webhooks/:documentId": reads(({ above }) => `/webhooks/${above.webhook}`),
  "GET /admin/webhooks/:documentId/deliveries": reads(({ above }) => `/webhooks/${above.webhook}/deliveries`),
  "GET /admin/api/webhooks/failed": reads("/api/webhooks/failed"),
  "POST /admin/webhooks": {
    above: () =>
      [
        { content: true, types: ["api::payroll.payroll"] },
        { content: true },
        { format: "strapi", types: ["api::payroll.payroll"] },
      ]
        .map((more) => ({ ...WEBHOOK, name: "mine", ...more }))
        .map((body) => ({ path: "/webhooks", body })),
    within: () => ({
      path: "/webhooks",
      body: { ...WEBHOOK, name: "notes", content: true, types: ["api::note.note"] },
    }),
  },
  "PUT /admin/webhooks/:documentId": {
    above: ({ above, below, plainWebhook }) => [
      ...[{ enabled: false }, { url: "http://127.0.0.1:2/mine", headers: {} }, { content: false }].map((body) => ({
        path: `/webhooks/${above.webhook}`,
        body,
      })),
      ...[
        { types: null },
        { types: ["api::payroll.payroll"] },
        { types: ["api::payroll.payroll"], format: "strapi" },
      ].map((body) => ({ path: `/webhooks/${below.webhook}`, body })),
      { path: `/webhooks/${plainWebhook}`, body: { content: true } },
      { path: `/webhooks/${plainWebhook}`, ...MOVED },
    ],
    within: ({ below }) => ({
      path: `/webhooks/${below.webhook}`,
      body: { url: "http://127.0.0.1:2/mine", headers: {} },
    }),
  },
  "DELETE /admin/webhooks/:documentId": {
    above: ({ above }) => [{ path: `/webhooks/${above.webhook}` }],
    within: ({ below }) => ({ path: `/webhooks/${below.webhook}` }),
  },
  "POST /admin/webhooks/:documentId/secrets": {
    above: ({ above }) => [{ path: `/webhooks/${above.webhook}/secrets` }],
    within: ({ below }) => ({ path: `/webhooks/${below.webhook}/secrets` }),
  },
  "POST /admin/webhooks/:documentId/test": harmless(
    "a test goes to the address that the headers were given for",
    (asked) => ({
      path: `/webhooks/${asked.plainWebhook}/test`,
    }),
  ),
  "POST /admin/webhooks/:documentId/replay": harmless(
    "it goes to an address that is changed only by those who may read it",
    (asked) => ({
      path: `/webhooks/${asked.plainWebhook}/replay`,
      body: {},
    }),
  ),
  "POST /admin/webhooks/:documentId/drop": harmless("nothing is sent", (asked) => ({
    path: `/webhooks/${asked.plainWebhook}/drop`,
    body: {},
  })),
} satisfies Readonly<Record<string, SettingsRow>>;

const publish = (documentId: string) => ({ type: "api::article.article", documentId, action: "publish" });
const unpublish = (documentId: string) => ({ ...publish(documentId), action: "unpublish" });
const FORBIDDEN = "PLINTH_ACCESS_FORBIDDEN";

const RELEASES = {
  "GET /admin/api/releases": reads("/api/releases"),
  "GET /admin/api/releases/:id": reads(({ above }) => `/api/releases/${above.release}`),
  "POST /admin/api/releases": {
    above: ({ article }) => [
      { path: "/api/releases", body: { name: "Mine", actions: [publish(article)] }, code: FORBIDDEN },
    ],
    within: ({ article }) => ({ path: "/api/releases", body: { name: "Mine", actions: [unpublish(article)] } }),
  },
  "PUT /admin/api/releases/:id": {
    above: ({ below, article }) => [
      { path: `/api/releases/${below.release}`, body: { actions: [publish(article)] }, code: FORBIDDEN },
    ],
    within: ({ below, article }) => ({
      path: `/api/releases/${below.release}`,
      body: { actions: [unpublish(article)] },
    }),
  },
  "POST /admin/api/releases/:id/documents": {
    above: ({ below, article }) => [
      { path: `/api/releases/${below.release}/documents`, body: { add: [publish(article)] }, code: FORBIDDEN },
    ],
    within: ({ below, article }) => ({
      path: `/api/releases/${below.release}/documents`,
      body: { add: [unpublish(article)] },
    }),
  },
  "DELETE /admin/api/releases/:id": harmless("nothing is published", ({ below }) => ({
    path: `/api/releases/${below.release}`,
  })),
  "POST /admin/api/releases/:id/check": harmless("it is taken back", ({ below }) => ({
    path: `/api/releases/${below.release}/check`,
  })),
  "POST /admin/api/releases/:id/schedule": {
    above: ({ above }) => [
      { path: `/api/releases/${above.release}/schedule`, body: { at: LATER }, code: "PLINTH_RELEASE_REFUSED" },
    ],
    within: ({ below }) => ({ path: `/api/releases/${below.release}/schedule`, body: { at: LATER } }),
  },
  "POST /admin/api/releases/:id/cancel": harmless("nothing is published", ({ below }) => ({
    path: `/api/releases/${below.release}/cancel`,
    code: "PLINTH_RELEASE_STATE",
  })),
  "POST /admin/api/releases/:id/run": harmless("it runs with the rights of the caller", ({ below }) => ({
    path: `/api/releases/${below.release}/run`,
  })),
} satisfies Readonly<Record<string, SettingsRow>>;

const DOCUMENT = "/api/history/api::note.note/zzzzzzzzzzzzzzzzzzzzzzzz";
const ABSENT = "PLINTH_HTTP_NOT_FOUND";
const absent = (path: string) =>
  harmless("documents are asked for as on their own screen", () => ({ path, code: ABSENT }));
const inDevelopment = (path: string, body?: unknown) =>
  harmless("it is about files of the project, which change in development only", () => ({
    path,
    body,
    code: "PLINTH_ADMIN_*",
  }));

const OTHERS = {
  "GET /admin/api/jobs": reads("/api/jobs"),
  "GET /admin/api/jobs/failed": reads("/api/jobs/failed"),
  "GET /admin/api/jobs/queues": reads("/api/jobs/queues"),
  "POST /admin/api/jobs/retry": harmless("a job does what it was made for", () => ({
    path: "/api/jobs/retry",
    body: { job: "schedule:run" },
  })),
  "POST /admin/api/jobs/drop": harmless("nothing is run", () => ({
    path: "/api/jobs/drop",
    body: { job: "schedule:run" },
  })),
  "GET /admin/api/audit": reads("/api/audit"),
  "GET /admin/api/audit/export": reads("/api/audit/export"),
  "GET /admin/api/audit/head": reads("/api/audit/head"),
  "GET /admin/api/audit/check": reads("/api/audit/check"),
  "GET /admin/api/history": reads("/api/history"),
  "GET /admin/api/history/:uid": reads("/api/history/api::note.note"),
  "GET /admin/api/history/:uid/:documentId": absent(DOCUMENT),
  "GET /admin/api/history/:uid/:documentId/:version": absent(`${DOCUMENT}/1`),
  "GET /admin/api/history/:uid/:documentId/:version/compare": absent(`${DOCUMENT}/1/compare`),
  "POST /admin/api/history/:uid/:documentId/:version/restore": absent(`${DOCUMENT}/1/restore`),
  "GET /admin/i18n/locales": reads("/i18n/locales"),
  "GET /admin/i18n/locales/:documentId": harmless("languages are no rights", () => ({
    path: "/i18n/locales/zzzzzzzzzzzzzzzzzzzzzzzz",
    code: ABSENT,
  })),
  "POST /admin/i18n/locales": harmless("languages are no rights", () => ({
    path: "/i18n/locales",
    body: { code: "fr", name: "French" },
  })),
  "PUT /admin/i18n/locales/:documentId": harmless("languages are no rights", () => ({
    path: "/i18n/locales/zzzzzzzzzzzzzzzzzzzzzzzz",
    body: { name: "French" },
    code: ABSENT,
  })),
  "DELETE /admin/i18n/locales/:documentId": harmless("languages are no rights", () => ({
    path: "/i18n/locales/zzzzzzzzzzzzzzzzzzzzzzzz",
    code: ABSENT,
  })),
  "GET /admin/api/builder": reads("/api/builder"),
  "GET /admin/api/builder/change": reads("/api/builder/change"),
  "GET /admin/api/builder/export": reads("/api/builder/export"),
  "POST /admin/api/builder/plan": inDevelopment("/api/builder/plan", {}),
  "POST /admin/api/builder/apply": inDevelopment("/api/builder/apply", {}),
} satisfies Readonly<Record<string, SettingsRow>>;

/** Every endpoint that asks for an action of the settings. A new one needs a row here. */
export const SETTINGS_ROWS: Readonly<Record<string, SettingsRow>> = {
  ...TOKENS,
  ...END_USERS,
  ...WEBHOOKS,
  ...ACCOUNTS,
  ...ROLES,
  ...RELEASES,
  ...OTHERS,
};
