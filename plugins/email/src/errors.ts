import { createError } from "@plinth/core";

/** The plugin's part of config/plugins cannot be used. */
export const InvalidEmailConfigError = createError<{ readonly problems: readonly string[] }>(
  "PLINTH_EMAIL_CONFIG_INVALID",
  500,
  (d) => `The configuration of "email" in config/plugins cannot be used: ${d.problems.join("; ")}.`,
  {
    cause: "A key of the plugin's configuration is unknown, or its value has the wrong form.",
    remedy: "Correct each problem that the message lists.",
  },
);

/** The mail was right, and the server could not hand it on; the cause is in the log. */
export const EmailNotSentError = createError<object>(
  "PLINTH_EMAIL_NOT_SENT",
  503,
  () => "A mail of POST /api/email could not be sent",
  {
    cause: "No mail server is configured, or it does not answer, or it refused the mail: the log says which.",
    remedy: "Correct `mail` of users-permissions, or wait until the mail server answers.",
    answer: "The mail could not be sent. Try again later.",
  },
);

/** One problem of a mail. */
export interface EmailProblem {
  /** The key of the body; `it` for the whole. */
  readonly path: string;
  readonly message: string;
}

/** The body of a request is not a mail that can be sent; every problem at once. */
export const InvalidEmailError = createError<{ readonly errors: readonly EmailProblem[] }>(
  "PLINTH_EMAIL_INVALID",
  400,
  (d) => d.errors.map(({ path, message }) => `${path} ${message}`).join("; "),
  {
    cause:
      "POST /api/email got a body without `to`, `subject` or `text`, with an invalid address or a line break in the subject, too large, with keys that are not taken such as `from`, or for a recipient that `recipients` of the configuration does not allow.",
    remedy: "Correct each key that the message names. Nothing was sent.",
  },
);
