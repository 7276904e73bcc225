import { check, checkOptions, type OptionProblem, typoOf } from "../base/check-options.js";
import { checkDatabaseConfig } from "../database/driver/check-config.js";
import { checkLogConfig } from "./create-log.js";
import { AppConfigError } from "./errors.js";
import { checkServerConfig } from "./server-config.js";

type SectionCheck = (raw: unknown) => readonly OptionProblem[];

/** Checked where they are read, with errors of their own. */
const elsewhere: SectionCheck = () => [];

/** Every file of `config/` that Plinth reads, by its name without the ending. */
const SECTIONS: Readonly<Record<string, SectionCheck>> = {
  access: elsewhere,
  api: (raw) => checkOptions(raw, { rest: check.anything, reads: check.anything }, { path: "api" }),
  database: checkDatabaseConfig,
  i18n: elsewhere,
  log: checkLogConfig,
  middlewares: (raw) =>
    raw === undefined || Array.isArray(raw) ? [] : [{ path: "middlewares", message: "must be a list" }],
  permissions: elsewhere,
  plugins: elsewhere,
  server: checkServerConfig,
};

/**
 * Checks the configuration of an app before anything is made of it. Files with names of the app's own are fine, unless
 * the name is a typing mistake of one that Plinth reads.
 *
 * @throws PLINTH_CONFIG_WRONG (500) details `{ problems: [{ path, message }] }`, all of them at once
 */
export function assertConfig(config: Readonly<Record<string, unknown>> = {}): void {
  const problems = Object.entries(config).flatMap(([name, raw]) =>
    Object.hasOwn(SECTIONS, name) ? (SECTIONS[name] as SectionCheck)(raw) : checkName(name),
  );
  if (problems.length > 0) throw new AppConfigError({ problems });
}

function checkName(name: string): readonly OptionProblem[] {
  const meant = typoOf(name, Object.keys(SECTIONS));
  if (meant === undefined) return [];
  const message = `is read by nothing. Did you mean config/${meant}? Rename the file; one of your own needs another name`;
  return [{ path: `config/${name}`, message }];
}
