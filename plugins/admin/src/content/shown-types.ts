import { type App, NotFoundError } from "@plinth/core";
import { assertCan } from "@plinth/core/access";
import type { RequestInfo } from "@plinth/core/http";
import type { ContentType } from "@plinth/core/schema";
import { optionsOf } from "./naming.js";

/**
 * Whether documents of a type are content of the page: those of the app, and of plugins those that say `visible: true`.
 * A schema file says it in `pluginOptions.admin`, or as Strapi's do in `pluginOptions["content-manager"]`.
 */
export function isShown({ uid, pluginOptions }: ContentType): boolean {
  for (const tool of ["admin", "content-manager"]) {
    const { visible } = optionsOf(pluginOptions[tool]);
    if (typeof visible === "boolean") return visible;
  }
  return uid.startsWith("api::");
}

/**
 * The content-type that a request names by its uid, where the caller may do something with it.
 *
 * @param actions - such as `find`
 * @throws PLINTH_HTTP_NOT_FOUND (404) where there is no such type, or none that the page shows
 * @throws PLINTH_ACCESS_FORBIDDEN (403)
 */
export function typeFor({ model }: App, { params, actor }: RequestInfo, ...actions: readonly string[]): ContentType {
  const type = model.contentTypes.get(params["uid"] ?? "");
  if (!type || !isShown(type)) throw new NotFoundError({});
  assertCan(
    actor.ability,
    actions.map((action) => `${type.uid}.${action}`),
  );
  return type;
}
