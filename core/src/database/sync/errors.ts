import { createError } from "../../base/error.js";
import { type DestructiveStep, stepLine } from "../errors.js";

/** The tables differ from the content-types, and the start may change nothing. */
export const SchemaDiffersError = createError<{ steps: readonly DestructiveStep[] }>(
  "PLINTH_SCHEMA_DIFFERS",
  500,
  (d) =>
    [
      "The tables are not those of the content-types, and `sync` of config/schema is `check`:",
      ...d.steps.map(stepLine),
      "Run `plinth schema apply` before the app starts.",
    ].join("\n"),
  {
    cause: "A new version was started before its changes of the tables were applied.",
    remedy: "Run `plinth schema apply` with the new version, then start it.",
  },
);

/** Content would have to be rewritten, which a start in production does not do. */
export const SchemaByCommandError = createError<{ steps: readonly DestructiveStep[] }>(
  "PLINTH_SCHEMA_BY_COMMAND",
  500,
  (d) =>
    [
      "The content model has changed in a way that versions which still run would not understand, so the start changed nothing:",
      ...d.steps.map(stepLine),
      "Run `plinth schema apply` when no other version runs.",
    ].join("\n"),
  {
    cause:
      "An attribute or content-type was renamed or changed its kind, or draft & publish or localisation was changed.",
    remedy: "Stop the processes of the version before, run `plinth schema apply`, and start the new one.",
  },
);

/** Another version of the app still uses what a command would take away. */
export const SchemaInUseError = createError<{
  processes: readonly { readonly id: string; readonly host: string; readonly version: string }[];
}>(
  "PLINTH_SCHEMA_IN_USE",
  500,
  (d) =>
    [
      "Processes with another content model have used this database in the last 30 seconds, so nothing was taken away:",
      ...d.processes.map(({ id, host, version }) => `  ${id} on ${host}${version && `, version ${version}`}`),
      "Stop them and wait until `plinth processes` lists them no more, or use --force.",
    ].join("\n"),
  {
    cause: "`plinth schema apply --allow-data-loss` would take away what processes of another version read and write.",
    remedy: "Finish the rollout first. Processes that were killed count for 30 seconds; --force does not wait.",
  },
);
