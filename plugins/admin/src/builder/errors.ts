import { createError } from "@plinth/core";

/** The sources of the app cannot be changed here. */
export const BuilderReadOnlyError = createError<object>(
  "PLINTH_ADMIN_BUILDER_READ_ONLY",
  409,
  () =>
    "Content-types are changed while the app is developed, by `plinth develop`; here they can be seen and exported.",
  {
    cause: "A change of content-types was sent to an app that does not run in `plinth develop`.",
    remedy: "Make the change where the app is developed, and deploy its files.",
  },
);

/** Files or the model are no longer those that a plan was made from. */
export const BuilderStaleError = createError<{ files: readonly string[] }>(
  "PLINTH_ADMIN_BUILDER_STALE",
  409,
  (d) =>
    d.files.length > 0
      ? `Somebody else has changed ${d.files.join(", ")}.`
      : "Files, content-types or the tables have changed since the plan was made.",
  {
    cause: "A schema file was changed in an editor or by version control, or the plan is of an earlier model.",
    remedy: "Look at the content-types again, and make the plan once more.",
  },
);

/** Schema files hold what the app does not run with: a start for another change would do what they say as well. */
export const BuilderUnservedError = createError<{ files: readonly string[] }>(
  "PLINTH_ADMIN_BUILDER_UNSERVED",
  409,
  (d) =>
    `The app does not run with what is in ${d.files.join(", ")}, and this change would start it with that as well.`,
  {
    cause:
      "Schema files were changed in an editor or by version control, and the app has not started with them: it is about to, or it was refused, such as where content would be lost.",
    remedy:
      "Look at what `plinth develop` says, and have the app start with those files, or put them back. Then make the plan again.",
  },
);

/** What loses content has to be named by the caller. */
export const BuilderLossError = createError<{ names: readonly string[] }>(
  "PLINTH_ADMIN_BUILDER_LOSS",
  400,
  (d) => `This loses content. Type in the name of each: ${d.names.join(", ")}.`,
  {
    cause: "A change of content-types takes content away, and not every name of what goes was typed in as it is.",
    remedy: "Type in each name that the plan lists, or keep what it names.",
  },
);

/** Drafts of schemas that make no content model; every problem at once. */
export const BuilderInvalidError = createError<{
  problems: readonly { uid: string | null; path: string; message: string; remedy: string }[];
}>(
  "PLINTH_ADMIN_BUILDER_INVALID",
  400,
  (d) => d.problems.map(({ uid, path, message }) => `${uid ?? ""} ${path} ${message}`.trim()).join("; "),
  {
    cause: "A change of content-types was to be applied that is wrong in itself.",
    remedy: "Make a plan: it lists each problem with its place and what to do.",
  },
);
