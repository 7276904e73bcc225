import { createError } from "../../base/error.js";

/** What was to be imported is no archive, or one of a format to come. */
export const ArchiveUnknownError = createError<{ source: string; reason: string }>(
  "PLINTH_ARCHIVE_UNKNOWN",
  500,
  ({ source, reason }) =>
    `${source} cannot be imported: ${reason}. Nothing was written. Name what \`plinth export\` wrote.`,
  {
    cause: "The file or folder is not there, is no archive, has no manifest.json, or is of a newer format.",
    remedy:
      "Name a file that `plinth export` wrote, or a folder with the same parts; bring this app to the newer version.",
  },
);

/** A part of an archive is not what was written. */
export const ArchiveDamagedError = createError<{ source: string; part: string; line?: number; reason: string }>(
  "PLINTH_ARCHIVE_DAMAGED",
  500,
  ({ source, part, line, reason }) =>
    `${source} is damaged: ${part}${line === undefined ? "" : `, line ${line},`} ${reason}. Nothing was written.`,
  {
    cause: "The archive ends early, a checksum differs, a part is there that no archive has, or a line is no version.",
    remedy: "Copy the archive again, or export again. The message names the part, and the line where one is wrong.",
  },
);

/** An archive is larger than the limits allow. */
export const ArchiveTooLargeError = createError<{ source: string; what: string; limit: number }>(
  "PLINTH_ARCHIVE_TOO_LARGE",
  500,
  ({ source, what, limit }) =>
    `${source} has more than ${limit} ${what}. Nothing was written. Where you trust the archive, run the import with --no-limits.`,
  {
    cause:
      "The archive, a file or a line of it is larger than the limits, which keep a forged one from filling the disk or the memory.",
    remedy: "Check where the archive comes from. If it is really that large, run the import with `--no-limits`.",
  },
);

/** A replica ended the reading of an export. */
export const ArchiveReplicaError = createError<{ reason: string }>(
  "PLINTH_ARCHIVE_REPLICA_FAILED",
  500,
  ({ reason }) => `The replica ended the export: ${reason}. No archive was written. Run it again, or with --primary.`,
  {
    cause:
      "An export is one long read. A replica ends what stands in the way of replaying for longer than `max_standby_streaming_delay` (30 s), or went away.",
    remedy:
      "Run it again; raise `max_standby_streaming_delay` on the replica, or set `hot_standby_feedback` there; or read from the primary with `--primary`.",
  },
);

/** The model of an archive does not fit the app. */
export const ArchiveModelError = createError<{ source: string; differences: readonly string[] }>(
  "PLINTH_ARCHIVE_MODEL_DIFFERS",
  500,
  ({ source, differences }) =>
    `${source} does not fit the content-types of this app. Nothing was written.\n${differences.map((each) => `  ${each}`).join("\n")}`,
  {
    cause:
      "The app lacks a content-type, an attribute, a component or a locale of the archive, or has another form of it.",
    remedy: "Bring the schema files in step with the app that was exported, or export with `--types` what both have.",
  },
);

/** An option of `plinth export`, `plinth import` or `plinth drill` is not one of its values. */
export const ArchiveOptionError = createError<{ option: string; value: string; expected: string }>(
  "PLINTH_ARCHIVE_OPTION_INVALID",
  500,
  ({ option, value, expected }) => `${option} cannot be "${value}": it has to be ${expected}.`,
  {
    cause: "An option of `plinth export`, `plinth import` or `plinth drill` has a value that it does not take.",
    remedy: "Use one of the values that the message names.",
  },
);
