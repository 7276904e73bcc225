import { createError } from "../base/error.js";

/** One thing that is wrong in a schema file. */
export interface SchemaProblem {
  /** The file, or the uid of a schema that came from code. */
  readonly file: string;
  /** Where in the file: `attributes.author.inversedBy`. */
  readonly path: string;
  readonly message: string;
  /** What to do about it. */
  readonly remedy: string;
}

/** Collects problems, so that all of all schemas are reported at once. */
export type Report = (path: string, message: string, remedy: string) => void;

/** A collector for one file; its reports are added to `problems`. */
export function reportInto(problems: SchemaProblem[], file: string): Report {
  return (path, message, remedy) => {
    problems.push({ file, path, message, remedy });
  };
}

/** A collector for one attribute of a file: its paths begin with `attributes.<name>`. */
export function reportAttribute(report: Report, name: string): Report {
  return (path, message, remedy) => report(`attributes.${name}${path === "" ? "" : `.${path}`}`, message, remedy);
}

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
