import * as v from "@plinth/core/valibot";
import { type OptionProblem, parseOptions } from "../base/options/parse-options.js";
import type { OptionsSchema } from "../base/options/schema-node.js";
import { options } from "../base/options/values.js";
import { typoOf } from "../base/suggest.js";
import { databaseConfig } from "../database/driver/config.js";
import { schemaConfig } from "../database/sync/sync-rules.js";
import { logConfig } from "./create-log.js";
import { AppConfigError } from "./errors.js";
import { serverConfig } from "./server-config.js";

/** Checked where it is read, with an error of its own. */
const elsewhere = v.unknown();

/** Every file of `config/` that Plinth reads, by its name without the ending. */
const SECTIONS: Readonly<Record<string, OptionsSchema<unknown>>> = {
  access: elsewhere,
  api: options({ rest: v.optional(elsewhere), reads: v.optional(elsewhere) }),
  database: databaseConfig,
  i18n: elsewhere,
  log: logConfig,
  middlewares: v.array(v.unknown()),
  permissions: elsewhere,
  plugins: elsewhere,
  schema: schemaConfig,
  server: serverConfig,
};

/**
 * Checks the configuration of an app before anything is made of it. Files with names of the app's own are fine, unless
 * the name is a typing mistake of one that Plinth reads.
 *
 * @throws PLINTH_CONFIG_WRONG (500) details `{ problems: [{ path, message }] }`, all of them at once
 */
export function assertConfig(config: Readonly<Record<string, unknown>> = {}): void {
  const problems = Object.entries(config).flatMap(([name, raw]) => {
    const schema = Object.hasOwn(SECTIONS, name) ? SECTIONS[name] : undefined;
    if (!schema) return checkName(name);
    return raw === undefined ? [] : (parseOptions(schema, raw, name).problems ?? []);
  });
  if (problems.length > 0) throw new AppConfigError({ problems });
}

function checkName(name: string): readonly OptionProblem[] {
  const meant = typoOf(name, Object.keys(SECTIONS));
  if (meant === undefined) return [];
  const message = `is read by nothing. Did you mean config/${meant}? Rename the file; one of your own needs another name`;
  return [{ path: `config/${name}`, message }];
}
