import { isMailAddress } from "@plinth/core/schema";
import { allowed, option, options, optionsParser, whole, type OptionsOf } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import { InvalidEmailConfigError } from "./errors.js";

/** Whether an entry of `recipients` is an address, or `@` and a domain. */
const isEntry = (entry: string) => isMailAddress(entry.startsWith("@") ? `any${entry}` : entry);

const recipients = v.pipe(
  v.array(v.string()),
  v.minLength(1),
  v.everyItem(isEntry),
  allowed("a list of addresses (office@example.com) and of domains (@example.com)"),
);

/** What `config` of the plugin may hold. */
export const emailConfig = options({
  recipients: option(
    recipients,
    "Where mails may go: addresses, such as `office@example.com`, and domains, such as `@example.com`. Undefined: anywhere.",
  ),
  maxRecipients: option(whole(1, 100), "How many recipients one request may name; each gets a mail.", 10),
});

/** The configuration of the plugin, complete. */
export type EmailConfig = OptionsOf<typeof emailConfig>;

/**
 * Checks the plugin's part of config/plugins and fills in what is left out.
 *
 * @throws PLINTH_EMAIL_CONFIG_INVALID (500) details `{ problems }`
 */
export const parseConfig = optionsParser(emailConfig, InvalidEmailConfigError);
