import { createError } from "../../base/error.js";

/** The database of a drill is one that somebody needs. */
export const DrillDatabaseError = createError<{ where: string; reason: string }>(
  "PLINTH_DRILL_DATABASE_IN_USE",
  500,
  ({ where, reason }) => `A drill cannot use ${where}: ${reason}. Nothing was changed. Name an empty database.`,
  {
    cause: "The database that `--database` names is the app's own, or has tables already.",
    remedy: "Make an empty database for the drill (`createdb drill`), and drop it when the drill is over.",
  },
);

/** What was to restore a backup did not. */
export const DrillRestoreError = createError<{ command: string; reason: string }>(
  "PLINTH_DRILL_RESTORE_FAILED",
  500,
  ({ command, reason }) => `The backup could not be restored by \`${command}\`: ${reason}.`,
  {
    cause:
      "The command of `--restore` ended with another code than 0, or the database that `--database` names takes no writes a minute later.",
    remedy:
      "Run the command by hand, with the variables that the guide names. It has to wait until the server has ended its recovery (`recovery_target_action = 'promote'`).",
  },
);
