import { all, at, type Row } from "./matrix-row.js";

/** Of a folder that is not there: authors may not, and editors find none. */
const NO_FOLDER = "/folders/zzzzzzzzzzzzzzzzzzzzzzzz";

/** Files and folders: authors may place all files and find all folders, and change the files that they uploaded. */
export const MEDIA_ROWS: Readonly<Record<string, Row>> = {
  "GET /admin/api/files": all("/files"),
  "POST /admin/api/files": { ask: at("/files", { body: { files: [] } }), author: 400, editor: 400 },
  "GET /admin/api/files/:documentId": all("/files/<file>"),
  "PUT /admin/api/files/:documentId": {
    ask: at("/files/<file>", { body: { name: "other.txt" } }),
    ...{ author: 404, editor: 200 },
  },
  "DELETE /admin/api/files/:documentId": { ask: at("/files/<file>"), author: 404, editor: 204 },
  "GET /admin/api/files/:documentId/uses": all("/files/<file>/uses"),
  "POST /admin/api/files/:documentId/replace": {
    ask: at("/files/<file>/replace", { body: { files: [] } }),
    ...{ author: 400, editor: 400 },
  },
  "POST /admin/api/files/:documentId/cut": {
    ask: at("/files/<file>/cut", { body: { x: 0, y: 0, width: 1, height: 1 } }),
    ...{ author: 400, editor: 400 },
  },
  "POST /admin/api/files/actions/move": {
    ask: ({ file }) => ({ path: "/files/actions/move", body: { documentIds: [file], folder: null } }),
    ...{ author: 404, editor: 204 },
  },
  "POST /admin/api/files/actions/delete": {
    ask: ({ file }) => ({ path: "/files/actions/delete", body: { documentIds: [file] } }),
    ...{ author: 404, editor: 204 },
  },
  "POST /admin/api/files/actions/uses": {
    ask: ({ file }) => ({ path: "/files/actions/uses", body: { documentIds: [file] } }),
    ...{ author: 200, editor: 200 },
  },
  "GET /admin/api/folders": all("/folders"),
  "POST /admin/api/folders": { ask: at("/folders", { body: { name: "Intruded" } }), author: 403, editor: 201 },
  "PUT /admin/api/folders/:documentId": {
    ask: at(NO_FOLDER, { body: { name: "Intruded" } }),
    ...{ author: 403, editor: 404 },
  },
  "DELETE /admin/api/folders/:documentId": { ask: at(NO_FOLDER), author: 403, editor: 404 },
};
