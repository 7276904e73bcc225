import { createError } from "@plinth/core";

/** A stream of events cannot be opened now. */
export const NoRoomForEventsError = createError<{ why: string }>(
  "PLINTH_ADMIN_NO_ROOM_FOR_EVENTS",
  503,
  (d) => `No stream of events can be opened now: ${d.why}.`,
  {
    cause:
      "The process, or the account, has as many streams as `live` of the configuration allows, or the process is about to stop.",
    remedy:
      "The page tries again by itself, and shows what others change when it reads the next time. Raise `live.streams` or `live.streamsOfAccount`.",
  },
);
