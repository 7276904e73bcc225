import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { ApolloServerPlugin } from "@apollo/server";
import { type HttpContext, NotFoundError } from "@plinth/core";
import type { GraphqlContext } from "../contract.js";

/** Files of GraphiQL and React, which the build puts there. */
const FOLDER = join(
  dirname(createRequire(import.meta.url).resolve("@plinth/plugin-graphql/package.json")),
  "dist",
  "graphiql",
);

/** Scripts are our own files only; the editor writes styles into the page, and its style sheet holds its fonts. */
export const GRAPHIQL_POLICY: string = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const START = "start.js";

/** No object: a client may ask for `constructor`. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ["graphiql.min.css", "text/css; charset=utf-8"],
  ...["graphiql.min.js", "react.production.min.js", "react-dom.production.min.js", START].map(
    (file) => [file, "text/javascript; charset=utf-8"] as const,
  ),
]);

const START_SCRIPT = `ReactDOM.createRoot(document.getElementById("page")).render(
  React.createElement(GraphiQL, {
    fetcher: GraphiQL.createFetcher({ url: location.pathname }),
    defaultEditorToolsVisibility: true,
    shouldPersistHeaders: false,
  }),
);
`;

/**
 * The page that browsers get at the endpoint: GraphiQL, without a request to any other host. Paths in it are relative, so
 * that it works behind a proxy that puts something before them.
 */
export function createGraphiqlPage(endpoint: string): ApolloServerPlugin<GraphqlContext> {
  const files = `${endpoint.slice(endpoint.lastIndexOf("/") + 1)}/graphiql`;
  const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>GraphQL</title>
    <style>body { margin: 0 } #page { height: 100dvh }</style>
    <link rel="stylesheet" href="${files}/graphiql.min.css">
  </head>
  <body>
    <div id="page"></div>
    <script src="${files}/react.production.min.js" defer></script>
    <script src="${files}/react-dom.production.min.js" defer></script>
    <script src="${files}/graphiql.min.js" defer></script>
    <script src="${files}/${START}" defer></script>
  </body>
</html>
`;
  return { serverWillStart: async () => ({ renderLandingPage: async () => ({ html }) }) };
}

/** Answers with a file that the page loads. @throws PLINTH_HTTP_NOT_FOUND (404) */
export async function serveGraphiqlFile(ctx: HttpContext): Promise<void> {
  const file = ctx.params["file"] ?? "";
  const type = TYPES.get(file);
  if (type === undefined) throw new NotFoundError({});
  ctx.body = file === START ? START_SCRIPT : await readFile(join(FOLDER, file));
  ctx.type = type;
  ctx.set("Cache-Control", "no-cache");
}
