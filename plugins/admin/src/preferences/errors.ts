import { createError } from "@plinth/core";

/** A preference is larger than is kept. */
export const PreferenceTooLargeError = createError<{ maximum: number }>(
  "PLINTH_ADMIN_PREFERENCE_TOO_LARGE",
  413,
  (d) => `A preference may have ${d.maximum} bytes of JSON.`,
  {
    cause: "The value of a preference of the admin page, such as an extension keeps, is larger than 16 KB.",
    remedy: "Keep less in it, or in several preferences; content belongs into content-types.",
  },
);

/** An account has as many preferences as it may. */
export const TooManyPreferencesError = createError<{ maximum: number }>(
  "PLINTH_ADMIN_TOO_MANY_PREFERENCES",
  409,
  (d) => `An account may have ${d.maximum} preferences.`,
  {
    cause: "The page, or an extension of it, keeps more preferences of one account than there may be.",
    remedy: "Set those that are not used any more to null, which removes them.",
  },
);
