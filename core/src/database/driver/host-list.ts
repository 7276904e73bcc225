import type { ClientConfig } from "pg";
import parseConnectionString from "pg-connection-string";

/** Where one server of a list listens. */
export interface HostAddress {
  /** A name, an address, or the folder of a socket. */
  readonly host: string;
  readonly port: number;
}

const DEFAULT_PORT = 5_432;

/** Scheme and user, hosts, and what follows them; the user may have an `@` in the password. */
const AUTHORITY = /^((?:postgres|postgresql):\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s;
const HOST = /^(\[[^\]]+\]|[^:]*)(?::(\d{1,5}))?$/;

/** Whether it is the URL of a server, of several (`postgres://app@db1,db2:5433/blog`), or the path of a socket. */
export function isConnectionUrl(url: string): boolean {
  if (url.startsWith("/") || url.startsWith("socket:")) return true;
  const [, start, list = "", rest] = AUTHORITY.exec(url) ?? [];
  if (start === undefined) return false;
  const hosts = list.split(",");
  if (hosts.length > 1 && !hosts.every((host) => host !== "" && isPort(HOST.exec(host)))) return false;
  return URL.canParse(`${start}${hosts[0]}${rest}`);
}

function isPort(match: RegExpExecArray | null): boolean {
  const port = Number(match?.[2] ?? DEFAULT_PORT);
  return match !== null && port > 0 && port < 65_536;
}

/** The servers of a list, in its order; empty where the connection names one. */
export function hostsOf(connection: string | Readonly<ClientConfig>): readonly HostAddress[] {
  const list = typeof connection === "string" ? AUTHORITY.exec(connection)?.[2] : connection.host;
  if (!list?.includes(",")) return [];
  const port = typeof connection === "string" ? DEFAULT_PORT : (connection.port ?? DEFAULT_PORT);
  return list.split(",").map((text) => parseHost(text.trim(), port));
}

function parseHost(text: string, defaultPort: number): HostAddress {
  const [, host, port] = HOST.exec(text) ?? [];
  // An IPv6 address without brackets.
  if (host === undefined) return { host: text, port: defaultPort };
  return { host: host.replace(/^\[|\]$/g, ""), port: Number(port ?? defaultPort) };
}

/** The connection as the client takes it; of several servers the first. */
export function clientAddress(connection: string | Readonly<ClientConfig>): ClientConfig {
  if (typeof connection !== "string") {
    const [first] = hostsOf(connection);
    return { ...connection, ...first };
  }
  const [, start, list, rest] = AUTHORITY.exec(connection) ?? [];
  return { connectionString: list?.includes(",") ? `${start}${list.split(",")[0]}${rest}` : connection };
}

/** A connection for each server of a list: what holds for all, with one host. */
export function connectionsOf<Parts extends Readonly<ClientConfig>>(
  connection: string | Parts,
): readonly (string | Parts)[] {
  const hosts = hostsOf(connection);
  if (typeof connection !== "string") return hosts.map((host) => ({ ...connection, ...host }));
  const [, start, , rest] = AUTHORITY.exec(connection) ?? [];
  return hosts.map(({ host, port }) => `${start}${host.includes(":") ? `[${host}]` : host}:${port}${rest}`);
}

/** For messages: `db1:5432,db2:5433/blog`; never a password. */
export function describeConnection(connection: string | Readonly<ClientConfig>): string {
  const { connectionString, ...parts } = clientAddress(connection);
  const { host, port, database } =
    connectionString === undefined ? parts : parseConnectionString.parse(connectionString);
  const several = hostsOf(connection).map(describeHost).join(",");
  return `${several || `${host || "localhost"}:${port || DEFAULT_PORT}`}/${database ?? ""}`;
}

/** For messages: `db1:5432`. */
export const describeHost = ({ host, port }: HostAddress): string => `${host}:${port}`;

/** Whether two addresses are the same. */
export const isSameHost = (a: HostAddress, b: HostAddress): boolean => a.host === b.host && a.port === b.port;
