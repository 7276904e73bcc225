import { createError } from "@plinth/core";

/** A refresh without a refresh token. */
export const MissingRefreshTokenError = createError<object>(
  "PLINTH_SESSION_MISSING_TOKEN",
  400,
  () => "Missing refresh token",
  {
    cause: "Neither the body nor the cookie of the request has a refresh token.",
    remedy: "Send the refreshToken of the last answer, as a string.",
  },
);

/** A refresh token that is invalid, has expired, or was used before. */
export const InvalidRefreshTokenError = createError<object>(
  "PLINTH_SESSION_INVALID_TOKEN",
  401,
  () => "Invalid refresh token",
  {
    cause: "The session has ended, or the token was used before, which ends its session.",
    remedy: "Sign in again, at /api/auth/local.",
  },
);

/** A page of another site asks for a session that its visitor would then use. */
export const ForeignSiteError = createError<object>(
  "PLINTH_SESSION_FOREIGN_SITE",
  403,
  () => "Sign-ins with a cookie have to come from this site, as JSON",
  {
    cause:
      "Sessions are kept in a cookie, and the request is a form, or comes from an origin that is not trusted with credentials.",
    remedy:
      "Send JSON. List the origin of the page in the configuration of plinth::cors where it is another than the server's.",
    name: "ForbiddenError",
  },
);
