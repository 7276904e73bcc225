import { createReadStream } from "node:fs";
import { type Handler, type HttpContext, NotFoundError, type Route } from "@plinth/core";
import { type ClientFiles, pathOfFile } from "./client-files.js";
import type { Page } from "./page.js";
import type { PageExtensions } from "./page-extensions.js";

const IMMUTABLE = "public, max-age=31536000, immutable";

/**
 * The routes that browsers load the page by. Every address below `/admin` that no other route has is the page, whose
 * router reads the rest of it.
 *
 * @param page - called for each request
 */
export function createPageRoutes(page: () => Page): readonly Route[] {
  const show: Handler = (ctx) => answerPage(ctx, page());
  const own = { method: "GET", type: "root", config: { auth: false, prefix: "" }, description: false } as const;
  return [
    { ...own, path: "/", handler: leadToPage },
    { ...own, path: "/admin", handler: show, page: "Admin" },
    { ...own, path: "/admin/assets/:file", handler: (ctx) => sendAsset(ctx, page().client) },
    { ...own, path: "/admin/extensions/:file", handler: (ctx) => sendExtension(ctx, page().extensions) },
    { ...own, path: "/admin/*path", handler: show },
  ];
}

/** Clients of an API get the 404 that they get without the page. */
function assertBrowser(ctx: HttpContext): void {
  ctx.vary("Accept");
  if (ctx.accepts("json", "html") !== "html") throw new NotFoundError({});
}

const leadToPage: Handler = (ctx) => {
  assertBrowser(ctx);
  ctx.redirect("/admin");
};

async function answerPage(ctx: HttpContext, { shell, policy }: Page): Promise<void> {
  assertBrowser(ctx);
  ctx.type = "text/html; charset=utf-8";
  ctx.set("Cache-Control", "no-cache");
  ctx.set("Content-Security-Policy", await policy());
  ctx.set("Referrer-Policy", "no-referrer");
  ctx.body = shell.html;
}

/** Names are those of the build only, so that no path leads out of its folder. */
function sendAsset(ctx: HttpContext, { files }: ClientFiles): void {
  const name = ctx.params["file"] ?? "";
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  if (!file) throw new NotFoundError({});
  // Browsers take all of them alike, and name gzip first.
  const encoding = file.encodings.find((known) => ctx.acceptsEncodings(known) === known);
  ctx.type = file.type;
  ctx.set("Cache-Control", IMMUTABLE);
  ctx.vary("Accept-Encoding");
  if (encoding) ctx.set("Content-Encoding", encoding);
  ctx.body = createReadStream(pathOfFile(name, encoding));
}

function sendExtension(ctx: HttpContext, extensions: PageExtensions): void {
  const text = extensions.find(ctx.params["file"] ?? "");
  if (!text) throw new NotFoundError({});
  ctx.type = "text/javascript; charset=utf-8";
  ctx.set("Cache-Control", IMMUTABLE);
  ctx.body = text;
}
