import { type App, type Handler, type HttpContext, NotFoundError, type Route, type RouteMethod } from "@plinth/core";
import { InvalidLocaleError } from "./errors.js";
import { type LocaleChanges, locales, type NewLocale } from "./contract.js";

/** What everybody with the action may ask. @source wire.md section 6 */
export const contentRoutes: readonly Route[] = [{ method: "GET", path: "/locales", handler: "locales.listLocales" }];

/** How administrators manage locales; the api-tokens plugin says who they are. */
export function createAdminRoutes(app: App): readonly Route[] {
  const service = () => app.service(locales);
  return [
    routeOf("GET", "/locales", async () => ({ data: await service().list() })),
    routeOf("GET", "/locales/:documentId", async (ctx) => ({ data: found(await service().findOne(idOf(ctx))) })),
    routeOf("POST", "/locales", async (ctx) => {
      const data = await service().create(bodyOf(ctx) as unknown as NewLocale);
      ctx.status = 201;
      return { data };
    }),
    routeOf("PUT", "/locales/:documentId", async (ctx) => ({
      data: found(await service().update(idOf(ctx), bodyOf(ctx) as LocaleChanges)),
    })),
    routeOf("DELETE", "/locales/:documentId", async (ctx) => {
      if (!(await service().remove(idOf(ctx), { force: forceOf(ctx) }))) throw new NotFoundError({});
      ctx.status = 204;
    }),
  ];
}

/** `auth: false` says that the content API's strategies are not asked; the policy asks the administrators' own. */
function routeOf(method: RouteMethod, path: string, handler: Handler): Route {
  const policies = ["plugin::api-tokens.is-administrator"];
  return { method, path, handler, type: "root", config: { auth: false, prefix: "/admin/i18n", policies } };
}

const idOf = (ctx: HttpContext): string => ctx.params["documentId"] ?? "";

/** Whether a deletion is forced. @throws PLINTH_I18N_INVALID (400) for anything but true and false */
function forceOf({ query: { force = "false" } }: HttpContext): boolean {
  if (force === "true" || force === "false") return force === "true";
  throw new InvalidLocaleError({ errors: [{ path: "force", message: "must be true or false" }] });
}

/** With or without the envelope of the content API. */
function bodyOf(ctx: HttpContext): Readonly<Record<string, unknown>> {
  const body = recordOf(ctx.request.body);
  return Object.hasOwn(body, "data") ? recordOf(body["data"]) : body;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new NotFoundError({});
  return value;
}
