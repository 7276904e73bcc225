import type { ConfigReader } from "../kernel/config.js";

/** `config/server`: where the app listens, and how it is reached. */
export interface ServerConfig {
  /** The address that it listens on; `0.0.0.0` for all of the machine. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** How many proxies in front are trusted to say the client's address and protocol (`X-Forwarded-*`); true is one. */
  readonly proxy: boolean | number;
  /** How others reach the app, for links in mails: `https://api.example.org`. Default: localhost, with the port. */
  readonly url: string | undefined;
}

/** Reads `server` of an app's configuration, with what is left out filled in. */
export function readServerConfig(config: Pick<ConfigReader, "get">): ServerConfig {
  return {
    host: config.get("server.host", "127.0.0.1"),
    port: config.get("server.port", 1337),
    proxy: config.get<boolean | number>("server.proxy") ?? false,
    url: config.get<string>("server.url"),
  };
}
