import { all, type Asked, at, type Kept, type Row } from "./matrix-row.js";

const PLAN = "/schedule/api::article.article/<article>";
const YEAR = "/schedule?from=2030-01-01T00:00:00Z&to=2030-12-31T00:00:00Z";
const NONE = "/releases/987654";

/** A release of the article. */
const release = ({ article }: Kept): Asked => ({
  path: "/releases",
  body: { name: "Spring", actions: [{ type: "api::article.article", documentId: article, action: "publish" }] },
});

/** What only who may publish, or run the site, does. */
const closed = (path: string, editor: number, body?: object): Row => ({
  ...{ ask: at(path, body ? { body } : {}), author: 403, editor },
});

/** Endpoints of plans, releases and jobs. */
export const PLANS_ROWS: Readonly<Record<string, Row>> = {
  "GET /admin/api/schedule": { ask: at(YEAR), author: 200, editor: 200 },
  "GET /admin/api/schedule/:uid/:documentId": { ask: at(PLAN), author: 404, editor: 200 },
  "POST /admin/api/schedule/:uid/:documentId": closed(PLAN, 200, { publishAt: "2035-01-01T00:00:00Z" }),
  "DELETE /admin/api/schedule/:uid/:documentId": { ask: at(PLAN), author: 404, editor: 204 },
  "GET /admin/api/releases": closed("/releases", 200),
  "POST /admin/api/releases": { ask: release, author: 403, editor: 201 },
  "GET /admin/api/releases/:id": closed(NONE, 404),
  "PUT /admin/api/releases/:id": closed(NONE, 404, { name: "Mine" }),
  "DELETE /admin/api/releases/:id": closed(NONE, 404),
  "POST /admin/api/releases/:id/documents": closed(`${NONE}/documents`, 404, { add: [], remove: [] }),
  "POST /admin/api/releases/:id/check": closed(`${NONE}/check`, 404),
  "POST /admin/api/releases/:id/schedule": closed(`${NONE}/schedule`, 404, { at: "2035-01-01T00:00:00Z" }),
  "POST /admin/api/releases/:id/cancel": closed(`${NONE}/cancel`, 404),
  "POST /admin/api/releases/:id/run": closed(`${NONE}/run`, 404),
  "GET /admin/api/jobs": closed("/jobs", 403),
  "GET /admin/api/jobs/queues": closed("/jobs/queues", 403),
  "POST /admin/api/jobs/retry": closed("/jobs/retry", 403, { job: "schedule:run" }),
  "POST /admin/api/jobs/drop": closed("/jobs/drop", 403, { job: "schedule:run" }),
  // What the home screen asks for.
  "GET /admin/api/schedule/next": all("/schedule/next"),
  "GET /admin/api/schedule/failed": all("/schedule/failed"),
  "GET /admin/api/jobs/failed": closed("/jobs/failed", 403),
  "GET /admin/api/history/recent": all("/history/recent"),
};
