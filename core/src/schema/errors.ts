import { createError } from "../base/error.js";
import type { SchemaProblem } from "./schema-problem.js";

/** The schemas of the app and its plugins do not make a content model; details list every problem of every file. */
export const SchemaInvalidError = createError<{ readonly problems: readonly SchemaProblem[] }>(
  "PLINTH_SCHEMA_INVALID",
  500,
  ({ problems }) =>
    [
      `The content model has ${problems.length === 1 ? "1 problem" : `${problems.length} problems`}:`,
      ...problems.map(({ file, path, message, remedy }) => `- ${file}: ${path}: ${message} ${remedy}`),
    ].join("\n"),
  {
    cause:
      "One or more schema files name what does not exist, contradict each other, or carry options that do not fit.",
    remedy: "Go through the list: each line names the file, the place in it, and what to write instead.",
  },
);
