/** A project on disk: where its files are, and whether its code is read as TypeScript or from the build. */
export interface ProjectPlace {
  /** Absolute folder that holds package.json, config/ and src/. */
  readonly root: string;
  /** Absolute folder that code is imported from: the root itself (TypeScript, by a loader) or its dist/ (built). */
  readonly code: string;
}
