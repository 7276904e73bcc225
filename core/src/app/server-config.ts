import * as v from "@plinth/core/valibot";
import type { OptionsOf } from "../base/options/schema-node.js";
import { allowed, option, options, text, whole } from "../base/options/values.js";
import { admissionLimits } from "../http/admission.js";
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
  management: option(
    whole(0, 65_535),
    "A port for those who run the app: `/health/ready` with what each check found. On the same `host`, open before the app has started; not in development.",
  ),
  drainDelay: option(
    whole(0),
    "Milliseconds for which a server that stops goes on to take requests: what a balancer needs to notice. Default: 5000 in production, else 0.",
  ),
  closeTimeout: option(
    whole(0),
    "Milliseconds that a server that stops gives to requests that are being answered.",
    20_000,
  ),
  maxConnections: option(
    whole(1),
    "Most connections at once; others are closed as soon as they are accepted. Default: no limit.",
  ),
  limits: v.optional(admissionLimits, {}),
  ...connectionLimits,
});

/** `config/server`: where the app listens, and how it is reached. */
export type ServerConfig = OptionsOf<typeof serverConfig>;

/** Milliseconds in which a balancer that asks every two seconds has seen that a process is not ready. */
const DRAIN_DELAY = 5_000;

/**
 * Reads `server` of an app's configuration, which was checked, with what is left out filled in. There is no management port
 * where the sources are developed: versions of one app follow each other there, and two would want it.
 */
export function readServerConfig(
  config: Pick<ConfigReader, "get">,
  environment: string,
): ServerConfig & { readonly drainDelay: number } {
  const given = v.parse(serverConfig, config.get("server") ?? {});
  const { management, ...rest } = given;
  return {
    ...rest,
    ...(management === undefined || environment === "development" ? {} : { management }),
    drainDelay: given.drainDelay ?? (environment === "production" ? DRAIN_DELAY : 0),
  };
}
