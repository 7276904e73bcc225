import type { Row } from "./matrix-row.js";

const ARTICLES = "/history/api::article.article";
const ofArticle =
  (rest: string): Row["ask"] =>
  ({ article }) => ({ path: `${ARTICLES}/${article}${rest}`, body: undefined });

/** Earlier versions are for roles with `plugin::admin.history`, which neither authors nor editors have. */
export const HISTORY_ROWS: Readonly<Record<string, Row>> = {
  "GET /admin/api/history": { ask: () => ({ path: "/history" }), author: 403, editor: 403 },
  "GET /admin/api/history/:uid": { ask: () => ({ path: ARTICLES }), author: 403, editor: 403 },
  "GET /admin/api/history/:uid/:documentId": { ask: ofArticle(""), author: 403, editor: 403 },
  "GET /admin/api/history/:uid/:documentId/:version": { ask: ofArticle("/x"), author: 403, editor: 403 },
  "GET /admin/api/history/:uid/:documentId/:version/compare": {
    ask: ofArticle("/x/compare"),
    author: 403,
    editor: 403,
  },
  "POST /admin/api/history/:uid/:documentId/:version/restore": {
    ask: ofArticle("/x/restore"),
    author: 403,
    editor: 403,
  },
};
