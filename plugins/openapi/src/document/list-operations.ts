import { type Ability, camelCase } from "@plinth/core";
import { unlimited } from "@plinth/core/access";
import type { MatchedRoute, RouteDescription } from "@plinth/core/http";

/** A route that a document can describe. */
export interface Operation {
  readonly route: MatchedRoute;
  readonly description: RouteDescription;
  /** With braces: `/api/articles/{documentId}`. */
  readonly path: string;
  /** Names of the parameters in the path. */
  readonly params: readonly string[];
  /** Unique. */
  readonly id: string;
}

const PARAMETER = /:([A-Za-z_]\w*)/g;

/**
 * The routes of an app as operations. Left out are those that say so, and those that OpenAPI cannot express: regular
 * expressions, wildcards and parts of segments.
 */
export function listOperations(routes: readonly MatchedRoute[]): readonly Operation[] {
  const templates = new Map<string, string>();
  const ids = new Set<string>();
  return routes.flatMap((route) => {
    if (route.isPattern || route.description === false) return [];
    // Of two paths that differ by the names of their parameters OpenAPI knows one.
    const shape = route.path.replace(PARAMETER, ":");
    const template = templates.get(shape) ?? route.path;
    templates.set(shape, template);
    const description = route.description ?? describeUnknown(route);
    const params = [...template.matchAll(PARAMETER)].map(([, name = ""]) => name);
    const id = uniqueId(description.name, route, ids);
    return [{ route, description, path: template.replace(PARAMETER, "{$1}"), params, id }];
  });
}

/** Whether an ability includes an operation; the REST of administrators is shown to callers who may do everything. */
export function isOpenTo(ability: Ability): (operation: Operation) => boolean {
  return ({ route: { scope }, description: { bearer } }) =>
    scope === undefined
      ? bearer === undefined || ability.key === unlimited.key
      : scope.every((action) => ability.can(action));
}

/** The description of a route without one. */
function describeUnknown({ method, path, owner, action }: MatchedRoute): RouteDescription {
  return { summary: action ?? `${method} ${path}`, tag: owner, answers: {} };
}

function uniqueId(wish: string | undefined, { method, path }: MatchedRoute, taken: Set<string>): string {
  const byPath = camelCase(
    `${method.toLowerCase()} ${path.replace(PARAMETER, "by $1").replace(/[^A-Za-z0-9]+/g, " ")}`,
  );
  const candidates = [...(wish === undefined ? [] : [wish]), byPath];
  let id = candidates.find((candidate) => !taken.has(candidate));
  for (let next = 2; id === undefined; next++) if (!taken.has(`${byPath}${next}`)) id = `${byPath}${next}`;
  taken.add(id);
  return id;
}
