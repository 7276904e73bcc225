import type { App, Handler } from "@plinth/core";

/** An action that can be granted, and the requests that need it. */
export interface GrantableAction {
  /** `api::article.article.find` */
  readonly action: string;
  /** `["GET /api/articles"]` */
  readonly routes: readonly string[];
}

/** Makes `GET /admin/permissions`: what permissions may name. */
export function createPermissionList(app: App): Handler {
  return () => ({ data: listActions(app) });
}

function listActions(app: App): readonly GrantableAction[] {
  const routes = new Map<string, string[]>();
  for (const { action, method, path } of app.http.routes) {
    if (action === undefined) continue;
    routes.set(action, [...(routes.get(action) ?? []), `${method} ${path}`]);
  }
  return [...routes]
    .map(([action, paths]) => ({ action, routes: paths }))
    .sort((a, b) => (a.action < b.action ? -1 : 1));
}
