import { createError } from "@plinth/core";

/** A list has more rows than a file may have. */
export const ExportTooLargeError = createError<{ maximum: number }>(
  "PLINTH_ADMIN_EXPORT_TOO_LARGE",
  413,
  (d) => `The list has more than ${d.maximum} rows, which is the most that a file may have. Narrow it by a filter.`,
  {
    cause: "Somebody downloads a list as CSV that has more rows than `csv.maxRows` in the configuration of admin.",
    remedy: "Filter the list and download it in parts, raise `csv.maxRows`, or use `plinth export` for a whole site.",
  },
);
