import type { ApolloServerPlugin } from "@apollo/server";
import { ApolloServerPluginLandingPageDisabled } from "@apollo/server/plugin/disabled";
import { ApolloServerPluginLandingPageLocalDefault } from "@apollo/server/plugin/landingPage/default";
import type { App } from "@plinth/core";
import type { GraphqlConfig, GraphqlContext } from "../contract.js";

/** The page that browsers get at the endpoint. */
export interface LandingPagePlan {
  readonly plugin: ApolloServerPlugin<GraphqlContext>;
  /** The Content-Security-Policy that the page needs; undefined where the app's own holds. */
  readonly policy: string | undefined;
}

const CDN = "https://*.cdn.apollographql.com";

/** The page itself says in a meta element which of the scripts may run; both policies have to allow one. */
const PAGE_POLICY = [
  "default-src 'self'",
  `script-src 'self' 'unsafe-inline' ${CDN}`,
  `style-src 'self' 'unsafe-inline' ${CDN} https://fonts.googleapis.com`,
  `img-src 'self' data: ${CDN}`,
  `manifest-src 'self' ${CDN}`,
  "font-src 'self' https://fonts.gstatic.com",
  "frame-src https://*.embed.apollographql.com",
  "base-uri 'self'",
  "object-src 'none'",
  "frame-ancestors 'self'",
].join("; ");

/**
 * Decides on the landing page, once.
 *
 * @param app - in whose environment `production` there is none unless the configuration says so.
 * @source content-api.md, "GraphQL plugin configuration"
 */
export function planLandingPage(config: GraphqlConfig, app: App): LandingPagePlan {
  const { landingPage, playgroundAlways } = config;
  const said = typeof landingPage === "function" ? landingPage(app) : landingPage;
  if (typeof said === "object") return { plugin: said, policy: undefined };
  const isOn = playgroundAlways || (said ?? app.environment !== "production");
  return isOn
    ? { plugin: ApolloServerPluginLandingPageLocalDefault({ embed: true }), policy: PAGE_POLICY }
    : { plugin: ApolloServerPluginLandingPageDisabled(), policy: undefined };
}
