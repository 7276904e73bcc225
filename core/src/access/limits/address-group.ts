import { isIPv6 } from "node:net";

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/** Groups of 16 bits that name a network; the rest is the subscriber's own to choose. */
const NETWORK_GROUPS = 4;

/**
 * What counts as one address: an IPv4 address, or the /64 network of an IPv6 one, because whoever has one address of
 * such a network has all of them.
 *
 * @param address - as node gives it: `127.0.0.1`, `::1`, `::ffff:10.0.0.1`.
 */
export function addressGroup(address: string): string {
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped) return mapped;
  return isIPv6(address) ? `${expand(address).slice(0, NETWORK_GROUPS).join(":")}::/64` : address;
}

/**
 * What belongs to one owner at most times, or to many: the /16 network of an IPv4 address, the /32 of an IPv6 one, which
 * is what a provider has.
 */
export function wideGroup(address: string): string {
  const group = addressGroup(address);
  return isIPv6(address) && !MAPPED.test(address)
    ? `${group.split(":").slice(0, 2).join(":")}::/32`
    : `${group.split(".").slice(0, 2).join(".")}/16`;
}

/** All eight groups of an IPv6 address, without leading zeros. */
function expand(address: string): readonly string[] {
  const [head = "", tail] = (address.split("%")[0] ?? "").toLowerCase().split("::");
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const zeros = new Array<string>(8 - before.length - after.length).fill("0");
  return [...before, ...zeros, ...after].map((group) => group.replace(/^0+(?=.)/, ""));
}

/** An IPv4 address at the end stands for two groups, which no network part reaches. */
function groupsOf(part: string): readonly string[] {
  if (part === "") return [];
  return part.split(":").flatMap((group) => (group.includes(".") ? ["0", "0"] : [group]));
}
