import { createError } from "@plinth/core";

/** The last administrator who may do everything. */
export const LastSuperError = createError<object>(
  "PLINTH_ADMIN_LAST_SUPER",
  409,
  () => "This is the last active administrator who may do everything.",
  {
    cause: "The last active account with the role super is to be removed, deactivated, or given another role.",
    remedy: "Give somebody else the role super first.",
  },
);

/** Somebody's own account, which they cannot take from themselves. */
export const OwnAccountError = createError<object>(
  "PLINTH_ADMIN_OWN_ACCOUNT",
  409,
  () => "This is your own account. Ask another administrator.",
  {
    cause: "An administrator removes or deactivates their own account, changes its role, or resets its second factor.",
    remedy:
      "Another administrator does it; name, password and second factor are changed in the account's own settings.",
  },
);

/** An administrator gives away more than they have. */
export const GrantsMoreError = createError<{ holder: string; action: string; isRuleLeftOut: boolean }>(
  "PLINTH_ADMIN_GRANTS_MORE",
  403,
  ({ holder, action, isRuleLeftOut }) => {
    if (isRuleLeftOut) return `${holder} is not limited by a rule of your role, on ${action}.`;
    return action === "*"
      ? `${holder} has every right, or can give itself every right, and your role does not have all of them.`
      : `${holder} has a right that your role does not have: ${action}.`;
  },
  {
    cause:
      "An administrator gives rights to an account, a role, an API token, an end user or a webhook that their own role does not have; or changes, deletes or renews one that has such rights.",
    remedy:
      "Leave out the action that the message names, or give it with the rule of your role; or ask an administrator whose role may do as much.",
  },
);

/** A link for a new password that was used, has expired, or never was. */
export const ResetInvalidError = createError<object>(
  "PLINTH_ADMIN_RESET_INVALID",
  403,
  () => "This link is not valid any more. Ask for another one.",
  {
    cause: "The code of a link for a new password is unknown, is an hour old, or the password was changed since.",
    remedy: 'Ask for another link: by "Forgotten password" where mails can be sent, else of an administrator.',
  },
);

/** Forgotten passwords where no mail can be sent. */
export const NoMailError = createError<object>(
  "PLINTH_ADMIN_NO_MAIL",
  409,
  () => "No mail can be sent here. Ask an administrator for a link.",
  {
    cause: "A forgotten password was told to a server that sends no mails, or that does not know its own address.",
    remedy:
      "Enable users-permissions, set its `mail.smtp`, and `url` in config/server; until then an administrator gives links out.",
  },
);

/** Too many forgotten passwords. */
export const TooManyRequestsError = createError<object>(
  "PLINTH_ADMIN_TOO_MANY_REQUESTS",
  429,
  () => "Too many requests, please try again later.",
  {
    cause: "One address told of too many forgotten passwords.",
    remedy: "Wait for the time of the Retry-After header.",
  },
);
