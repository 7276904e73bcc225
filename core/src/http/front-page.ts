import { NotFoundError } from "./errors.js";
import type { OwnedRoute } from "./route.js";
import type { MatchedRoute } from "./route-description.js";

/** A page for browsers, such as `{ name: "GraphQL", path: "/graphql" }`. */
export interface Page {
  readonly name: string;
  readonly path: string;
}

/** The pages that routes declare, in order. */
export function pagesOf(routes: readonly MatchedRoute[]): readonly Page[] {
  return routes.flatMap(({ page, path }) => (page === undefined ? [] : [{ name: page, path }]));
}

/**
 * `GET /`: shows a browser where the APIs are. Other clients get 404, and so do all in production, where this route is
 * left out. A route `/` of the app or of a plugin takes its place.
 *
 * @param restPrefix - such as `/api`.
 * @param routes - called for each request, because the routes are not complete yet when this is made.
 */
export function createFrontPage(restPrefix: string, routes: () => readonly MatchedRoute[]): OwnedRoute {
  return {
    owner: "plinth",
    route: {
      method: "GET",
      path: "/",
      type: "root",
      config: { auth: false },
      description: false,
      handler: (ctx) => {
        ctx.vary("Accept");
        if (ctx.accepts("json", "html") !== "html") throw new NotFoundError({});
        ctx.type = "text/html; charset=utf-8";
        ctx.body = buildHtml(restPrefix, routes());
      },
    },
  };
}

function buildHtml(restPrefix: string, routes: readonly MatchedRoute[]): string {
  const rest = routes.find(
    ({ method, path, action }) => method === "GET" && path.startsWith(`${restPrefix}/`) && action?.startsWith("api::"),
  );
  const links = [{ name: "REST", path: rest?.path ?? restPrefix }, ...pagesOf(routes)].filter(
    ({ path }) => !path.includes(":"),
  );
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Plinth</title>
    <style>
      body { font: 16px/1.6 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem; }
      dt { font-weight: 600; }
      code { background: #8882; padding: 0.1em 0.3em; }
    </style>
  </head>
  <body>
    <h1>Plinth runs</h1>
    <dl>
${links.map(({ name, path }) => `      <dt>${escaped(name)}</dt><dd><a href="${escaped(path)}">${escaped(path)}</a></dd>`).join("\n")}
      <dt>Guides</dt><dd><code>node_modules/@plinth/*/guides</code> and the README of this app</dd>
    </dl>
    <p>This page is for browsers, and is not there in production.</p>
  </body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
