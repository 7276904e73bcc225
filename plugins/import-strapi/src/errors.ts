import { createError } from "@plinth/core";

/** What was to be imported is neither an export nor an app. */
export const SourceUnknownError = createError<{ source: string; reason: string }>(
  "PLINTH_IMPORT_SOURCE_UNKNOWN",
  500,
  ({ source, reason }) =>
    `${source} cannot be imported: ${reason}. Name a file that \`strapi export --no-encrypt\` wrote, or the folder of a Strapi 5 app.`,
  {
    cause: "`plinth import strapi` got something that is neither an export nor the folder of an app.",
    remedy: "Run `npx strapi export --no-encrypt` in the app, and name the file that it writes.",
  },
);

/** The export is encrypted. */
export const SourceEncryptedError = createError<{ source: string }>(
  "PLINTH_IMPORT_SOURCE_ENCRYPTED",
  500,
  ({ source }) => `${source} is encrypted; export again with \`npx strapi export --no-encrypt\`.`,
  {
    cause: "The name of the export ends in `.enc`.",
    remedy: "Export again with `--no-encrypt`, on a machine that you trust.",
  },
);

/** The export comes from another major version. */
export const SourceVersionError = createError<{ source: string; version: string }>(
  "PLINTH_IMPORT_SOURCE_VERSION",
  500,
  ({ source, version }) =>
    `${source} was written by Strapi ${version}; only exports of version 5 can be read. Upgrade the app to version 5, and export again.`,
  {
    cause: "An export of Strapi 4 has another form: its entries have no document ids.",
    remedy: "Upgrade the Strapi app to version 5 with its own upgrade tool, then export again.",
  },
);

/** The archive is damaged, or one of its lines is not what its place promises. */
export const SourceBrokenError = createError<{ source: string; file: string; line?: number; reason: string }>(
  "PLINTH_IMPORT_SOURCE_BROKEN",
  500,
  ({ source, file, line, reason }) =>
    `${source} is damaged: ${file}${line === undefined ? "" : `, line ${line},`} ${reason}. Nothing was written. Export again.`,
  {
    cause:
      "The archive ends early, its parts do not fit, or one of its lines is not JSON or has a value that no export has.",
    remedy: "Copy the export again, or export again. The message names the file and the line.",
  },
);

/** The export is larger than the limits allow. */
export const SourceTooLargeError = createError<{ source: string; what: string; limit: number }>(
  "PLINTH_IMPORT_SOURCE_TOO_LARGE",
  500,
  ({ source, what, limit }) =>
    `${source} has more than ${limit} ${what}. Nothing was written. Where you trust the export, run the import with --no-limits.`,
  {
    cause:
      "The archive, a file or a line of it is larger than the limits of the import, which keep a forged export from filling the disk or the memory.",
    remedy: "Check where the export comes from. If it is really that large, run the import with `--no-limits`.",
  },
);
