import * as v from "../base/valibot.js";
import type { OptionsOf } from "../base/options/schema-node.js";
import { allowed, option, options, text, whole } from "../base/options/values.js";
import { connectionLimits } from "../http/connection-limits.js";
import type { ConfigReader } from "../kernel/config.js";

const isAddress = (url: string): boolean => /^https?:\/\/[^/]/.test(url) && URL.canParse(url);

/** What config/server may hold. */
export const serverConfig = options({
  host: option(text("127.0.0.1"), "The address that it listens on; `0.0.0.0` for all of the machine.", "127.0.0.1"),
  port: option(whole(0, 65_535), "0 takes a free one.", 1337),
  proxy: option(
    v.pipe(v.union([v.boolean(), whole(0)]), allowed("true, false or the number of proxies")),
    "How many proxies in front are trusted to say the client's address and protocol (`X-Forwarded-*`); true is one.",
    false,
  ),
  url: option(
    v.pipe(v.string(), v.check(isAddress), allowed("an address such as https://api.example.org")),
    "How others reach the app, for links in mails: `https://api.example.org`. Default: localhost, with the port.",
  ),
  drainDelay: option(
    whole(0),
    "Milliseconds for which a server that stops goes on to take requests; behind a balancer, what it needs to notice.",
    250,
  ),
  closeTimeout: option(
    whole(0),
    "Milliseconds that a server that stops gives to requests that are being answered.",
    10_000,
  ),
  ...connectionLimits,
});

/** `config/server`: where the app listens, and how it is reached. */
export type ServerConfig = OptionsOf<typeof serverConfig>;

/** Reads `server` of an app's configuration, which was checked, with what is left out filled in. */
export function readServerConfig(config: Pick<ConfigReader, "get">): ServerConfig {
  return v.parse(serverConfig, config.get("server") ?? {});
}
