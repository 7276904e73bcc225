import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type App, type HttpContext, NotFoundError, type Route } from "@plinth/core";
import { PageMissingError } from "../errors.js";

const PACKAGE = "swagger-ui-dist";

/** Paths in it are relative, so that it works behind a proxy that puts something before them. */
const HTML = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>API</title>
    <link rel="stylesheet" href="./openapi/swagger-ui.css">
  </head>
  <body>
    <div id="page"></div>
    <script src="./openapi/swagger-ui-bundle.js" defer></script>
    <script src="./openapi/start.js" defer></script>
  </body>
</html>
`;

/** Scripts are our own files only; swagger-ui writes styles and pictures into the page. */
const POLICY = [
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

const TYPE_OF: Readonly<Record<string, string>> = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
};

/**
 * The page that shows the document and sends requests, and its files, by the names of their routes. Files are read when
 * they are asked for.
 */
export function createPageRoutes(app: App): Readonly<Record<string, Route>> {
  const open = { method: "GET", api: "other", config: { auth: false, prefix: "" }, description: false } as const;
  return {
    page: { ...open, path: "/openapi", page: "OpenAPI", handler: (ctx) => servePage(app.root, ctx) },
    "page-file": { ...open, path: "/openapi/:file", handler: (ctx) => serveFile(app.root, ctx) },
  };
}

/** @throws PLINTH_OPENAPI_PAGE_MISSING (404) */
function servePage(root: string, ctx: HttpContext): void {
  folderOf(root);
  if (ctx.path.endsWith("/")) {
    // The paths in the page lead elsewhere from there.
    ctx.redirect("../openapi");
    return;
  }
  ctx.set("Content-Security-Policy", POLICY);
  ctx.type = "text/html; charset=utf-8";
  ctx.body = HTML;
}

/** @throws PLINTH_HTTP_NOT_FOUND, PLINTH_OPENAPI_PAGE_MISSING (404) */
async function serveFile(root: string, ctx: HttpContext): Promise<void> {
  const file = ctx.params["file"] ?? "";
  const isStart = file === "start.js";
  const type = isStart ? "text/javascript; charset=utf-8" : TYPE_OF[file];
  if (type === undefined) throw new NotFoundError({});
  ctx.body = isStart ? START_SCRIPT : await readFile(join(folderOf(root), file));
  ctx.type = type;
}

/** The package's folder, as the app sees it. @throws PLINTH_OPENAPI_PAGE_MISSING (404) */
function folderOf(root: string): string {
  try {
    return dirname(createRequire(join(root, "package.json")).resolve(`${PACKAGE}/package.json`));
  } catch (cause) {
    throw new PageMissingError({}, { cause });
  }
}

/**
 * The page's own script. What the page sends of objects within objects is JSON (`filters[title]={"$eq":"A"}`), and is
 * written in brackets, as the API reads it (`filters[title][$eq]=A`).
 */
const START_SCRIPT = `function spread(name, value) {
  if (typeof value !== "object" || value === null) return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) => spread(name + "[" + key + "]", inner));
}

function readPair([name, text]) {
  if (!name.endsWith("]") || !/^[[{]/.test(text)) return [[name, text]];
  try {
    return spread(name, JSON.parse(text));
  } catch {
    return [[name, text]];
  }
}

function writeBrackets(request) {
  const [path, query] = request.url.split("?");
  if (query === undefined) return request;
  const pairs = [...new URLSearchParams(query)].flatMap(readPair);
  return Object.assign(request, { url: path + "?" + new URLSearchParams(pairs) });
}

SwaggerUIBundle({
  url: "./openapi.json",
  dom_id: "#page",
  deepLinking: true,
  docExpansion: "none",
  defaultModelsExpandDepth: 0,
  persistAuthorization: true,
  requestInterceptor: writeBrackets,
});
`;
