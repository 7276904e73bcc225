/** How large an export may be before it is refused: larger ones would fill a disk or the memory. */
export interface ExportLimits {
  /** Files of the archive, folders included. */
  readonly files: number;
  /** Bytes of the archive once it is unpacked. */
  readonly bytes: number;
  /** Bytes of one file. */
  readonly fileBytes: number;
  /** Lines of one of the folders `schemas`, `entities`, `links`, `configuration`. */
  readonly lines: number;
  /** Bytes of one line. */
  readonly lineBytes: number;
}

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** The default limits; several times what the largest known exports have. */
export const LIMITS: ExportLimits = {
  files: 2_000_000,
  bytes: 64 * GIB,
  fileBytes: 4 * GIB,
  lines: 20_000_000,
  lineBytes: 64 * MIB,
};

/** For a trusted export: `--no-limits`. The nesting of its lines stays limited. */
export const NO_LIMITS: ExportLimits = {
  files: Number.POSITIVE_INFINITY,
  bytes: Number.POSITIVE_INFINITY,
  fileBytes: Number.POSITIVE_INFINITY,
  lines: Number.POSITIVE_INFINITY,
  lineBytes: Number.POSITIVE_INFINITY,
};

/** Levels of arrays and objects of a line: the 200 of a json attribute, and those around it. Deeper ones exhaust a stack. */
export const MAX_LEVELS = 250;

/** Bytes between two files of an archive, such as long names; tar keeps them in memory. */
export const MAX_HEADER_BYTES = MIB;
