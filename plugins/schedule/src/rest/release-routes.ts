import type { App, Controller, Route } from "@plinth/core";
import { type Endpoint, handlerOf, type RequestInfo, type RouteMethod, type RouteSource } from "@plinth/core/http";
import { type LookedAt, type ReleaseFilter, type ReleaseState, releases } from "../contract.js";
import { storyOf } from "../releases/release-story.js";
import { InvalidPlanError, ReleaseNotFoundError } from "../errors.js";
import { amendmentForm, changesForm, releaseForm, timeForm } from "../forms.js";
import { readBody, textParam } from "./bodies.js";
import { descriptions } from "./describe-releases.js";

/**
 * What is done with releases, by the last part of its action. None is called `find`, as what the public reads is: a grant of
 * all reading has nothing of these.
 */
const ENDPOINTS = {
  list: async (app, request) => ({
    status: 200,
    body: { data: await app.service(releases).list(filterOf(request), request) },
  }),
  get: async (app, request) => ok(await app.service(releases).find(idOf(request), request)),
  create: async (app, request) => ({
    status: 201,
    body: { data: await app.service(releases).create(readBody(releaseForm, request), request) },
  }),
  update: async (app, request) =>
    ok(await app.service(releases).change(idOf(request), readBody(changesForm, request), request)),
  amend: async (app, request) =>
    ok(await app.service(releases).amend(idOf(request), readBody(amendmentForm, request), request)),
  delete: async (app, request) => {
    await app.service(releases).remove(idOf(request), request);
    return { status: 204 };
  },
  check: async (app, request) => ok(await app.service(releases).check(idOf(request), request)),
  schedule: async (app, request) =>
    ok(await app.service(releases).schedule(idOf(request), readBody(timeForm, request).at, request, seenBy(request))),
  cancel: async (app, request) => ok(await app.service(releases).cancel(idOf(request), request)),
  run: async (app, request) => ok(await app.service(releases).run(idOf(request), request, seenBy(request))),
} as const satisfies Readonly<Record<string, (app: App, request: RequestInfo) => ReturnType<Endpoint>>>;

/** Name of something that is done with releases. */
export type ReleaseEndpoint = keyof typeof ENDPOINTS;

const ok = (data: object) => ({ status: 200, body: { data } });

/** The version that the caller looked at. @source https://www.rfc-editor.org/rfc/rfc9110#section-13.1.1 */
const seenBy = ({ headers }: RequestInfo): LookedAt => ({ version: headers["if-match"] });

const ROUTES: Readonly<Record<ReleaseEndpoint, readonly [method: RouteMethod, path: string]>> = {
  list: ["GET", "/releases"],
  create: ["POST", "/releases"],
  get: ["GET", "/releases/:id"],
  update: ["PUT", "/releases/:id"],
  amend: ["POST", "/releases/:id/documents"],
  delete: ["DELETE", "/releases/:id"],
  check: ["POST", "/releases/:id/check"],
  schedule: ["POST", "/releases/:id/schedule"],
  cancel: ["POST", "/releases/:id/cancel"],
  run: ["POST", "/releases/:id/run"],
};

const NAMES = Object.keys(ENDPOINTS) as readonly ReleaseEndpoint[];

/** The handlers of `/api/schedule/releases`, each an action that can be granted: `plugin::schedule.release.run`. */
export const releaseController = ({ app }: { readonly app: App }): Controller =>
  Object.fromEntries(NAMES.map((name) => [name, handlerOf((request) => ENDPOINTS[name](app, request))]));

/** `/api/schedule/releases`, for users and API tokens. */
export const contentRoutes: readonly Route[] = NAMES.map((name) => {
  const [method, path] = ROUTES[name];
  return { method, path, handler: `release.${name}`, description: descriptions[name] };
});

/** What administrators need for releases. */
export const RELEASES_ACTION = "plugin::schedule.releases";

/** The same below `/admin/api/releases`, for administrators with the action of the page. */
export const adminRoutes: RouteSource = {
  createRoutes: ({ app }) =>
    NAMES.map((name) => {
      const [method, path] = ROUTES[name];
      const policies = [{ name: "plugin::api-tokens.is-administrator", config: { action: RELEASES_ACTION } }];
      const handler = handlerOf((request) => (name === "get" ? getStory(app, request) : ENDPOINTS[name](app, request)));
      const description = { ...descriptions[name], tag: "Admin page", bearer: "administrator" } as const;
      return {
        method,
        path,
        handler,
        type: "root",
        config: { auth: false, prefix: "/admin/api", policies },
        description,
      };
    }),
};

/** Administrators see who made a release, as whom it runs, and what came of it each time. */
const getStory: typeof ENDPOINTS.get = async (app, request) => {
  const id = idOf(request);
  const release = await app.service(releases).find(id, request);
  return ok({ ...release, ...(await storyOf(app, release)) });
};

const ID = /^[1-9]\d{0,14}$/;

/** @throws PLINTH_RELEASE_NOT_FOUND (404) */
function idOf({ params: { id = "" } }: RequestInfo): number {
  if (!ID.test(id)) throw new ReleaseNotFoundError({});
  return Number(id);
}

const STATES: readonly ReleaseState[] = ["open", "scheduled", "running", "done", "failed"];

/** @throws PLINTH_SCHEDULE_INVALID (400) */
function filterOf(request: RequestInfo): ReleaseFilter {
  const [named, before] = [textParam(request, "state"), textParam(request, "before")];
  const [type, documentId] = [textParam(request, "type"), textParam(request, "documentId")];
  const state = STATES.find((each) => each === named);
  const errors = [];
  if (named !== undefined && !state) errors.push({ path: "state", message: `must be ${STATES.join(", ")}` });
  if (before !== undefined && !ID.test(before)) errors.push({ path: "before", message: "must be an id" });
  if ((type === undefined) !== (documentId === undefined))
    errors.push({ path: "documentId", message: "and type are given together" });
  if (errors.length > 0) throw new InvalidPlanError({ errors });
  return {
    ...(state ? { state } : {}),
    ...(before === undefined ? {} : { before: Number(before) }),
    ...(type === undefined || documentId === undefined ? {} : { document: { type, documentId } }),
  };
}
