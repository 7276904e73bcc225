import { createError } from "./error.js";

/** A text that should name something is not a uid. */
export const InvalidUidError = createError<{ uid: string }>(
  "PLINTH_UID_INVALID",
  500,
  (d) => `"${d.uid}" is not a uid; write api::<api>.<name>, plugin::<plugin>.<name>, global::<name> or plinth::<name>.`,
  {
    cause: "A uid lacks its namespace or its name, or holds a character that is not a letter, a digit, - or _.",
    remedy: "Write the uid in one of the forms that the message lists.",
  },
);
