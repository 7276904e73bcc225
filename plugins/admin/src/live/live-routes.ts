import { type App, NotFoundError, type Route } from "@plinth/core";
import { EVENT_STREAM_HEADERS, handlerOf, type RouteDescription } from "@plinth/core/http";
import { text } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import { adminRoute } from "../access/admin-route.js";
import { sessionOf } from "../access/gate.js";
import type { KnownSession } from "../access/known-sessions.js";
import { personOf } from "../content/facts.js";
import { readBody } from "../content/request-body.js";
import type { Person } from "../wire/account.js";
import type { PresenceRequest } from "../wire/live.js";
import { liveStreams } from "./live-streams.js";
import { parseWatch } from "./watch.js";

const TAB = /^[0-9a-z]{8,40}$/;
const ID = /^[0-9A-Za-z_-]{1,64}$/;
const LOCALE = /^[0-9A-Za-z@_-]{1,35}$/;
const FIELD = /^[\w-]+(?:\.[\w-]+){0,40}$/;
const LONGEST = 300;

/** Body of a presence. */
const presenceBody = v.strictObject({
  tab: v.pipe(text(), v.regex(TAB, "must be 8 to 40 of the characters 0-9 and a-z")),
  at: v.nullable(
    v.strictObject({
      uid: text(),
      documentId: v.pipe(text(), v.regex(ID, "must be that of a document")),
      locale: v.optional(v.nullable(v.pipe(text(), v.regex(LOCALE, "must be a locale"))), null),
      field: v.optional(v.nullable(v.pipe(text(), v.maxLength(LONGEST), v.regex(FIELD, "must be a path"))), null),
    }),
  ),
});

/** By which the page learns what others do, and says where its reader is. For sessions only: no bearer is at a form. */
export function createLiveRoutes(app: App): readonly Route[] {
  const streams = () => app.service(liveStreams);
  return [
    adminRoute({
      ...{ method: "GET", path: "/events", isQuiet: true, description: descriptions.events },
      handler: handlerOf(async ({ context, query, method }) => {
        const session = sessionOf(context);
        const watch = parseWatch(query["watch"]);
        if (method === "HEAD") return { status: 200, headers: EVENT_STREAM_HEADERS };
        return { status: 200, headers: EVENT_STREAM_HEADERS, body: streams().open(session, watch) };
      }),
    }),
    adminRoute({
      ...{ method: "POST", path: "/presence", isQuiet: true, description: descriptions.presence },
      handler: handlerOf(async (request) => {
        const { account, ability } = sessionOf(request.context);
        const { tab, at }: PresenceRequest = readBody(presenceBody, request);
        // A document that is not there, one that a rule hides and a type that may not be found are one: none to be at.
        if (at && !(await streams().sees(ability, at.uid, at.documentId))) throw new NotFoundError({});
        streams().move({ account: account.documentId, tab, person: nameOf(account), at });
        return { status: 204 };
      }),
    }),
  ];
}

/** As others see them. */
function nameOf({ id, documentId, name, email }: KnownSession["account"]): Person {
  return personOf({ id, documentId, email, ...(name === email ? {} : { name }) }) ?? { id, name: "" };
}

const PAGE = { tag: "Admin page", bearer: "administrator", errors: [403, 503] } as const;

const descriptions = {
  events: {
    ...PAGE,
    summary: "Hear what others change, and who is where",
    description:
      "Server-sent events: `hello`, `change`, `people`, `lost` where some were missed, and `end`. It does not end by itself. For sessions only.",
    query: {
      watch: {
        description: "Content-types, and documents of them: `api::article.article,api::author.author/k2v9...`",
        schema: { type: "string" },
      },
    },
    answers: { 200: { description: "A stream", schema: { type: "string" }, contentType: "text/event-stream" } },
  },
  presence: {
    ...PAGE,
    summary: "Say at which document and field a tab is, or that it has left",
    body: { schema: presenceBody },
    answers: { 204: { description: "It is told to those who may see the document" } },
    errors: [403],
  },
} satisfies Readonly<Record<string, RouteDescription>>;
