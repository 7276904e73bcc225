import koaCors from "@koa/cors";
import * as v from "@plinth/core/valibot";
import { allowed, option, options, text, whole } from "../../base/options/values.js";
import type { HttpContext, Middleware, MiddlewareFactory } from "../types.js";
import { readOptions } from "./read-options.js";

const strings = v.array(v.string());

/** What `plinth::cors` is configured with. */
export const corsOptions = options({
  origin: option(
    v.pipe(v.union([text("*"), strings]), allowed("an origin, a list of them, or *")),
    "Origins such as `https://app.example.com`; `*` is any.",
    "*",
  ),
  credentials: option(v.boolean(), "Whether configured origins may send credentials.", true),
  methods: option(strings, "Methods that scripts may use.", [
    "GET",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "HEAD",
    "OPTIONS",
  ]),
  headers: option(strings, "Headers that scripts may send.", [
    "Content-Type",
    "Authorization",
    "Origin",
    "Accept",
    "If-Match",
    "If-None-Match",
    "Idempotency-Key",
    "Plinth-Position",
    "Plinth-Consistency",
  ]),
  expose: option(strings, "Headers of answers that scripts may read.", [
    "ETag",
    "Idempotency-Replayed",
    "Plinth-Position",
  ]),
  maxAge: option(whole(0), "How long a browser keeps the answer of a preflight, in seconds."),
});

/**
 * `plinth::cors`: answers preflights, and lets scripts of other origins read answers. An origin that is configured by
 * name may send credentials; one that only `*` covers is reflected without.
 *
 * Configuration: `{ origin: "*" | [...], credentials: true, methods, headers, expose, maxAge }`.
 *
 * @source plugins/content-api/WIRE.md#routing-and-headers
 */
export const cors: MiddlewareFactory = (config) => {
  const { origin, credentials, methods, headers, expose, maxAge } = readOptions("plinth::cors", config, corsOptions);
  const named = new Set(typeof origin === "string" ? [origin] : origin);
  const isNamed = (ctx: HttpContext) => named.has(ctx.get("Origin"));
  const options = {
    origin: (ctx: HttpContext) => (isNamed(ctx) || named.has("*") ? ctx.get("Origin") : ""),
    credentials: (ctx: HttpContext) => credentials && ctx.get("Origin") !== "*" && isNamed(ctx),
    allowMethods: [...methods],
    allowHeaders: [...headers],
    ...(expose.length > 0 ? { exposeHeaders: [...expose] } : {}),
    ...(maxAge === undefined ? {} : { maxAge }),
  };
  return koaCors(options as unknown as koaCors.Options) as unknown as Middleware;
};
