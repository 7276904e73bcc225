import type { App } from "@plinth/core";
import { actionsOfType, DRAFT_ACTIONS, FIND_DRAFTS } from "@plinth/core/access";
import { actionOf, listRoutes } from "@plinth/core/http";
import type { ContentType } from "@plinth/core/schema";

/**
 * Every action that a role can be granted: those of the content-types of the app, with or without routes, and those
 * that routes below the REST prefix ask for. In alphabetical order of their owners, each once.
 */
export function listKnownActions(app: App): readonly string[] {
  const types = [...app.model.contentTypes.values()].filter(({ uid }) => uid.startsWith("api::"));
  const actions = new Set([...types.flatMap(actionsOf), ...actionsOfRoutes(app)]);
  return [...actions].sort((a, b) => compare(ownerOf(a), ownerOf(b)));
}

/** @source plugins/content-api/WIRE.md#actions */
function actionsOf(type: ContentType): readonly string[] {
  return actionsOfType(type).map((name) => `${type.uid}.${name}`);
}

/** Whether an action is one on the drafts of a content-type of the app. */
export function isDraftAction(action: string): boolean {
  return action.startsWith("api::") && [FIND_DRAFTS, ...DRAFT_ACTIONS].some((name) => action.endsWith(`.${name}`));
}

function actionsOfRoutes(app: App): readonly string[] {
  const routes = listRoutes(app.registry("route"), { app });
  return routes.flatMap((owned) => {
    const { type, config } = owned.route;
    if (type === "root" || config?.auth === false) return [];
    return config?.auth?.scope ?? actionOf(owned) ?? [];
  });
}

/** `api::article` of `api::article.article.find` */
export function ownerOf(action: string): string {
  return action.slice(0, action.indexOf("."));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
