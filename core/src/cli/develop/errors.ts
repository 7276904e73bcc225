import { createError } from "../../base/error.js";

/** A file that is to be written has a path that leads out of the project, or through a link. */
export const SourceOutsideError = createError<{ path: string; reason: string }>(
  "PLINTH_SOURCES_OUTSIDE",
  400,
  (d) => `${d.path} is not written: ${d.reason}.`,
  {
    cause: "A path is absolute, goes up, or a link on its way leads out of the folder of the project.",
    remedy: "Name a file below the project's folder by its own path, and write what a link leads to by hand.",
  },
);

/** Files are not what the one who changes them has seen. */
export const SourcesChangedError = createError<{ files: readonly string[] }>(
  "PLINTH_SOURCES_CHANGED",
  409,
  (d) => `Somebody else has changed ${d.files.join(", ")}; nothing was written.`,
  {
    cause: "A file was changed, made or removed after it was read, by an editor or by version control.",
    remedy: "Read the files again, and make the change once more.",
  },
);

/** The project still starts with the change before. */
export const SourcesBusyError = createError<object>(
  "PLINTH_SOURCES_BUSY",
  409,
  () => "The project starts with the change before; nothing was written.",
  {
    cause: "Files were to be written while the project was started with those of an earlier change.",
    remedy: "Wait until it serves, and try again.",
  },
);

/** The file system refuses a change. */
export const SourcesNotWrittenError = createError<{ path: string; reason: string }>(
  "PLINTH_SOURCES_NOT_WRITTEN",
  500,
  (d) => `${d.path} cannot be written: ${d.reason}. All files are as they were.`,
  {
    cause: "A folder of the project is read-only or belongs to somebody else, or the disk is full.",
    remedy: "Give the user of the process the right to write below src, or make room.",
  },
);
