import { check, checkOptions, type OptionChecks, type OptionProblem } from "../base/check-options.js";
import { type ConnectionLimits, defaultConnectionLimits } from "../http/connection-limits.js";
import type { ConfigReader } from "../kernel/config.js";

/** `config/server`: where the app listens, and how it is reached. */
export interface ServerConfig extends ConnectionLimits {
  /** The address that it listens on; `0.0.0.0` for all of the machine. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** How many proxies in front are trusted to say the client's address and protocol (`X-Forwarded-*`); true is one. */
  readonly proxy: boolean | number;
  /** How others reach the app, for links in mails: `https://api.example.org`. Default: localhost, with the port. */
  readonly url: string | undefined;
  /** Milliseconds for which a server that stops goes on to take requests; behind a balancer, what it needs to notice. */
  readonly drainDelay: number;
  /** Milliseconds that a server that stops gives to requests that are being answered. */
  readonly closeTimeout: number;
}

const STOPPING = { drainDelay: 250, closeTimeout: 10_000 };

const CHECKS: OptionChecks<ServerConfig> = {
  host: check.text("127.0.0.1"),
  port: check.whole(0, 65_535),
  proxy: check.either("true, false or the number of proxies", check.boolean, check.whole(0)),
  url: (value) =>
    typeof value === "string" && /^https?:\/\/[^/]/.test(value) && URL.canParse(value)
      ? undefined
      : "an address such as https://api.example.org",
  drainDelay: check.whole(0),
  closeTimeout: check.whole(0),
  headersTimeout: check.whole(1),
  requestTimeout: check.whole(1),
  stallTimeout: check.whole(1),
  minRate: check.whole(0),
  maxPipelined: check.whole(1),
  maxUnsent: check.whole(1),
};

/** What is wrong with `config/server`. */
export function checkServerConfig(raw: unknown): readonly OptionProblem[] {
  return checkOptions(raw, CHECKS, { path: "server" });
}

/** Reads `server` of an app's configuration, with what is left out filled in. */
export function readServerConfig(config: Pick<ConfigReader, "get">): ServerConfig {
  const given = Object.entries({ ...STOPPING, ...defaultConnectionLimits }).map(([key, value]) => [
    key,
    config.get(`server.${key}`, value),
  ]);
  return {
    ...(Object.fromEntries(given) as typeof STOPPING & ConnectionLimits),
    host: config.get("server.host", "127.0.0.1"),
    port: config.get("server.port", 1337),
    proxy: config.get<boolean | number>("server.proxy") ?? false,
    url: config.get<string>("server.url"),
  };
}
