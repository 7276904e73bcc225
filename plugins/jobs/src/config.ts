import { option, options, type OptionsOf, optionsParser, whole } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import { InvalidJobsConfigError } from "./errors.js";

/** What `config` of the plugin may hold. */
export const jobsConfig = options({
  work: option(
    v.boolean(),
    "Whether a process that takes requests runs jobs as well. Where it does not, `plinth work` has to.",
    true,
  ),
  lease: option(
    whole(1_000, 3_600_000),
    "Milliseconds after which another process takes over the jobs of one that is gone, or whose event loop stands still.",
    30_000,
  ),
  keepDead: option(whole(1, 3_650), "Days for which jobs are kept that failed for the last time.", 14),
});

/** The configuration of the plugin, complete. */
export type JobsConfig = OptionsOf<typeof jobsConfig>;

declare module "@plinth/core" {
  interface PluginConfigs {
    jobs: JobsConfig;
  }
}

/**
 * Checks the plugin's part of config/plugins and fills in what is left out.
 *
 * @throws PLINTH_JOBS_CONFIG_INVALID (500) details `{ problems }`
 */
export const parseConfig = optionsParser(jobsConfig, InvalidJobsConfigError);
