import { createError } from "@plinth/core";

/** The plugin's part of config/plugins cannot be used. */
export const InvalidEventsConfigError = createError<{ problems: readonly string[] }>(
  "PLINTH_EVENTS_CONFIG_INVALID",
  500,
  (d) => `The configuration of "events" in config/plugins cannot be used: ${d.problems.join("; ")}.`,
  {
    cause: "A key of the plugin's configuration is unknown, or its value has the wrong form.",
    remedy: "Correct each problem that the message lists.",
  },
);

/** A type of events that there cannot be. */
export const InvalidTypeError = createError<{ type: string; reason: string }>(
  "PLINTH_EVENTS_TYPE_INVALID",
  400,
  (d) => `"${d.type}" is no type of events: ${d.reason}.`,
  {
    cause:
      "A type was published that has another form or belongs to the server, or one was asked for that has no form of a type.",
    remedy:
      'Publish types such as "shop.order-paid": names of small letters, digits and hyphens, at least two, with dots. Ask for those, for "shop.*" or "*".',
  },
);

/** What was asked for is not kept any more. */
export const PastRetentionError = createError<{ after: number; oldest: number }>(
  "PLINTH_EVENTS_PAST_RETENTION",
  410,
  (d) => `Events after ${d.after} are not kept any more: those up to ${d.oldest} were deleted, so some may be missing.`,
  {
    cause: "A reader stood still for longer than events are kept, `retention` of the plugin's configuration.",
    remedy:
      "Read everything again, then go on from now: a consumer by its `onGap`, or by `plinth events skip <consumer>`.",
  },
);

/** It is not known at the moment which events are new. */
export const NotSettledError = createError<{ seconds: number }>(
  "PLINTH_EVENTS_NOT_SETTLED",
  503,
  (d) =>
    `It is not known yet what is new: a transaction was under way before, and has written for more than ${d.seconds} s.`,
  {
    cause:
      "A process that has just begun asked for the latest event, or was to skip what a consumer has not handled, while a transaction writes: its events may have ids below others.",
    remedy: "Try again when it has ended; `plinth doctor` shows transactions that take long.",
  },
);

/** How the events of a content-type begin cannot be used. */
export const SubjectInvalidError = createError<{ problems: readonly string[] }>(
  "PLINTH_EVENTS_SUBJECT_INVALID",
  500,
  (d) => `Content-types say how their events begin in a way that cannot be: ${d.problems.join("; ")}.`,
  {
    cause:
      "`events` in the `pluginOptions` of a schema is neither false nor `{ subject }`, or the subject is not a name, or is one of the server's own.",
    remedy:
      'Write `"events": false`, or `"events": { "subject": "product" }`: small letters, digits and hyphens, not entry, media or user.',
  },
);

/** A consumer cannot be handed events like that. */
export const InvalidBatchError = createError<{ consumer: string; batch: number; most: number }>(
  "PLINTH_EVENTS_BATCH_INVALID",
  500,
  (d) => `The consumer "${d.consumer}" has the batch ${d.batch}; it takes a whole number from 1 to ${d.most}.`,
  {
    cause: "`events.consume` got a `batch` that is not a whole number, too small or too large.",
    remedy: "Give a number of events, or leave `batch` out.",
  },
);

/** The data of an event cannot be stored. */
export const InvalidDataError = createError<{ type: string; reason: string }>(
  "PLINTH_EVENTS_DATA_INVALID",
  400,
  (d) => `The event "${d.type}" cannot be published: ${d.reason}.`,
  {
    cause: "The data of an event are no JSON, or have a character that PostgreSQL cannot store.",
    remedy: "Publish plain data, such as ids, and strings without U+0000 and halves of characters.",
  },
);

/** Two consumers of one name. */
export const ConsumerTwiceError = createError<{ consumer: string }>(
  "PLINTH_EVENTS_CONSUMER_TWICE",
  500,
  (d) => `There is a consumer "${d.consumer}" in this process already; each needs a name of its own.`,
  {
    cause: "`events.consume` was called twice with one name: the place of a consumer is kept by its name.",
    remedy: "Give the second one another name, or stop the first one before.",
  },
);

/** No consumer of that name has ever read. */
export const ConsumerUnknownError = createError<{ consumer: string; known: readonly string[] }>(
  "PLINTH_EVENTS_CONSUMER_UNKNOWN",
  404,
  (d) => `There is no consumer "${d.consumer}". There are: ${d.known.join(", ") || "none"}.`,
  {
    cause: "`plinth events skip` names a consumer that has no place.",
    remedy: "`plinth events consumers` lists them.",
  },
);

/** The order of events is not known on this engine. */
export const CitusError = createError<Record<never, never>>(
  "PLINTH_EVENTS_CITUS",
  500,
  () => "The plugin events does not run on Citus.",
  {
    cause:
      "The transactions of a coordinator and of its workers have ids of their own, so the order of events is not known; and tables of a distributed schema cannot inherit, as those of its days do.",
    remedy: "Disable events and webhooks, or use PostgreSQL without Citus: a database for each tenant.",
  },
);

/** A Last-Event-ID that is none of ours. */
export const PlaceInvalidError = createError<Record<never, never>>(
  "PLINTH_EVENTS_PLACE_INVALID",
  400,
  () => "Last-Event-ID is not an id of this stream.",
  {
    cause: "A client sent a Last-Event-ID, or lastEventId, that it did not get from a stream of this app.",
    remedy: "Send the last id as it came; without one the stream begins with what comes.",
  },
);

/** A client of a stream was away for longer than events are kept. */
export const StreamGapError = createError<{ days: number }>(
  "PLINTH_EVENTS_STREAM_GAP",
  410,
  (d) => `Last-Event-ID is from before what is kept: events are kept for ${d.days} days, so some may be missing.`,
  {
    cause:
      "A client came back after more than `retention` of the plugin's configuration, or the database was restored.",
    remedy: "Read everything again, and open the stream without Last-Event-ID.",
  },
);

/** The process has as many streams as it may have, or is about to stop. */
export const NoRoomForStreamError = createError<{ why: string }>(
  "PLINTH_EVENTS_NO_ROOM",
  503,
  (d) => `No stream of events can be opened now: ${d.why}.`,
  {
    cause:
      "The process has `maxStreams` streams of the plugin events, or it is about to stop; or it has just started, and waits for a long transaction.",
    remedy: "Try again in a few seconds: another process may answer. Raise `maxStreams`, or start further processes.",
  },
);
