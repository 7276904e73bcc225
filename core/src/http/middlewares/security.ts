import helmet from "koa-helmet";
import * as v from "@plinth/core/valibot";
import { allowed, noList, options } from "../../base/options/values.js";
import type { Middleware, MiddlewareFactory } from "../types.js";
import { readOptions } from "./read-options.js";

type HelmetOptions = NonNullable<Parameters<typeof helmet>[0]>;

/** The names of helmet, the older ones of its headers included. */
const NAMES = [
  "contentSecurityPolicy",
  "crossOriginEmbedderPolicy",
  "crossOriginOpenerPolicy",
  "crossOriginResourcePolicy",
  "dnsPrefetchControl",
  "frameguard",
  "hidePoweredBy",
  "hsts",
  "ieNoOpen",
  "noSniff",
  "originAgentCluster",
  "permittedCrossDomainPolicies",
  "referrerPolicy",
  "strictTransportSecurity",
  "xContentTypeOptions",
  "xDnsPrefetchControl",
  "xDownloadOptions",
  "xFrameOptions",
  "xPermittedCrossDomainPolicies",
  "xPoweredBy",
  "xXssProtection",
  "xssFilter",
] as const satisfies readonly (keyof HelmetOptions)[];

const header = v.pipe(v.union([v.boolean(), noList(v.looseObject({}))]), allowed("true, false or options of helmet"));

const helmetOptions = options(v.entriesFromList(NAMES, v.optional(header)));

/** `plinth::security`: the security headers of helmet, which its configuration goes to as it is. */
export const security: MiddlewareFactory = (config) => {
  readOptions("plinth::security", config, helmetOptions);
  return helmet(config) as unknown as Middleware;
};
