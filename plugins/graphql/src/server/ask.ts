import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import type { GraphqlContext } from "../contract.js";

/** Answers a request that has a context. */
export type Ask = (request: RequestInfo, context: GraphqlContext) => Promise<EndpointAnswer>;
