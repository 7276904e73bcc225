import { lookup as resolve, type LookupAddress } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { AddressRefusedError } from "../errors.js";

/*
 * Who may write the address of an endpoint must not reach by it what only this server can: other machines of its network, its
 * own ports, the metadata of the cloud. So it is not the name that is checked but each address that it leads to, where the
 * socket looks it up: a name that leads elsewhere a moment later was not looked up again.
 */

/** @source https://www.iana.org/assignments/iana-ipv4-special-registry, https://www.iana.org/assignments/iana-ipv6-special-registry */
const CLOSED: readonly string[] = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"],
  ...["192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"],
  ...["224.0.0.0/4", "240.0.0.0/4"],
  // A service of the machine's host, at a public address.
  "168.63.129.16/32",
  // Everything but 2000::/3 is special; those of it that lead into other networks, or nowhere.
  ...["::/3", "4000::/2", "8000::/1", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"],
];

/** Finds the addresses of a name, as `dns.lookup` does. */
export type Resolve = (
  host: string,
  options: { readonly all: true },
  found: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Which addresses may be connected to. */
export class AddressRules {
  readonly #closed = new Networks(CLOSED);
  readonly #open: Networks;

  /** @param allow - networks that are open although they are not public. */
  constructor(
    allow: readonly string[],
    private readonly resolve: Resolve = resolveAll,
  ) {
    this.#open = new Networks(allow);
  }

  permits(address: string): boolean {
    return this.#open.has(address) || !(isMapped(address) || this.#closed.has(address));
  }

  /** Checks the host of an address that is not looked up, because it is a number. @throws PLINTH_WEBHOOKS_ADDRESS_REFUSED (500) */
  assertHost({ hostname }: URL): void {
    const host = hostname.replace(/^\[|\]$/g, "");
    if (isIP(host) !== 0 && !this.permits(host)) throw new AddressRefusedError({ host, address: host });
  }

  /** For the option of a socket: fails where one of the addresses is closed, so that none of them is connected to. */
  readonly lookup: LookupFunction = (host, { all }, found) => {
    this.resolve(host, { all: true }, (error, addresses) => {
      const refused = addresses?.find(({ address }) => !this.permits(address));
      const failure = error ?? (refused && new AddressRefusedError({ host, address: refused.address }));
      const [first] = addresses ?? [];
      if (failure || !first) found(failure ?? null, []);
      else if (all) found(null, addresses);
      else found(null, first.address, first.family);
    });
  };
}

const resolveAll: Resolve = (host, options, found) => resolve(host, options, found);

/** Whether a text is an address, or a network: `10.1.0.0/16`. */
export function isNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (most < 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
}

/** Some networks. */
class Networks {
  #lists?: Record<"ipv4" | "ipv6", BlockList>;

  constructor(private readonly networks: readonly string[]) {}

  has(address: string): boolean {
    // Not at start: the first `isIP` of a process compiles an expression for several milliseconds.
    this.#lists ??= listsOf(this.networks);
    const family = familyOf(address);
    return this.#lists[family].check(address, family);
  }
}

/** One list for each family: in a list of both, an IPv4 address is in `::/3` as well. */
function listsOf(networks: readonly string[]): Record<"ipv4" | "ipv6", BlockList> {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    const family = familyOf(address);
    lists[family].addSubnet(address, Number(bits ?? (family === "ipv6" ? 128 : 32)), family);
  }
  return lists;
}

const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");

/** An IPv4 address in the form of IPv6: no name of the Internet leads to one. */
const isMapped = (address: string): boolean => /^::ffff:/i.test(address);
