import { all, ARTICLES, at, type Row } from "./matrix-row.js";

/** A view that nobody has. */
const ABSENT = "zzzzzzzzzzzzzzzzzzzzzzzz";
const VIEW = { name: "Mine", state: { q: "text" } };

/** Saved lists, their files, the search of everything, and the home screen. */
export const LIST_ROWS: Readonly<Record<string, Row>> = {
  "GET /admin/api/views/:uid": all("/views/api::article.article"),
  // What an account saves is its own.
  "POST /admin/api/views/:uid": {
    ask: at("/views/api::article.article", { body: VIEW }),
    ...{ author: 201, editor: 201 },
  },
  "PUT /admin/api/views/:id": { ask: at(`/views/${ABSENT}`, { body: VIEW }), author: 404, editor: 404 },
  "DELETE /admin/api/views/:id": { ask: at(`/views/${ABSENT}`), author: 404, editor: 404 },
  "GET /admin/api/preferences/:key": all("/preferences/list"),
  "PUT /admin/api/preferences/:key": all("/preferences/list", { body: { value: 1 } }),
  "GET /admin/api/search": all("/search?q=secret"),
  "GET /admin/api/content/:uid/export": all(`${ARTICLES}/export`),
  "GET /admin/api/home/changed": all("/home/changed"),
  "GET /admin/api/history/recent": all("/history/recent"),
  "GET /admin/api/schedule/next": all("/schedule/next"),
  "GET /admin/api/schedule/failed": all("/schedule/failed"),
  "GET /admin/api/jobs/failed": { ask: at("/jobs/failed"), author: 403, editor: 403 },
};
