import ipaddr from "ipaddr.js";

/**
 * What counts as one address: an IPv4 address, or the /64 network of an IPv6 one, because the owner of one address of
 * such a network has all of them. An IPv4 address that is mapped into IPv6 counts as the IPv4 address.
 *
 * @param address - as node gives it: `127.0.0.1`, `::1`, `::ffff:10.0.0.1`. Other text is returned as it is.
 */
export function addressGroup(address: string): string {
  const parsed = parseAddress(address);
  if (parsed === undefined) return address;
  return parsed instanceof ipaddr.IPv6 ? `${networkOf(parsed, 4)}::/64` : parsed.toString();
}

/**
 * A network that usually belongs to one provider: the /16 network of an IPv4 address, the /32 of an IPv6 one, which
 * is what a provider has.
 */
export function wideGroup(address: string): string {
  const parsed = parseAddress(address);
  if (parsed === undefined) return address;
  return parsed instanceof ipaddr.IPv6 ? `${networkOf(parsed, 2)}::/32` : `${parsed.octets.slice(0, 2).join(".")}/16`;
}

function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return ipaddr.isValid(address) ? ipaddr.process(address) : undefined;
}

/** The first groups of 16 bits. */
function networkOf({ parts }: ipaddr.IPv6, groups: number): string {
  return parts
    .slice(0, groups)
    .map((part) => part.toString(16))
    .join(":");
}
