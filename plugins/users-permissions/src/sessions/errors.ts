import { createError } from "@plinth/core";

/** A refresh without a refresh token. */
export const MissingRefreshTokenError = createError<object>(
  "PLINTH_SESSION_MISSING_TOKEN",
  400,
  () => "Missing refresh token",
  {
    cause: "Neither the body nor the cookie of the request has a refresh token.",
    remedy: "Send the refreshToken of the last answer, as a text.",
  },
);

/** A refresh token that is none, is over, or was used before. */
export const InvalidRefreshTokenError = createError<object>(
  "PLINTH_SESSION_INVALID_TOKEN",
  401,
  () => "Invalid refresh token",
  {
    cause: "The session is over, or the token was traded in before, which ends its session.",
    remedy: "Sign in again, at /api/auth/local.",
  },
);
