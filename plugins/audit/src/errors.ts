import { createError } from "@plinth/core";

/** The plugin's part of config/plugins cannot be used. */
export const InvalidAuditConfigError = createError<{ problems: readonly string[] }>(
  "PLINTH_AUDIT_CONFIG_INVALID",
  500,
  (d) => `The configuration of "audit" in config/plugins cannot be used: ${d.problems.join("; ")}.`,
  {
    cause: "A key of the plugin's configuration is unknown, or its value has the wrong form.",
    remedy: "Correct each problem that the message lists.",
  },
);

/** Nothing would keep the log append only on this engine. */
export const AuditCitusError = createError<Record<never, never>>(
  "PLINTH_AUDIT_CITUS",
  500,
  () => "The plugin audit does not run on Citus.",
  {
    cause: "Triggers keep the audit log append only, and Citus has none on distributed tables.",
    remedy: "Disable audit, or use PostgreSQL without Citus: a database for each tenant.",
  },
);

/** `pluginOptions.audit` of content-types cannot be used. */
export const InvalidTypeOptionsError = createError<{ problems: readonly string[] }>(
  "PLINTH_AUDIT_OPTIONS_INVALID",
  500,
  (d) => `Writes of content-types cannot be noted as they say: ${d.problems.join("; ")}.`,
  {
    cause:
      "pluginOptions.audit of a schema file is neither true nor false nor an object with values, or names a password or something private.",
    remedy: "Correct each problem that the message lists.",
  },
);

/** What is asked of the log has the wrong form. */
export const InvalidSelectionError = createError<{ reason: string }>(
  "PLINTH_AUDIT_SELECTION_INVALID",
  400,
  (d) => `The entries cannot be selected like that: ${d.reason}.`,
  {
    cause: "A parameter of a request, or an option of a command, has the wrong form.",
    remedy: "Correct what the message names; `plinth audit list --help` lists the options.",
  },
);
