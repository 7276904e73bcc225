import type { OnConflict } from "../../documents/load/loaded-version.js";

/** How an archive is written. */
export interface ImportOptions {
  readonly onConflict: OnConflict;
  /** True: nothing is written, and the report says what would be. */
  readonly isDryRun: boolean;
  /** False: the bytes of files stay where they are, and so do their addresses. Default: true. */
  readonly withFiles?: boolean;
  readonly say: (line: string) => void;
  /** Ends the work between two transactions. */
  readonly signal?: AbortSignal;
}

/** What became of the versions of one content-type, or of a plugin's rows. */
export interface ImportedType {
  /** Or that of the rows: `plugin::schedule.plans`. */
  readonly uid: string;
  versions: number;
  written: number;
  /** Were there, and stay as they are. */
  present: number;
  /** Document ids of those whose unique values other documents hold. */
  readonly refused: string[];
}
