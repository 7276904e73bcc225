import { option, options, type OptionsOf, optionsParser, whole } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import { InvalidHistoryConfigError } from "./errors.js";

/** The most versions of a document and locale that can be kept: a list shows all of them. */
const MOST = 500;

const keep = whole(1, MOST);
const days = whole(1, 3_650);

/** What `config` of the plugin may hold. */
export const historyConfig = options({
  types: option(
    v.picklist(["all", "chosen"]),
    "Of which content-types versions are kept: `all` of the app but those with `pluginOptions.history: false`, or those `chosen` by `pluginOptions.history`. Types of plugins have to be chosen in any case.",
    "all",
  ),
  keep: option(keep, "How many versions of a document are kept, in each locale.", 50),
  days: option(days, "For how many days a version is kept after a later one took its place.", 90),
  contentApi: option(
    v.boolean(),
    "Whether the content API has endpoints for versions, which want the permissions `findVersions` and `restoreVersion`.",
    true,
  ),
});

/** What `pluginOptions.history` of a content-type may hold beside true and false. */
export const typeOptions = options({
  keep: option(keep, "In place of that of the plugin."),
  days: option(days, "In place of that of the plugin."),
  except: option(v.array(v.string()), "Attributes that are no part of versions.", []),
});

/** The configuration of the plugin, complete. */
export type HistoryConfig = OptionsOf<typeof historyConfig>;

declare module "@plinth/core" {
  interface PluginConfigs {
    history: HistoryConfig;
  }
}

/**
 * Checks the plugin's part of config/plugins and fills in what is left out.
 *
 * @throws PLINTH_HISTORY_CONFIG_INVALID (500) details `{ problems }`
 */
export const parseConfig = optionsParser(historyConfig, InvalidHistoryConfigError);
