import { createError } from "../../base/error.js";

/** More passwords wait to be hashed or compared than can be done soon. */
export const PasswordsBusyError = createError<{ readonly waiting: number }>(
  "PLINTH_PASSWORDS_BUSY",
  503,
  () => "Too many sign-ins at once; try again in a few seconds.",
  {
    cause: "Hashing and comparing passwords takes tens of milliseconds each, and the queue for it is full.",
    remedy:
      "Try again after the time of the Retry-After header. Where this is not an attack, add processor cores or processes.",
  },
);

/** A thread that hashes passwords ended. */
export const PasswordThreadError = createError<{ readonly reason: string }>(
  "PLINTH_PASSWORDS_THREAD_ENDED",
  500,
  (d) => `A thread that hashes passwords ended: ${d.reason}`,
  {
    cause: "The app stopped while a password was hashed or compared, or the thread ran out of memory.",
    remedy: "Try again; where it happens while the app runs, look at the memory that the process may use.",
  },
);
