import koaCors from "@koa/cors";
import { check, type OptionChecks } from "../../base/check-options.js";
import type { HttpContext, Middleware, MiddlewareFactory } from "../types.js";
import { assertOptions } from "./assert-options.js";

interface CorsConfig {
  /** Origins such as `https://app.example.com`; `*` is any. */
  readonly origin: string | readonly string[];
  /** Whether configured origins may send credentials. */
  readonly credentials: boolean;
  readonly methods: readonly string[];
  readonly headers: readonly string[];
  /** Headers of answers that scripts may read. */
  readonly expose: readonly string[];
  /** How long a browser keeps the answer of a preflight, in seconds. */
  readonly maxAge?: number;
}

const defaults: CorsConfig = {
  origin: "*",
  credentials: true,
  methods: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"],
  headers: ["Content-Type", "Authorization", "Origin", "Accept", "If-Match", "If-None-Match"],
  expose: ["ETag"],
};

const CHECKS: OptionChecks<CorsConfig> = {
  origin: check.either("an origin, a list of them, or *", check.text("*"), check.texts),
  credentials: check.boolean,
  methods: check.texts,
  headers: check.texts,
  expose: check.texts,
  maxAge: check.whole(0),
};

/**
 * `plinth::cors`: answers preflights, and lets scripts of other origins read answers. An origin that is configured by
 * name may send credentials; one that only `*` covers is reflected without.
 *
 * Configuration: `{ origin: "*" | [...], credentials: true, methods, headers, expose, maxAge }`.
 *
 * @source plugins/content-api/WIRE.md#routing-and-headers
 */
export const cors: MiddlewareFactory = (config) => {
  assertOptions("plinth::cors", config, CHECKS);
  const { origin, credentials, methods, headers, expose, maxAge }: CorsConfig = { ...defaults, ...config };
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
