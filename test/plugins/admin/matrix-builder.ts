import { at, type Row } from "./matrix-row.js";

const BODY = { changes: [{ uid: "stock.label", shape: "component", base: null, schema: { attributes: {} } }] };
const REFUSED = { author: 403, editor: 403 };

/** Endpoints of the builder, which is for roles with its action. */
export const builderRows: Readonly<Record<string, Row>> = {
  "GET /admin/api/builder": { ask: at("/builder"), ...REFUSED },
  "GET /admin/api/builder/change": { ask: at("/builder/change"), ...REFUSED },
  "GET /admin/api/builder/export": { ask: at("/builder/export"), ...REFUSED },
  "POST /admin/api/builder/plan": { ask: at("/builder/plan", { body: BODY }), ...REFUSED },
  "POST /admin/api/builder/apply": { ask: at("/builder/apply", { body: { ...BODY, hash: "x" } }), ...REFUSED },
};
