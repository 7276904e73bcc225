/** `@plinth/core/http`: for plugins that make routes, describe them or write answers of their own. */
export { actionOf } from "../http/endpoint.js";
export type { ServerSentEvent } from "../http/event-text.js";
export { EVENT_STREAM_HEADERS, eventText, retryText } from "../http/event-text.js";
export type { OpenStreams } from "../http/open-streams.js";
export type { ReadStreams, StreamedRead, StreamForm } from "../http/read-streams.js";
export type { AskedRead } from "../http/asked-read.js";
export { keyOfRead } from "../http/asked-read.js";
export type { ReadAnswers, ReadHeaders } from "../http/read-answers.js";
export { readAnswersOf, wantsStream } from "../http/read-answers.js";
export { expectedVersions, unexpectedVersions } from "../http/answer-body.js";
export type { ErrorAnswer, ErrorBody } from "../http/error-answer.js";
export { buildErrorAnswer } from "../http/error-answer.js";
export { logFault } from "../http/fault-log.js";
export { PolicyFailedError } from "../http/errors.js";
export type { JsonText } from "../http/answer-body.js";
export { hasJsonText, hashBody, jsonText, textOf } from "../http/answer-body.js";
export type { Examined, Finding, Health, HealthCheck, HealthReport, Readiness } from "../http/health.js";
export type { ManagementAnswer, ManagementEndpoint } from "../http/management-endpoints.js";
export type { LoggedRequest, RequestFields } from "../http/request-log.js";
export { originOf, requestFields } from "../http/request-log.js";
export type { RequestClient } from "../access/origin.js";
export { clientOf } from "../access/origin.js";
export type { ToldAct } from "../http/tell-acts.js";
export { type Refusal, tellAct, tellRefusal } from "../http/tell-acts.js";
export { listRoutes } from "../http/parts.js";
export type { RouteApi } from "../http/route-api.js";
export type {
  AnswerDescription,
  JsonSchema,
  MatchedRoute,
  QueryDescription,
  RouteDescription,
  RouteMethod,
} from "../http/route-description.js";
export type { Endpoint, EndpointAnswer, RequestInfo } from "../http/request-info.js";
export { handlerOf } from "../http/request-info.js";
export type { Resource, ResourceEndpoints } from "../http/resource-endpoints.js";
export { endpointOfOne, resourceEndpoints } from "../http/resource-endpoints.js";
export type { MiddlewareRef, PolicyRef, RouteConfig, RouteSource } from "../http/route.js";
