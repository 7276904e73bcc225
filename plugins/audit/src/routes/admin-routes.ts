import { Readable } from "node:stream";
import type { App, Handler, HttpContext, Route } from "@plinth/core";
import { originOf } from "@plinth/core/http";
import type { AuditCheck, AuditHead } from "@plinth/plugin-admin";
import { InvalidSelectionError } from "../errors.js";
import { parseFilter, parseLimit } from "../reading/parse-filter.js";
import { auditService } from "../service-ref.js";
import { descriptions } from "./describe-routes.js";

/** What a role of administrators has to be granted. */
export const READ = "plugin::audit.read";

const GATE = { name: "plugin::api-tokens.is-administrator", config: { action: READ } };

const SELECTING: readonly string[] = ["since", "until", "actor", "action", "result", "uid", "documentId"];
const PAGING: readonly string[] = ["limit", "after"];

/** The routes of administrators. Who may read the log reads all of it: entries have no content. */
export function adminRoutes(app: App): readonly Route[] {
  const route = (path: string, name: keyof typeof descriptions, handler: Handler): Route => ({
    ...{ method: "GET", path: `/audit${path}`, handler, type: "root" },
    config: { auth: false, prefix: "/admin/api", policies: [GATE] },
    description: descriptions[name],
  });
  return [
    route("", "list", (ctx) => list(app, ctx)),
    route("/export", "export", (ctx) => exportEntries(app, ctx)),
    route("/head", "head", () => head(app)),
    route(
      "/check",
      "check",
      async () => ({ data: await app.service(auditService).verifyLatest() }) satisfies AuditCheck,
    ),
  ];
}

async function head(app: App): Promise<AuditHead> {
  const { personal, names, days } = app.plugin("audit").config;
  return { data: await app.service(auditService).head(), meta: { keeps: { personal, names, days } } };
}

/** Some hundred entries at a time, as fast as the client takes them; where the first cannot be read, that is the answer. */
async function exportEntries(app: App, ctx: HttpContext): Promise<Readable> {
  const filter = textsOf(ctx.query, SELECTING);
  const service = app.service(auditService);
  const lines = await begun(service.export(parseFilter(filter, app.clock.now())));
  service.writer.noteReading({ origin: originOf(ctx), details: { ...filter, export: true } });
  ctx.set({ "Content-Type": "application/jsonl", "Content-Disposition": 'attachment; filename="audit.jsonl"' });
  return Readable.from(lines);
}

/** The same, once the first is there. @throws what reading it throws */
async function begun(lines: AsyncIterable<string>): Promise<AsyncIterable<string>> {
  const rest = lines[Symbol.asyncIterator]();
  const first = await rest.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => rest };
  })();
}

async function list(app: App, ctx: HttpContext): Promise<object> {
  const { limit, after, ...filter } = textsOf(ctx.query, [...SELECTING, ...PAGING]);
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
function textsOf(query: object, known: readonly string[]): Readonly<Record<string, string>> {
  for (const [key, value] of Object.entries(query)) {
    if (!known.includes(key)) throw new InvalidSelectionError({ reason: `"${key}" is not one of ${known.join(", ")}` });
    if (typeof value !== "string") throw new InvalidSelectionError({ reason: `"${key}" must be a string` });
  }
  return { ...query } as Readonly<Record<string, string>>;
}
