import { type FileHandle, open } from "node:fs/promises";
import { extname, join } from "node:path";
import { type Handler, type HttpContext, NotFoundError } from "@plinth/core";
import { isKey } from "./storage-key.js";

/** A directory whose files are served. */
export interface ServedDirectory {
  readonly directory: string;
  /** Seconds for which caches keep files that cannot be replaced. */
  readonly maxAge: number;
}

/** Shown inline by browsers; all other types are downloaded. */
const SHOWN = /^(image|video|audio|font)\/|^text\/(plain|csv|markdown)|^application\/(pdf|json)/;

/** Scripts are sent as text, which browsers do not run with `nosniff`. */
const SCRIPT = /^(application|text)\/(x-)?(java|ecma)script/;

/** A browser's own viewer does not work in a sandbox. */
const UNBOXED = "application/pdf";

/**
 * Serves the files of a directory: whole or one range, with an ETag, and so that nothing in them runs on this origin.
 *
 * @source RFC 9110, 13 and 14
 */
export function serveFile({ directory, maxAge }: ServedDirectory): Handler {
  return async (ctx) => {
    const key = ctx.params["key"] ?? "";
    if (!isKey(key)) throw new NotFoundError({});
    const handle = await open(join(directory, key), "r").catch(() => undefined);
    if (!handle) throw new NotFoundError({});
    try {
      const { size, mtime, isFile, isFinal } = await statOf(handle);
      if (!isFile) throw new NotFoundError({});
      setHeaders(ctx, { key, size, mtime, caching: isFinal ? `public, max-age=${maxAge}` : "public, no-cache" });
      answer(ctx, handle, size);
    } finally {
      // A stream closes the file itself.
      if (!isStream(ctx.body)) await handle.close();
    }
  };
}

/** The rights of a mode to write: files that cannot be replaced have none. */
const WRITABLE = 0o222;

async function statOf(handle: FileHandle) {
  const found = await handle.stat();
  const isFinal = (found.mode & WRITABLE) === 0;
  return { size: found.size, mtime: found.mtime, isFile: found.isFile(), isFinal };
}

interface FileHeaders {
  readonly key: string;
  readonly size: number;
  readonly mtime: Date;
  /** `Cache-Control`. */
  readonly caching: string;
}

function setHeaders(ctx: HttpContext, { key, size, mtime, caching }: FileHeaders): void {
  ctx.status = 200;
  ctx.type = extname(key) || "application/octet-stream";
  const type = ctx.response.type || "application/octet-stream";
  if (SCRIPT.test(type)) ctx.type = "text/plain";
  else if (!ctx.response.type) ctx.type = type;
  if (!SHOWN.test(type)) ctx.set("Content-Disposition", "attachment");
  ctx.set(
    "Content-Security-Policy",
    type === UNBOXED ? "script-src 'none'" : "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
  );
  ctx.set("X-Content-Type-Options", "nosniff");
  // Front ends live on other origins and show these files.
  ctx.set("Cross-Origin-Resource-Policy", "cross-origin");
  ctx.set("Cache-Control", caching);
  ctx.set("Accept-Ranges", "bytes");
  ctx.response.etag = `"${size.toString(16)}-${Math.round(mtime.getTime()).toString(16)}"`;
  ctx.response.lastModified = mtime;
}

function answer(ctx: HttpContext, handle: FileHandle, size: number): void {
  if (isKnown(ctx)) {
    ctx.status = 304;
    return;
  }
  const range = rangeOf(ctx, size);
  if (range === "outside") {
    ctx.set("Content-Range", `bytes */${size}`);
    ctx.status = 416;
    ctx.body = "";
    return;
  }
  if (range) {
    ctx.status = 206;
    ctx.set("Content-Range", `bytes ${range.start}-${range.end}/${size}`);
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const { type } = ctx.response;
  const contentType = ctx.response.get("Content-Type") || type;
  ctx.body = ctx.method === "HEAD" || size === 0 ? "" : handle.createReadStream({ start, end });
  ctx.set("Content-Type", contentType);
  ctx.length = size === 0 ? 0 : end - start + 1;
}

/** Whether the client has this content cached. */
function isKnown(ctx: HttpContext): boolean {
  const tags = ctx.get("If-None-Match");
  if (tags !== "") return tags === "*" || tags.includes(ctx.response.get("ETag"));
  const since = Date.parse(ctx.get("If-Modified-Since"));
  return Date.parse(ctx.response.get("Last-Modified")) <= since;
}

const isStream = (body: unknown): boolean => typeof body === "object" && body !== null && "pipe" in body;

/** The range that is asked for; undefined: the whole file, for none, for several, and for one of an older content. */
function rangeOf(ctx: HttpContext, size: number): { start: number; end: number } | "outside" | undefined {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(ctx.get("Range")) ?? [];
  if (first === "" && last === "") return undefined;
  const condition = ctx.get("If-Range");
  if (condition && condition !== ctx.response.get("ETag") && condition !== ctx.response.get("Last-Modified")) {
    return undefined;
  }
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  return start > end ? "outside" : { start, end };
}
