import { option, options, type OptionsOf, optionsParser, whole } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import { InvalidAuditConfigError } from "./errors.js";

/** What `config` of the plugin may hold. */
export const auditConfig = options({
  personal: option(
    v.picklist(["none", "truncated", "full"]),
    "What entries say of where a request came from. `truncated`: the network of its address (of IPv4 the first 24 bits, of IPv6 the first 48). `full`: the whole address, and the header User-Agent. `none`: neither.",
    "truncated",
  ),
  names: option(
    v.boolean(),
    "Whether entries have the name of who acted, as it is at that time: of users their username, of administrators their address, of API tokens their name. Without it they have ids alone.",
    false,
  ),
  systemUser: option(v.boolean(), "Whether what a command does is noted with the user of the system who ran it.", true),
  days: option(whole(1, 36_500), "For how many days entries are kept.", 365),
  seal: option(whole(1, 3_600), "After how many seconds, at most, new entries are sealed.", 10),
  announce: option(
    v.boolean(),
    "Whether each seal is a line in the log as well, with its number and hash: kept elsewhere, those lines prove later that the log was not made again.",
    false,
  ),
});

/** What `pluginOptions.audit` of a content-type may hold beside true and false. */
export const typeOptions = options({
  values: option(v.array(v.string()), "Attributes whose values are noted as well, as the write gave them.", []),
});

/** The configuration of the plugin, complete. */
export type AuditConfig = OptionsOf<typeof auditConfig>;

declare module "@plinth/core" {
  interface PluginConfigs {
    audit: AuditConfig;
  }
}

/**
 * Checks the plugin's part of config/plugins and fills in what is left out.
 *
 * @throws PLINTH_AUDIT_CONFIG_INVALID (500) details `{ problems }`
 */
export const parseConfig = optionsParser(auditConfig, InvalidAuditConfigError);
