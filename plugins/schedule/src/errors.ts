import { createError } from "@plinth/core";
import type { OptionProblem } from "@plinth/core/options";
import type { ReleaseProblem, ReleaseState } from "./contract.js";

/** What is to be planned has not the form of it; every problem at once. */
export const InvalidPlanError = createError<{ errors: readonly OptionProblem[] }>(
  "PLINTH_SCHEDULE_INVALID",
  400,
  (d) => d.errors.map(({ path, message }) => `${path} ${message}`).join("; "),
  {
    cause: "A schedule or release names times, locales or documents that are missing, unknown or over.",
    remedy: "Correct each value that the message names.",
  },
);

/** Only documents with drafts are published. */
export const NoDraftsError = createError<{ uid: string }>(
  "PLINTH_SCHEDULE_NO_DRAFTS",
  400,
  (d) => `There is no content-type "${d.uid}" with drafts, so there is nothing to publish.`,
  {
    cause: "Something was planned for documents of a content-type that is unknown, or has no draftAndPublish.",
    remedy: "Use the uid of a content-type with `options.draftAndPublish`, such as api::article.article.",
  },
);

/** It could not be said later what the caller may do. */
export const NobodyError = createError<{ kind: string }>(
  "PLINTH_SCHEDULE_NOBODY",
  400,
  () => "The caller cannot be found again at that time: plan it as a user, an administrator or an API token.",
  {
    cause:
      "It is asked at that time what the caller may do then, and the caller has no account: a token of config/access, or one of administrators.",
    remedy: "Sign in as a user or administrator, or use an API token (`plinth token create`).",
  },
);

/** Who planned it is not there any more. */
export const CallerGoneError = createError<object>(
  "PLINTH_SCHEDULE_CALLER_GONE",
  403,
  () => "Who planned this is not there any more, is blocked, or has expired.",
  {
    cause: "What is planned is done as the rights are at its time, and the account or token is gone then.",
    remedy: "Plan it again as somebody who is there.",
  },
);

/** The document is not there, or not for who planned it. */
export const DocumentGoneError = createError<object>(
  "PLINTH_SCHEDULE_DOCUMENT_GONE",
  404,
  () => "The document is not there, or has no draft in this locale.",
  {
    cause: "A document was deleted, in this locale or altogether, or who planned it does not see it any more.",
    remedy: "Take it out of the release, or make the locale again.",
  },
);

/** The locale is none of the app's. */
export const LocaleGoneError = createError<{ locale: string }>(
  "PLINTH_SCHEDULE_LOCALE_GONE",
  400,
  (d) => `There is no locale "${d.locale}".`,
  {
    cause: "A locale was removed, or was never there.",
    remedy: "Add the locale, or take the document out of the release.",
  },
);

/** Something failed that is no mistake of a caller. */
export const InternalFailureError = createError<object>(
  "PLINTH_SCHEDULE_FAILED",
  500,
  () => "It failed in the server; the log says why.",
  {
    cause: "A hook or the server itself threw something else than a refusal, each time that it was tried.",
    remedy: "Look at the log, correct the cause, and plan it again.",
  },
);

/** No such release, or not for the caller. */
export const ReleaseNotFoundError = createError<object>("PLINTH_RELEASE_NOT_FOUND", 404, () => "Release not found", {
  cause: "The release is not there, or holds a document that the caller does not see.",
  remedy: "Look at the list of releases.",
});

/** A release is not in a state in which that can be done. */
export const ReleaseStateError = createError<{ state: ReleaseState; allowed: readonly ReleaseState[] }>(
  "PLINTH_RELEASE_STATE",
  409,
  (d) => `The release is ${d.state}; that can be done while it is ${d.allowed.join(" or ")}.`,
  {
    cause: "A release was changed, run or cancelled in a state that does not allow it.",
    remedy: "Cancel a scheduled release before it is changed; make a new one of one that is done.",
  },
);

/** A release does something else than its reader saw. */
export const ReleaseChangedError = createError<{ version: string }>(
  "PLINTH_RELEASE_CHANGED",
  412,
  () => "The release was changed since you looked at it. Look at it again.",
  {
    cause:
      "A release was to be scheduled or run with an If-Match of another version: its documents were changed meanwhile.",
    remedy: "Read the release again, look at its documents, and send its new version.",
  },
);

/** A release would be refused now. */
export const ReleaseRefusedError = createError<{ errors: readonly ReleaseProblem[] }>(
  "PLINTH_RELEASE_REFUSED",
  400,
  (d) => (d.errors.length === 1 ? String(d.errors[0]?.message) : `${d.errors.length} errors occurred`),
  {
    cause: "A release was to be scheduled, and some of its documents cannot be published or taken back now.",
    remedy: "Correct the documents that details.errors names, or take them out of the release.",
  },
);
