import { createError } from "@plinth/core";

/** The role asks for a second factor, and the account has none. */
export const SetUpNeededError = createError<object>(
  "PLINTH_ADMIN_SECOND_FACTOR_SETUP",
  403,
  () => "This account needs a second factor. Set one up on the admin page first.",
  {
    cause: "The role of the administrator requires a second factor, and the account has none.",
    remedy: "Sign in on the admin page, which leads to setting one up; everything else is open afterwards.",
  },
);

/** A bearer is asked for with a password alone, of an account that has a second factor. */
export const CodeNeededError = createError<object>(
  "PLINTH_ADMIN_SECOND_FACTOR_NEEDED",
  401,
  () => "This account has a second factor: send its code as well.",
  {
    cause: "`POST /admin/login` of an account with a second factor came without a code.",
    remedy: "Send `code`: six digits of the authenticator app, or a recovery code.",
  },
);

/** A code or passkey that is not the account's, has been used, or is too old. */
export const WrongCodeError = createError<object>(
  "PLINTH_ADMIN_SECOND_FACTOR_WRONG",
  401,
  () => "This code is not valid.",
  {
    cause:
      "The code of a second factor is wrong, was used already or is too old, or the passkey belongs to no account.",
    remedy:
      "Wait for the next code of the app, check its clock, or use a recovery code; an administrator can reset it.",
  },
);

/** Half a sign-in that has ended. */
export const TicketInvalidError = createError<object>(
  "PLINTH_ADMIN_TICKET_INVALID",
  403,
  () => "This took too long, or was done already. Start again.",
  {
    cause:
      "A step of signing in, or of adding a passkey or an authenticator app, came too late, twice, or from another session.",
    remedy: "Start again; the next step has to follow within five minutes.",
  },
);

/** Too many codes were tried. */
export const TooManyCodesError = createError<object>(
  "PLINTH_ADMIN_TOO_MANY_CODES",
  429,
  () => "Too many requests, please try again later.",
  {
    cause: "Too many codes or passkeys were tried from one address or for one account.",
    remedy: "Wait for the time of the Retry-After header.",
  },
);

/** The only second factor of an account whose role requires one is to be removed. */
export const FactorRequiredError = createError<object>(
  "PLINTH_ADMIN_SECOND_FACTOR_REQUIRED",
  409,
  () => "Your role requires a second factor, and this is the only one.",
  {
    cause: "An administrator removes the last second factor, which their role requires.",
    remedy: "Add another passkey or an authenticator app first.",
  },
);

/** The secret of an authenticator app cannot be read any more. */
export const SealedFactorError = createError<{ account: string }>(
  "PLINTH_ADMIN_SECOND_FACTOR_SEALED",
  500,
  (d) => `The authenticator app of the administrator ${d.account} was stored with a secret that is gone.`,
  {
    cause: "`adminSecret` of api-tokens was replaced, and the old one is no longer in the list.",
    remedy:
      "Put the old secret at the end of the list, or reset the second factor: `plinth admin second-factor <email>`.",
  },
);

/** What an authenticator says of a new passkey is not valid. */
export const PasskeyRefusedError = createError<{ reason: string }>(
  "PLINTH_ADMIN_PASSKEY_REFUSED",
  400,
  (d) => `The passkey cannot be added: ${d.reason}.`,
  {
    cause: "A new passkey was made for another site or request, without verifying its user, or is there already.",
    remedy: "Add it again, on the address that the page is opened at.",
  },
);

/** Something that needs the password again. */
export const ConfirmNeededError = createError<object>(
  "PLINTH_ADMIN_CONFIRM_NEEDED",
  403,
  () => "Confirm with your password first.",
  {
    cause: "A change of the second factor came without a confirmation, or with one of another session or of long ago.",
    remedy: "Send the password to `POST /admin/api/account/confirm`, and its answer as `X-Plinth-Confirmation`.",
  },
);

/** A command names an administrator who does not exist. */
export const AccountUnknownError = createError<{ email: string }>(
  "PLINTH_ADMIN_ACCOUNT_UNKNOWN",
  404,
  (d) => `There is no administrator "${d.email}".`,
  {
    cause: "`plinth admin second-factor` names an address that no administrator has.",
    remedy: "Look at `plinth admin list`.",
  },
);
