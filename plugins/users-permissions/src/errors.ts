import { createError, describeKnown } from "@plinth/core";

/** One thing that is wrong with one field of a body. */
export interface BodyProblem {
  readonly path: readonly string[];
  readonly message: string;
  readonly name: "ValidationError" | string;
  /** What was sent; absent when nothing was. */
  readonly value?: unknown;
}

/** Fields of a body are missing or wrong; every problem at once. */
export const BodyInvalidError = createError<{ readonly errors: readonly BodyProblem[] }>(
  "PLINTH_USERS_BODY_INVALID",
  400,
  ({ errors }) => (errors.length === 1 ? (errors[0]?.message ?? "") : `${errors.length} errors occurred`),
  {
    cause: "A field of the body of a request about users is missing, or has the wrong type or form.",
    remedy: "Correct the fields that details.errors lists.",
  },
);

/** The configuration of the plugin cannot be used; every problem at once. */
export const ConfigInvalidError = createError<{ readonly problems: readonly string[] }>(
  "PLINTH_USERS_CONFIG_INVALID",
  500,
  (d) => `The configuration of users-permissions is wrong:\n${d.problems.map((problem) => `  ${problem}`).join("\n")}`,
  {
    cause: "config/plugins holds a key or value for users-permissions that it does not understand.",
    remedy: "Correct each line that the message lists.",
  },
);

/** A configured role does not exist. */
export const RoleMissingError = createError<{ readonly type: string; readonly known: readonly string[] }>(
  "PLINTH_USERS_ROLE_MISSING",
  500,
  (d) =>
    `There is no role "${d.type}" for new users; known are ${d.known.join(", ")}. Set defaultRole in config/plugins.`,
  {
    cause: "The configuration names a default role that the database does not have.",
    remedy: "Name an existing role in `defaultRole` of users-permissions, or create it.",
  },
);

/** The token's user is blocked or deleted, or the token was revoked. */
export const InvalidCredentialsError = createError<object>(
  "PLINTH_USERS_INVALID_CREDENTIALS",
  401,
  () => "Invalid credentials",
  {
    cause: "The token's user is blocked or deleted, or the token was issued before all sessions were ended.",
    remedy: "Sign in again, and have an administrator unblock the account where it is blocked.",
  },
);

/** The token was valid once. The message is that of any other invalid token: see WIRE.md. */
export const ExpiredTokenError = createError<object>(
  "PLINTH_USERS_TOKEN_EXPIRED",
  401,
  () => "Missing or invalid credentials",
  {
    cause: "The access token of a user has expired.",
    remedy: "Get another one from /api/auth/refresh, or sign in again at /api/auth/local.",
  },
);

/** The request needs a signed-in user. */
export const NotSignedInError = createError<object>("PLINTH_USERS_NOT_SIGNED_IN", 401, () => "Unauthorized", {
  cause: "The request needs a signed-in user: it is anonymous or carries an API token.",
  remedy: "Send the JWT of a user.",
});

/** There is no such user. */
export const UserNotFoundError = createError<object>("PLINTH_USERS_USER_NOT_FOUND", 404, () => "User not found", {
  cause: "No user has the id in the path.",
  remedy: "Use the `id` of a user, as GET /api/users shows it.",
});

/** There is no such role. */
export const RoleNotFoundError = createError<object>("PLINTH_USERS_ROLE_NOT_FOUND", 404, () => "Role not found", {
  cause: "No role has the id in the path.",
  remedy: "Use the `id` of a role, as GET /api/users-permissions/roles shows it.",
});

/** Details for the message only; the wire format has empty ones. */
export const messageOnly = Symbol("messageOnly");

/** A request about users or roles cannot be carried out; the message says which rule it breaks. */
export const RefusedError = createError<{ readonly [messageOnly]: string }>(
  "PLINTH_USERS_REFUSED",
  400,
  (d) => d[messageOnly],
  {
    cause: "The change of a user or a role would break a rule: a name is taken, a role is missing.",
    remedy: "Do what the message says.",
    name: "ApplicationError",
  },
);

/** A RefusedError that says this. */
export function refused(message: string, options?: ErrorOptions): InstanceType<typeof RefusedError> {
  return new RefusedError({ [messageOnly]: message }, options);
}

/** An id in a path is not a number. */
export const IdInvalidError = createError<{ readonly id: string }>(
  "PLINTH_USERS_ID_INVALID",
  400,
  (d) => `The id "${d.id}" is not a number; users and roles are addressed by their numeric id.`,
  {
    cause: "The path has a string where the numeric id of a user or a role belongs.",
    remedy: "Use the `id`, not the `documentId`.",
  },
);

/** Wrong name or password; the answer does not say which. */
export const WrongCredentialsError = createError<object>(
  "PLINTH_AUTH_WRONG_CREDENTIALS",
  400,
  () => "Invalid identifier or password",
  {
    cause: "There is no such user, the password is wrong, or the user signs in through another provider.",
    remedy: "Send the user's e-mail address or username, and the password that belongs to it.",
  },
);

/** The account is blocked. Only said after the right password. */
export const BlockedError = createError<object>(
  "PLINTH_AUTH_BLOCKED",
  400,
  () => "Your account has been blocked by an administrator",
  { cause: "The user is blocked.", remedy: "Have an administrator set `blocked` to false.", name: "ApplicationError" },
);

/** The e-mail address of the account is not confirmed. */
export const UnconfirmedError = createError<object>(
  "PLINTH_AUTH_UNCONFIRMED",
  400,
  () => "Your account email is not confirmed",
  {
    cause: "The configuration asks for confirmed addresses, and this user's is not.",
    remedy: "Follow the link in the mail, or ask for another one at /api/auth/send-email-confirmation.",
    name: "ApplicationError",
  },
);

/** Registration is disabled. */
export const RegistrationClosedError = createError<object>(
  "PLINTH_AUTH_REGISTRATION_CLOSED",
  400,
  () => "Register action is currently disabled",
  {
    cause: "The configuration says register.enabled: false.",
    remedy: "Have an administrator create the user, or open the registration in the configuration.",
    name: "ApplicationError",
  },
);

/** Another user has the name or the address. */
export const NameTakenError = createError<object>(
  "PLINTH_AUTH_NAME_TAKEN",
  400,
  () => "Email or Username are already taken",
  {
    cause: "A user has this username or this e-mail address, or has the username as address.",
    remedy: "Choose another username, or sign in.",
    name: "ApplicationError",
  },
);

/** A registration has fields that are not allowed. */
export const ParametersNotAllowedError = createError<{ readonly [messageOnly]: readonly string[] }>(
  "PLINTH_AUTH_PARAMETERS_NOT_ALLOWED",
  400,
  ({ [messageOnly]: keys }) => `Invalid parameters: ${keys.join(", ")}`,
  {
    cause: "The body has a field that users may not set about themselves, such as role or confirmed.",
    remedy: "Leave the fields out that the message names, or list them in register.allowedFields.",
  },
);

/** A change of password without a signed-in user. */
export const NoUserError = createError<object>(
  "PLINTH_AUTH_NO_USER",
  400,
  () => "You must be authenticated to reset your password",
  {
    cause: "The request carries an API token: it has no password.",
    remedy: "Send the JWT of a user.",
    name: "ApplicationError",
  },
);

/** The current password is another. */
export const WrongPasswordError = createError<object>(
  "PLINTH_AUTH_WRONG_PASSWORD",
  400,
  () => "The provided current password is invalid",
  {
    cause: "currentPassword is not the password of the signed-in user.",
    remedy: "Send the right one, or ask for a reset at /api/auth/forgot-password.",
  },
);

/** The new password is the old one. */
export const SamePasswordError = createError<object>(
  "PLINTH_AUTH_SAME_PASSWORD",
  400,
  () => "Your new password must be different than your current password",
  { cause: "password and currentPassword are equal.", remedy: "Choose another password." },
);

/** A reset code is invalid, was used, or has expired. */
export const WrongCodeError = createError<object>("PLINTH_AUTH_WRONG_CODE", 400, () => "Incorrect code provided", {
  cause: "The code is unknown, was used already, or has expired.",
  remedy: "Ask for another one at /api/auth/forgot-password.",
});

/** A confirmation token is invalid, was used, or has expired. */
export const WrongTokenError = createError<object>("PLINTH_AUTH_WRONG_TOKEN", 400, () => "Invalid token", {
  cause: "The token is unknown, was used already, or has expired.",
  remedy: "Ask for another one at /api/auth/send-email-confirmation.",
});

/** There is nothing to confirm. */
export const AlreadyConfirmedError = createError<object>(
  "PLINTH_AUTH_ALREADY_CONFIRMED",
  400,
  () => "Already confirmed",
  {
    cause: "The e-mail address of this user is confirmed already.",
    remedy: "Nothing is left to do: sign in.",
    name: "ApplicationError",
  },
);

/** The provider is disabled. */
export const ProviderDisabledError = createError<object>(
  "PLINTH_AUTH_PROVIDER_DISABLED",
  400,
  () => "This provider is disabled",
  {
    cause: "No provider of this name is enabled in this app.",
    remedy: "Sign in with a password at /api/auth/local.",
    name: "ApplicationError",
  },
);

/** No session of the caller has this id. */
export const SessionNotFoundError = createError<object>("PLINTH_SESSION_NOT_FOUND", 404, () => "Session not found", {
  cause: "The caller has no session of this id, or it is over.",
  remedy: "Take an id from GET /api/auth/sessions.",
});

/** A refresh without a refresh token. */
export const MissingRefreshTokenError = createError<object>(
  "PLINTH_SESSION_MISSING_TOKEN",
  400,
  () => "Missing refresh token",
  {
    cause: "Neither the body nor the cookie of the request has a refresh token.",
    remedy: "Send the refreshToken of the last answer, as a string.",
    name: "BadRequestError",
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

/** A template names a variable that its mail does not have. */
export const UnknownVariableError = createError<{
  readonly template: string;
  readonly variable: string;
  readonly known: readonly string[];
}>(
  "PLINTH_MAIL_UNKNOWN_VARIABLE",
  500,
  (d) => `The mail template "${d.template}" uses {{ ${d.variable} }}. ${describeKnown(d.variable, d.known)}`,
  {
    cause: "A subject, text or html of a mail template has a name in braces that is not one of its variables.",
    remedy: "Use the variables that the message lists.",
  },
);

/** A mail has something that cannot be sent. */
export const InvalidMailError = createError<{ readonly problems: readonly string[] }>(
  "PLINTH_MAIL_INVALID",
  500,
  (d) => `A mail cannot be sent: ${d.problems.join("; ")}.`,
  {
    cause:
      "app.mail.send got no address, several ones or one with a name (in `to` or `replyTo`), no subject or text, or a variable that is not a string.",
    remedy: "Correct what the message names; send one mail to each address.",
  },
);

/** A mail uses a template that is not configured. */
export const UnknownTemplateError = createError<{ readonly template: string; readonly known: readonly string[] }>(
  "PLINTH_MAIL_UNKNOWN_TEMPLATE",
  500,
  (d) => `There is no mail template "${d.template}". ${describeKnown(d.template, d.known)}`,
  {
    cause: "mailer.send got a name that is neither built in nor under mail.templates of the configuration.",
    remedy: "Add the template to the configuration, or use one that the message lists.",
  },
);

/** A mail cannot be sent, because nothing says how. */
export const NoTransportError = createError<object>(
  "PLINTH_MAIL_NO_TRANSPORT",
  500,
  () => "No mail can be sent: mail.smtp is not configured.",
  {
    cause: "The app runs in production, and the configuration of users-permissions names no SMTP server.",
    remedy: "Set mail.smtp, such as smtps://user:password@mail.example.com, and mail.from.",
  },
);

/** A mail is to be sent later, and nothing in the app does anything later. */
export const MailNeedsJobsError = createError<{ readonly options: readonly string[] }>(
  "PLINTH_MAIL_NEEDS_JOBS",
  500,
  (d) => `A mail with ${d.options.join(" and ")} cannot be sent: the app does not have the plugin jobs.`,
  {
    cause: "app.mail.send got `at` or `key`. Without the plugin jobs mails are sent at once, and none waits.",
    remedy: "Add @plinth/plugin-jobs to config/plugins, or leave the option out.",
  },
);

/** A mail is larger than what can wait for its job. */
export const MailTooLargeError = createError<{ readonly size: number; readonly limit: number }>(
  "PLINTH_MAIL_TOO_LARGE",
  500,
  (d) => `A mail cannot be sent: its subject, text and HTML are ${d.size} bytes of JSON, and may be ${d.limit}.`,
  {
    cause: "app.mail.send got a mail that is too large to wait in the database until its job sends it.",
    remedy: "Link to images and files instead of writing them into the mail.",
  },
);

/** Too many requests of one kind came from one place. The headers of the answer say when to come back. */
export const RateLimitedError = createError<object>(
  "PLINTH_USERS_RATE_LIMITED",
  429,
  () => "Too many requests, please try again later.",
  {
    cause:
      "One address asked one endpoint, for one account, more often than the rate limit allows; or too many wrong passwords were tried for one account, from networks that it never signed in from.",
    remedy:
      "Wait until the time of the X-RateLimit-Reset header, or raise rateLimit.max in the plugin's configuration.",
  },
);

/** A mail waited for so long that its secret is not known any more. */
export const SealedMailError = createError<object>(
  "PLINTH_MAIL_SEALED",
  500,
  () => "A mail that waits cannot be read: it was sealed with a secret that is not in jwtSecret any more.",
  {
    cause: "Mails wait sealed with the first secret of jwtSecret, which was taken away before the mail was sent.",
    remedy: "Put the former secret behind the new one in JWT_SECRET until nothing waits; plinth jobs retry sends it.",
  },
);
