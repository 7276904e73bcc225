import type { App, Handler, HttpContext, Route } from "@plinth/core";
import { resourceEndpoints, type RouteMethod } from "@plinth/core/http";
import { type Locale, type LocaleChanges, locales, type NewLocale } from "./contract.js";
import { adminDescriptions, publicDescription } from "./describe-routes.js";
import { InvalidLocaleError } from "./errors.js";

/** Open to every caller with the action. @source plugins/content-api/WIRE.md#locales */
export const contentRoutes: readonly Route[] = [
  { method: "GET", path: "/locales", handler: "locales.listLocales", description: publicDescription },
];

/** How administrators manage locales; the api-tokens plugin says who they are. */
export function createAdminRoutes(app: App): readonly Route[] {
  const service = () => app.service(locales);
  const endpoints = resourceEndpoints({
    list: () => service().list(),
    findOne: (documentId) => service().findOne(documentId),
    create: (values) => service().create(values as unknown as NewLocale),
    update: (documentId, changes) => service().update(documentId, changes as LocaleChanges),
    remove: (documentId, ctx) => service().remove(documentId, { force: forceOf(ctx) }),
  });
  return [
    { ...routeOf("GET", "/locales", endpoints.list), description: adminDescriptions.list },
    { ...routeOf("GET", "/locales/:documentId", endpoints.findOne), description: adminDescriptions.findOne },
    { ...routeOf("POST", "/locales", endpoints.create), description: adminDescriptions.create },
    { ...routeOf("PUT", "/locales/:documentId", endpoints.update), description: adminDescriptions.update },
    { ...routeOf("DELETE", "/locales/:documentId", endpoints.remove), description: adminDescriptions.remove },
  ];
}

/** `auth: false` turns the content API's strategies off; the policy uses the administrators' own. */
function routeOf(method: RouteMethod, path: string, handler: Handler): Route {
  const action = "plugin::admin.locales";
  const policies = [{ name: "plugin::api-tokens.is-administrator", config: { action } }];
  return { method, path, handler, type: "root", config: { auth: false, prefix: "/admin/i18n", policies } };
}

/** Whether a deletion is forced. @throws PLINTH_I18N_INVALID (400) for anything but true and false */
function forceOf({ query: { force = "false" } }: HttpContext): boolean {
  if (force === "true" || force === "false") return force === "true";
  throw new InvalidLocaleError({ errors: [{ path: "force", message: "must be true or false" }] });
}

/** A locale as visitors may see it. @source plugins/content-api/WIRE.md#locales, these keys and no others */
export function publicView({ fallback: _fallback, ...locale }: Locale): Omit<Locale, "fallback"> {
  return locale;
}
