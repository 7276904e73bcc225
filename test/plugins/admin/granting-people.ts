/** What the endpoints of accounts, invitations and roles of administrators are asked by a partial role. */
import { NOTE, PAYROLL, reads, type SettingsRow } from "./granting-row.js";

const ANY = { "if-match": "*" };

/** Accounts and invitations. */
export const ACCOUNTS = {
  "GET /admin/api/accounts": reads("/api/accounts"),
  "GET /admin/api/invitations": reads("/api/invitations"),
  "GET /admin/api/accounts/:id/sessions": {
    above: ({ above }) => [{ path: `/api/accounts/${above.account}/sessions` }],
    within: ({ below }) => ({ path: `/api/accounts/${below.account}/sessions` }),
  },
  "POST /admin/api/invitations": {
    above: ({ above }) =>
      ["super", above.roleName].map((role) => ({
        path: "/api/invitations",
        body: { email: "mallory@example.com", role },
      })),
    within: ({ below }) => ({ path: "/api/invitations", body: { email: "trent@example.com", role: below.roleName } }),
  },
  "POST /admin/api/invitations/:id/resend": {
    above: ({ above }) => [{ path: `/api/invitations/${above.invitation}/resend` }],
    within: ({ below }) => ({ path: `/api/invitations/${below.invitation}/resend` }),
  },
  "DELETE /admin/api/invitations/:id": {
    above: ({ above }) => [{ path: `/api/invitations/${above.invitation}` }],
    within: ({ below }) => ({ path: `/api/invitations/${below.invitation}` }),
  },
  "PUT /admin/api/accounts/:id": {
    above: ({ above, below }) => [
      { path: `/api/accounts/${above.account}`, body: { isActive: false } },
      { path: `/api/accounts/${above.account}`, body: { role: below.roleName } },
      { path: `/api/accounts/${below.account}`, body: { role: above.roleName } },
      { path: `/api/accounts/${below.account}`, body: { role: "super" } },
    ],
    within: ({ below }) => ({ path: `/api/accounts/${below.account}`, body: { isActive: false } }),
  },
  "DELETE /admin/api/accounts/:id": {
    above: ({ above }) => [{ path: `/api/accounts/${above.account}` }],
    within: ({ below }) => ({ path: `/api/accounts/${below.account}` }),
  },
  "POST /admin/api/accounts/:id/reset-link": {
    above: ({ above }) => [{ path: `/api/accounts/${above.account}/reset-link` }],
    within: ({ below }) => ({ path: `/api/accounts/${below.account}/reset-link` }),
  },
  "DELETE /admin/api/accounts/:id/second-factor": {
    above: ({ above }) => [{ path: `/api/accounts/${above.account}/second-factor` }],
    within: ({ below }) => ({ path: `/api/accounts/${below.account}/second-factor`, code: "PLINTH_HTTP_NOT_FOUND" }),
  },
  "DELETE /admin/api/accounts/:id/sessions": {
    above: ({ above }) => [{ path: `/api/accounts/${above.account}/sessions` }],
    within: ({ below }) => ({ path: `/api/accounts/${below.account}/sessions` }),
  },
  "DELETE /admin/api/accounts/:id/sessions/:session": {
    above: ({ above }) => [{ path: `/api/accounts/${above.account}/sessions/x` }],
    within: ({ below }) => ({ path: `/api/accounts/${below.account}/sessions/x`, code: "PLINTH_HTTP_NOT_FOUND" }),
  },
} satisfies Readonly<Record<string, SettingsRow>>;

/** Roles of administrators. */
export const ROLES = {
  "GET /admin/api/roles": reads("/api/roles"),
  "POST /admin/api/roles": {
    above: () =>
      [["*"], [PAYROLL], ["plugin::admin.webhooks", "plugin::admin.tokens"]].map((grant) => ({
        path: "/api/roles",
        body: { name: "mallory", grant },
      })),
    within: () => ({ path: "/api/roles", body: { name: "trent", grant: [NOTE] } }),
  },
  "PUT /admin/api/roles/:id": {
    above: ({ above, below }) => [
      { path: `/api/roles/${above.role}`, body: { description: "mine" }, headers: ANY },
      { path: `/api/roles/${below.role}`, body: { grant: [PAYROLL] }, headers: ANY },
    ],
    within: ({ below }) => ({ path: `/api/roles/${below.role}`, body: { description: "mine" }, headers: ANY }),
  },
  "DELETE /admin/api/roles/:id": {
    above: ({ above }) => [{ path: `/api/roles/${above.role}` }],
    // It has an account and an invitation: that is asked after the rights.
    within: ({ below }) => ({ path: `/api/roles/${below.role}`, code: "PLINTH_ADMIN_ROLE_IN_USE" }),
  },
} satisfies Readonly<Record<string, SettingsRow>>;
