import { all, at, type Row } from "./matrix-row.js";

const NOT_THEIRS = { author: 403, editor: 403 } as const;
const CODE = "x".repeat(43);
const NAMED = { body: { name: "Mallory" } };

/** Endpoints about accounts: what is open before anybody has signed in, what is one's own, and what others look after. */
export const ACCOUNT_ROWS: Readonly<Record<string, Row>> = {
  "GET /admin/api/entrance": { ask: at("/entrance") },
  "POST /admin/api/session/passkey": { ask: at("/session/passkey", { body: {} }) },
  "POST /admin/api/session/second-factor": { ask: at("/session/second-factor", { body: { totp: "000000" } }) },
  "POST /admin/api/invitations/look": { ask: at("/invitations/look", { body: { code: CODE } }) },
  "POST /admin/api/invitations/accept": {
    ask: at("/invitations/accept", { body: { code: CODE, name: "X", password: "long enough 1" } }),
  },
  "POST /admin/api/password/forgot": { ask: at("/password/forgot", { body: { email: "x@example.com" } }) },
  "POST /admin/api/password/reset": { ask: at("/password/reset", { body: { code: CODE, password: "long enough 1" } }) },
  "DELETE /admin/api/sessions": { ask: at("/sessions"), author: 204, editor: 204 },
  "GET /admin/api/account": all("/account"),
  "PUT /admin/api/account": all("/account", NAMED),
  "PUT /admin/api/account/email": {
    // Without the password; a wrong one would be counted.
    ask: at("/account/email", { body: { email: "mallory@example.com" } }),
    ...{ author: 400, editor: 400 },
  },
  "PUT /admin/api/account/password": {
    ask: at("/account/password", { body: { password: "long enough 1" } }),
    ...{ author: 400, editor: 400 },
  },
  "POST /admin/api/account/confirm": {
    ask: at("/account/confirm", { body: {} }),
    author: 400,
    editor: 400,
  },
  // Without the password, nothing about a second factor.
  "POST /admin/api/account/totp": { ask: at("/account/totp"), ...NOT_THEIRS },
  "PUT /admin/api/account/totp": {
    ask: at("/account/totp", { body: { ticket: CODE, code: "000000" } }),
    ...NOT_THEIRS,
  },
  "DELETE /admin/api/account/totp": { ask: at("/account/totp"), ...NOT_THEIRS },
  "POST /admin/api/account/passkeys/options": { ask: at("/account/passkeys/options"), ...NOT_THEIRS },
  "POST /admin/api/account/passkeys": {
    ask: at("/account/passkeys", { body: { ticket: CODE, name: "X", response: {} } }),
    ...NOT_THEIRS,
  },
  "PUT /admin/api/account/passkeys/:id": { ask: at("/account/passkeys/<session>", NAMED), author: 404, editor: 404 },
  "DELETE /admin/api/account/passkeys/:id": { ask: at("/account/passkeys/<session>"), ...NOT_THEIRS },
  "POST /admin/api/account/recovery-codes": { ask: at("/account/recovery-codes"), ...NOT_THEIRS },
  "GET /admin/api/accounts": { ask: at("/accounts"), ...NOT_THEIRS },
  "PUT /admin/api/accounts/:id": { ask: at("/accounts/<session>", { body: { role: "super" } }), ...NOT_THEIRS },
  "DELETE /admin/api/accounts/:id": { ask: at("/accounts/<session>"), ...NOT_THEIRS },
  "POST /admin/api/accounts/:id/reset-link": { ask: at("/accounts/<session>/reset-link"), ...NOT_THEIRS },
  "DELETE /admin/api/accounts/:id/second-factor": { ask: at("/accounts/<session>/second-factor"), ...NOT_THEIRS },
  "GET /admin/api/accounts/:id/sessions": { ask: at("/accounts/<session>/sessions"), ...NOT_THEIRS },
  "DELETE /admin/api/accounts/:id/sessions": { ask: at("/accounts/<session>/sessions"), ...NOT_THEIRS },
  "DELETE /admin/api/accounts/:id/sessions/:session": { ask: at("/accounts/<session>/sessions/x"), ...NOT_THEIRS },
  "GET /admin/api/invitations": { ask: at("/invitations"), ...NOT_THEIRS },
  "POST /admin/api/invitations": {
    ask: at("/invitations", { body: { email: "mallory@example.com", role: "super" } }),
    ...NOT_THEIRS,
  },
  "POST /admin/api/invitations/:id/resend": { ask: at("/invitations/<session>/resend"), ...NOT_THEIRS },
  "DELETE /admin/api/invitations/:id": { ask: at("/invitations/<session>"), ...NOT_THEIRS },
  "GET /admin/api/roles": { ask: at("/roles"), ...NOT_THEIRS },
  "POST /admin/api/roles": { ask: at("/roles", { body: { name: "mallory", grant: ["*"] } }), ...NOT_THEIRS },
  "PUT /admin/api/roles/:id": { ask: at("/roles/<session>", { body: { grant: ["*"] } }), ...NOT_THEIRS },
  "DELETE /admin/api/roles/:id": { ask: at("/roles/<session>"), ...NOT_THEIRS },
};
