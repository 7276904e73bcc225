/** A file of a project that is to be written. */
export interface SourceFile {
  /** From the folder of the project, with slashes: `src/components/shared/seo.json`. */
  readonly path: string;
  /** What it holds now; null: there is none. Another text there is a conflict. */
  readonly before: string | null;
  /** What it is to hold; null: it is removed, and with it the folders that this leaves empty. */
  readonly after: string | null;
}

/** What became of files that were written. */
export interface SourceChange {
  readonly id: string;
  /** `restarting` until the project is served with them; `failed`: it was not, and the files are as they were. */
  readonly state: "restarting" | "ready" | "failed";
  /** Of `failed`: what stopped the start. */
  readonly failure?: unknown;
  /** Of `failed`: files that somebody else changed meanwhile, and that were left as they are. */
  readonly left?: readonly string[];
}

/** What a change of the sources may do. */
export interface SourceChangeOptions {
  /** Whether the tables may lose what the new content model has no place for. Default: false, and the start fails. */
  readonly allowDataLoss?: boolean;
}

/**
 * The files of a project that is served as it is written, which is by `plinth develop`. One object for all versions of the
 * app that follow each other.
 */
export interface Sources {
  /** The newest change; undefined before the first. */
  readonly last: SourceChange | undefined;
  /**
   * Writes files, all or none, and serves the project with them; when it does not start they are put back. What the tables
   * lose is taken away last, by a second start, as far as a start can do without.
   *
   * @returns once they are written; `last` says how it went on. The version of the app that calls it is stopped soon.
   * @throws PLINTH_SOURCES_BUSY, PLINTH_SOURCES_CHANGED (409), PLINTH_SOURCES_OUTSIDE (400), PLINTH_SOURCES_NOT_WRITTEN (500);
   *   nothing was changed
   */
  change(files: readonly SourceFile[], options?: SourceChangeOptions): Promise<SourceChange>;
}
