import { hash, timingSafeEqual } from "node:crypto";
import { type App, type Policy, type Route, UnauthenticatedError } from "@plinth/core";
import type { MetricsConfig } from "./config.js";
import { METRICS_PATH } from "./endpoint.js";

/** The policy of the plugin api-tokens that lets administrators pass. */
const ADMINISTRATORS = "plugin::api-tokens.is-administrator";

/** Name of the policy of the route. */
export const READERS = "may-read";

/** `GET /metrics` on the main port: those of all workers, whichever of them answers. */
export const createMetricsRoute = (app: App): Route => ({
  method: "GET",
  path: METRICS_PATH,
  type: "root",
  description: false,
  config: { auth: false, prefix: "", policies: [READERS] },
  handler: async (ctx) => {
    const answer = await app.management.ask(METRICS_PATH);
    ctx.set("Cache-Control", "no-store");
    ctx.type = answer?.type ?? "text/plain";
    return answer?.body ?? "";
  },
});

/** Lets those pass who have a token of the configuration, or are administrators. @throws PLINTH_ACCESS_UNAUTHENTICATED (401) */
export function createReadersPolicy(app: App, { token }: Pick<MetricsConfig, "token">): Policy {
  const tokens = token.map(digest);
  return async (ctx, config, tools) => {
    const [, bearer] = /^Bearer (.+)$/i.exec(ctx.get("Authorization")) ?? [];
    const given = digest(bearer ?? "");
    // Digests have one length, and each is compared as a whole: the time says nothing of the token.
    const isKnown = tokens.map((known) => timingSafeEqual(known, given)).includes(true);
    if (bearer !== undefined && isKnown) return true;
    const policies = app.registry("policy");
    if (!policies.has(ADMINISTRATORS)) throw new UnauthenticatedError({});
    return policies.get(ADMINISTRATORS)(ctx, config, tools);
  };
}

const digest = (text: string): Buffer => hash("sha256", text, "buffer");
