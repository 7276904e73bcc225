import helmet from "koa-helmet";
import { check, type OptionChecks } from "../../base/check-options.js";
import type { Middleware, MiddlewareFactory } from "../types.js";
import { assertOptions } from "./assert-options.js";

type HelmetOptions = NonNullable<Parameters<typeof helmet>[0]>;

const header = check.either("true, false or options of helmet", check.boolean, (value) =>
  typeof value === "object" && value !== null ? undefined : "options",
);

/** The names of helmet, the older ones of its headers included. */
const CHECKS: OptionChecks<HelmetOptions> = {
  contentSecurityPolicy: header,
  crossOriginEmbedderPolicy: header,
  crossOriginOpenerPolicy: header,
  crossOriginResourcePolicy: header,
  dnsPrefetchControl: header,
  frameguard: header,
  hidePoweredBy: header,
  hsts: header,
  ieNoOpen: header,
  noSniff: header,
  originAgentCluster: header,
  permittedCrossDomainPolicies: header,
  referrerPolicy: header,
  strictTransportSecurity: header,
  xContentTypeOptions: header,
  xDnsPrefetchControl: header,
  xDownloadOptions: header,
  xFrameOptions: header,
  xPermittedCrossDomainPolicies: header,
  xPoweredBy: header,
  xXssProtection: header,
  xssFilter: header,
};

/** `plinth::security`: the security headers of helmet, which its configuration goes to as it is. */
export const security: MiddlewareFactory = (config) => {
  assertOptions("plinth::security", config, CHECKS);
  return helmet(config) as unknown as Middleware;
};
