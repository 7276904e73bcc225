import { createError } from "@plinth/core";

/** A role that somebody has. */
export const RoleInUseError = createError<{ role: string; accounts: number; invitations: number }>(
  "PLINTH_ADMIN_ROLE_IN_USE",
  409,
  (d) => `The role "${d.role}" is in use: ${d.accounts} accounts have it, and ${d.invitations} invitations are to it.`,
  {
    cause: "A role is to be deleted that administrators have, or that somebody is invited to.",
    remedy: "Give these accounts another role, and take the invitations back, first.",
  },
);

/** A role whose name code has. */
export const RoleOfCodeError = createError<{ role: string }>(
  "PLINTH_ADMIN_ROLE_OF_CODE",
  409,
  (d) => `The role "${d.role}" is in the code, so that it cannot have another name here.`,
  {
    cause:
      "A role that every app has, or that is in `admin.roles` of config/plugins, is to be renamed, or another one is to get its name.",
    remedy: "Rename it in the configuration, or duplicate it under another name.",
  },
);

/** The role has changed since it was read. */
export const RoleChangedError = createError<{ role: string }>(
  "PLINTH_ADMIN_ROLE_CHANGED",
  412,
  (d) => `The role "${d.role}" was changed meanwhile.`,
  {
    cause: "Somebody saved the role after it was read: If-Match names another version.",
    remedy: "Read it again, make the change in it, and send its `version` as If-Match.",
  },
);
