import { ARTICLES, at, type Row } from "./matrix-row.js";

/** The endpoint that opens a preview: what an author did not make is not there for them. */
export const PREVIEW_ROWS: Readonly<Record<string, Row>> = {
  "POST /admin/api/preview/:uid/:id": {
    ask: at(`${ARTICLES.replace("/content", "/preview")}/<article>`),
    ...{ author: 404, editor: 200 },
  },
};
