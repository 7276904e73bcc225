import { createError } from "../../base/error.js";

/** What was to be imported is no export and no app. */
export const SourceUnknownError = createError<{ source: string; reason: string }>(
  "PLINTH_IMPORT_SOURCE_UNKNOWN",
  500,
  ({ source, reason }) =>
    `${source} cannot be imported: ${reason}. Name a file that \`strapi export --no-encrypt\` wrote, or the folder of a Strapi 5 app.`,
  {
    cause: "`plinth import strapi` was given something that is neither an export nor the folder of an app.",
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

/** A line of the export is not what its place promises. */
export const SourceBrokenError = createError<{ source: string; file: string; reason: string }>(
  "PLINTH_IMPORT_SOURCE_BROKEN",
  500,
  ({ source, file, reason }) => `${source} is damaged: ${file} ${reason}. Export again.`,
  {
    cause: "The archive ends early, or one of its lines is no JSON.",
    remedy: "Copy the export anew, or export again.",
  },
);
