import { createError } from "@plinth/core";

/** The plugin's part of config/plugins cannot be used. */
export const InvalidLiveConfigError = createError<{ problems: readonly string[] }>(
  "PLINTH_LIVE_CONFIG_INVALID",
  500,
  (d) => `The configuration of "live" in config/plugins cannot be used: ${d.problems.join("; ")}.`,
  {
    cause: "A key of the plugin's configuration is unknown, or its value has the wrong form.",
    remedy: "Correct each problem that the message lists.",
  },
);

/** A read cannot be a stream. */
export const NotStreamableError = createError<{ why: string }>(
  "PLINTH_LIVE_NOT_STREAMABLE",
  406,
  (d) => `This cannot be answered as text/event-stream: ${d.why}.`,
  {
    cause:
      "Code of the app has a part in the answer (a policy, a middleware, a controller or service of its own), or it is put together from several reads, as polymorphic relations are.",
    remedy:
      "Ask for JSON, or ask for a read of which the message says nothing: another route, or without that relation.",
  },
);

/** One caller has as many streams of the process as one may have. */
export const TooManyStreamsError = createError<{ most: number }>(
  "PLINTH_LIVE_TOO_MANY",
  429,
  (d) =>
    `No further stream can be opened: ${d.most} are open for this account, or from this address without an account.`,
  {
    cause:
      "One account has `maxPerCaller` streams of a process, or one address (a /64 network of IPv6) without an account has `maxPerAddress`. Behind a proxy that `server.proxy` does not name, all clients have its address.",
    remedy:
      "Close streams that are not needed. Name the proxy in `server.proxy`, or raise `maxPerCaller` (accounts and tokens) or `maxPerAddress` in the plugin's configuration.",
  },
);

/** The process has as many streams as it may have, or is about to stop. */
export const NoRoomForStreamError = createError<{ why: string }>(
  "PLINTH_LIVE_NO_ROOM",
  503,
  (d) => `No stream can be opened now: ${d.why}.`,
  {
    cause: "The process has `maxStreams` streams of the plugin live, or it is about to stop.",
    remedy: "Try again in a few seconds: another process may answer. Raise `maxStreams`, or start further processes.",
  },
);
