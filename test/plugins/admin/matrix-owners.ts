import { type Asked, at, type Row } from "./matrix-row.js";

/** A request that neither authors nor editors may send: their roles have no action of the settings. */
const closed = (path: string, more: Omit<Asked, "path"> = {}): Row => ({
  ask: at(path, more),
  ...{ author: 403, editor: 403 },
});

const SOMEBODY = "/users/aaaaaaaaaaaaaaaaaaaaaaaa";
const SOME_ROLE = "/user-roles/aaaaaaaaaaaaaaaaaaaaaaaa";
const USER = { username: "intruder", email: "intruder@example.com", password: "Analytical-1" };

/** End users, their roles, and the audit log. */
export const OWNERS_ROWS: Readonly<Record<string, Row>> = {
  "GET /admin/api/users": closed("/users"),
  "POST /admin/api/users": closed("/users", { body: USER }),
  "GET /admin/api/users/attributes": closed("/users/attributes"),
  "GET /admin/api/users/:documentId": closed(SOMEBODY),
  "PUT /admin/api/users/:documentId": closed(SOMEBODY, { body: { password: "Analytical-1" } }),
  "DELETE /admin/api/users/:documentId": closed(SOMEBODY),
  "GET /admin/api/users/:documentId/sessions": closed(`${SOMEBODY}/sessions`),
  "DELETE /admin/api/users/:documentId/sessions": closed(`${SOMEBODY}/sessions`),
  "GET /admin/api/user-roles": closed("/user-roles"),
  "POST /admin/api/user-roles": closed("/user-roles", { body: { name: "Intruders" } }),
  "GET /admin/api/user-roles/actions": closed("/user-roles/actions"),
  "GET /admin/api/user-roles/:documentId": closed(SOME_ROLE),
  "PUT /admin/api/user-roles/:documentId": closed(SOME_ROLE, { body: { grant: ["api::article.article.delete"] } }),
  "DELETE /admin/api/user-roles/:documentId": closed(SOME_ROLE),
  "GET /admin/api/audit": closed("/audit"),
  "GET /admin/api/audit/export": closed("/audit/export"),
  "GET /admin/api/audit/head": closed("/audit/head"),
  "GET /admin/api/audit/check": closed("/audit/check"),
};
