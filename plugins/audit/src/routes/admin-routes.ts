import type { App, Handler, HttpContext, Route } from "@plinth/core";
import { originOf } from "@plinth/core/http";
import { InvalidSelectionError } from "../errors.js";
import { parseFilter, parseLimit } from "../reading/parse-filter.js";
import { auditService } from "../service-ref.js";
import { descriptions } from "./describe-routes.js";

/** What a role of administrators has to be granted. */
export const READ = "plugin::audit.read";

const GATE = { name: "plugin::api-tokens.is-administrator", config: { action: READ } };

const KNOWN: readonly string[] = ["since", "until", "actor", "action", "result", "uid", "documentId", "limit", "after"];

/** The routes of administrators. Who may read the log reads all of it: entries have no content. */
export function adminRoutes(app: App): readonly Route[] {
  const route = (path: string, name: keyof typeof descriptions, handler: Handler): Route => ({
    ...{ method: "GET", path: `/audit${path}`, handler, type: "root" },
    config: { auth: false, prefix: "/admin/api", policies: [GATE] },
    description: descriptions[name],
  });
  return [
    route("", "list", (ctx) => list(app, ctx)),
    route("/head", "head", async () => ({ data: await app.service(auditService).head() })),
  ];
}

async function list(app: App, ctx: HttpContext): Promise<object> {
  const { limit, after, ...filter } = textsOf(ctx.query);
  const service = app.service(auditService);
  const known = parseLimit(limit);
  const page = await service.list(parseFilter(filter, app.clock.now()), {
    ...(known === undefined ? {} : { limit: known }),
    after,
  });
  service.writer.noteReading({ origin: originOf(ctx), details: filter });
  return { data: page.entries, meta: { next: page.next } };
}

/** @throws PLINTH_AUDIT_SELECTION_INVALID (400) for what is not known, or no text */
function textsOf(query: object): Readonly<Record<string, string>> {
  for (const [key, value] of Object.entries(query)) {
    if (!KNOWN.includes(key)) throw new InvalidSelectionError({ reason: `"${key}" is not one of ${KNOWN.join(", ")}` });
    if (typeof value !== "string") throw new InvalidSelectionError({ reason: `"${key}" must be a string` });
  }
  return { ...query } as Readonly<Record<string, string>>;
}
