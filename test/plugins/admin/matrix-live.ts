import type { Row } from "./matrix-row.js";

/** Of an article that the author may not see nobody is told. What is asked of the stream is wrong, so that its answer ends. */
export const LIVE_ROWS: Readonly<Record<string, Row>> = {
  "GET /admin/api/events": { ask: () => ({ path: "/events?watch=wrong" }), author: 400, editor: 400 },
  "POST /admin/api/presence": {
    ask: ({ article }) => ({
      path: "/presence",
      body: { tab: "a1b2c3d4", at: { uid: "api::article.article", documentId: article } },
    }),
    ...{ author: 404, editor: 204 },
  },
};
