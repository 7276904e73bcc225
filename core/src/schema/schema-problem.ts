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
