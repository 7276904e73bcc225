import { NO_READ_LIMITS, READ_LIMITS, type ReadGuard, type ReadLimits } from "@plinth/core/archive";
import { SourceBrokenError, SourceTooLargeError } from "../errors.js";

/** How large an export may be before it is refused. */
export interface ExportLimits extends ReadLimits {
  /** Lines of one of the folders `schemas`, `entities`, `links`, `configuration`. */
  readonly lines: number;
}

/** The default limits; several times what the largest known exports have. */
export const LIMITS: ExportLimits = { ...READ_LIMITS, lines: 20_000_000 };

/** For a trusted export: `--no-limits`. */
export const NO_LIMITS: ExportLimits = { ...NO_READ_LIMITS, lines: Number.POSITIVE_INFINITY };

/** What an export is read with. */
export interface ExportPlace extends ReadGuard {
  /** The path of the archive or folder. */
  readonly source: string;
  readonly limits: ExportLimits;
}

/** An export under limits. */
export const placeOf = (source: string, limits: ExportLimits): ExportPlace => ({
  source,
  limits,
  tooLarge: (what, limit) => new SourceTooLargeError({ source, what, limit }),
  damaged: (reason) => new SourceBrokenError({ source, file: "the archive", reason }),
});
