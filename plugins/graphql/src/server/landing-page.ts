import type { ApolloServerPlugin } from "@apollo/server";
import { ApolloServerPluginLandingPageDisabled } from "@apollo/server/plugin/disabled";
import type { App } from "@plinth/core";
import type { GraphqlConfig } from "../config.js";
import type { GraphqlContext } from "../contract.js";
import { createGraphiqlPage, GRAPHIQL_POLICY } from "./graphiql.js";

/** The page that browsers get at the endpoint. */
export interface LandingPagePlan {
  readonly plugin: ApolloServerPlugin<GraphqlContext>;
  /** The Content-Security-Policy of GraphiQL; undefined where there is another page, or none. */
  readonly policy: string | undefined;
}

/**
 * Decides on the landing page, once.
 *
 * @param app - in its environment `production` there is no page unless the configuration says so.
 * @source plugins/content-api/WIRE.md#graphql-configuration
 */
export function planLandingPage(config: GraphqlConfig, app: App): LandingPagePlan {
  const { landingPage, playgroundAlways } = config;
  const configured = typeof landingPage === "function" ? landingPage(app) : landingPage;
  if (typeof configured === "object") return { plugin: configured, policy: undefined };
  const isOn = playgroundAlways || (configured ?? app.environment !== "production");
  return isOn
    ? { plugin: createGraphiqlPage(config.endpoint), policy: GRAPHIQL_POLICY }
    : { plugin: ApolloServerPluginLandingPageDisabled(), policy: undefined };
}
