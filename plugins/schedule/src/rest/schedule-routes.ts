import { type App, NotFoundError, type Route } from "@plinth/core";
import { type Endpoint, handlerOf, type RequestInfo, type RouteMethod, type RouteSource } from "@plinth/core/http";
import type { ContentType } from "@plinth/core/schema";
import { plannersOf } from "../calendar/planners.js";
import { type Caller, type Place, schedules } from "../contract.js";
import { storedPlace, typeOf } from "../places.js";
import { ScheduleStore } from "../schedules/schedule-store.js";
import { scheduleForm } from "../forms.js";
import { readBody, textParam } from "./bodies.js";
import { describeSchedule } from "./describe-schedules.js";

/** Finds what a request is about. */
type PlaceOf = (request: RequestInfo) => Promise<Place>;

/** `/api/articles/:documentId/actions/schedule` of every content-type of the app with drafts: for who may publish. */
export const contentRoutes: RouteSource = {
  createRoutes: ({ app }) => {
    const types = [...app.model.contentTypes.values()].filter(
      ({ uid, hasDrafts }) => hasDrafts && uid.startsWith("api::"),
    );
    return types.flatMap((type) => {
      const path = type.kind === "singleType" ? `/${type.singularName}` : `/${type.pluralName}/:documentId`;
      const config = { prefix: "", auth: { scope: [`${type.uid}.publish`] } };
      return routesOf(app, `${path}/actions/schedule`, type, (request) => placeOf(app, type, request)).map((route) => ({
        ...route,
        config,
      }));
    });
  },
};

/** `/admin/api/schedule/:uid/:documentId`: for administrators; what their role may is asked for by each. */
export const adminRoutes: RouteSource = {
  createRoutes: ({ app }) => {
    const policies = [{ name: "plugin::api-tokens.is-administrator", config: { anyRole: true } }];
    const config = { auth: false, prefix: "/admin/api", policies } as const;
    const place = (request: RequestInfo) => placeOf(app, typeOf(app, request.params["uid"] ?? ""), request);
    const withPlanners = handlerOf(async (request) => ({
      status: 200,
      body: { data: await plannedBy(app, await place(request), request) },
    }));
    return routesOf(app, "/schedule/:uid/:documentId", undefined, place).map((route) => ({
      ...route,
      ...(route.method === "GET" ? { handler: withPlanners } : {}),
      config,
      type: "root" as const,
    }));
  },
};

/** Administrators see who planned it. */
async function plannedBy(app: App, place: Place, caller: Caller): Promise<readonly object[]> {
  const shown = await app.service(schedules).of(place, caller);
  const { uid, documentId } = storedPlace(app, place);
  const stored = await new ScheduleStore(app).of({ uid, documentId, locale: null });
  const planner = await plannersOf(
    app,
    stored.map(({ actor }) => actor),
  );
  return shown.map((schedule) => {
    const own = stored.find(({ locale, action }) => locale === (schedule.locale ?? "") && action === schedule.action);
    return { ...schedule, by: planner(own?.actor ?? null) };
  });
}

function routesOf(app: App, path: string, type: ContentType | undefined, placeOfRequest: PlaceOf): readonly Route[] {
  const service = () => app.service(schedules);
  const on = (method: RouteMethod, endpoint: Endpoint): Route => ({
    ...{ method, path, handler: handlerOf(endpoint) },
    description: describeSchedule(method, type),
  });
  return [
    on("POST", async (request) => {
      const { locale, ...changes } = readBody(scheduleForm, request);
      const place = await placeOfRequest(request);
      const planned = await service().plan(locale === undefined ? place : { ...place, locale }, changes, request);
      return { status: 200, body: { data: planned.schedules, meta: { problems: planned.problems } } };
    }),
    on("GET", async (request) => ({
      status: 200,
      body: { data: await service().of(await placeOfRequest(request), request) },
    })),
    on("DELETE", async (request) => {
      await service().cancel(await placeOfRequest(request), request);
      return { status: 204 };
    }),
  ];
}

/** @throws PLINTH_HTTP_NOT_FOUND (404) for a single type without a document */
async function placeOf(app: App, { uid, kind }: ContentType, request: RequestInfo): Promise<Place> {
  const documentId = kind === "singleType" ? await app.documents(uid).singleId() : request.params["documentId"];
  if (documentId === undefined) throw new NotFoundError({});
  return { type: uid, documentId, locale: textParam(request, "locale") };
}
