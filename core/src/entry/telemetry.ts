/** `@plinth/core/telemetry`: for plugins that watch an app: what it publishes by node's diagnostics_channel. */
export type {
  AuthKind,
  AuthMessage,
  ConsumerBacklog,
  DatabaseMessage,
  DeliveryMessage,
  EventBacklogMessage,
  EventMessage,
  HttpMessage,
  JobMessage,
  JobQueueMessage,
  JobResult,
  PoolMessage,
  ReplicaMessage,
  SharedReadMessage,
  ShedMessage,
  StatementKind,
  ReportChannel,
  ReportedRoute,
  TotalMessage,
  UploadMessage,
  WorkResult,
} from "../base/telemetry.js";
export { channels, reportAuth, resultOf, TimedChannel } from "../base/telemetry.js";
export { inLaterSpan, traceparentOf } from "../base/tracing.js";
export type { ProcessDescription } from "../app/describe-process.js";
export { describeProcess } from "../app/describe-process.js";
