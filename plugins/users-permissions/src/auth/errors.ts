import { createError } from "@plinth/core";

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
  {
    cause: "The user is blocked.",
    remedy: "Have an administrator set `blocked` to false.",
    name: "ApplicationError",
  },
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

/** Details for the message only; the wire format has empty ones. */
export const messageOnly = Symbol("messageOnly");

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
