import { createError } from "@plinth/core";

/** One problem of a locale. */
export interface LocaleProblem {
  /** `code`, `name`, `isDefault`, `fallback` or `force`; another key that was named. */
  readonly path: string;
  readonly message: string;
}

/** A locale cannot be made or changed as asked; every problem at once. */
export const InvalidLocaleError = createError<{ errors: readonly LocaleProblem[] }>(
  "PLINTH_I18N_INVALID",
  400,
  (d) => d.errors.map(({ path, message }) => `${path} ${message}`).join("; "),
  {
    cause:
      "A locale was to be made, changed or deleted with a value that is missing, unknown, taken or of another form.",
    remedy: "Correct each attribute that the message names.",
  },
);

/** The default locale was to be deleted. */
export const DefaultLocaleNeededError = createError<{ code: string }>(
  "PLINTH_I18N_DEFAULT_NEEDED",
  409,
  (d) => `"${d.code}" is the default locale and cannot be deleted; make another locale the default first.`,
  {
    cause: "The locale to be deleted is the one that requests without a locale use.",
    remedy: "Make another locale the default, then delete this one.",
  },
);

/** A locale that documents are written in was to be deleted. */
export const LocaleInUseError = createError<{ code: string; uids: readonly string[] }>(
  "PLINTH_I18N_LOCALE_IN_USE",
  409,
  (d) =>
    `Documents of ${d.uids.join(", ")} exist in "${d.code}"; delete their "${d.code}" versions first, or delete the locale by force.`,
  {
    cause: "The locale to be deleted has content, drafts included, that would be unreachable.",
    remedy:
      "Delete the documents' versions in this locale (`DELETE /api/articles/:documentId?locale=fr`), then the locale; or all of it at once with `?force=true`.",
  },
);
