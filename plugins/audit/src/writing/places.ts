import { isIPv4, isIPv6 } from "node:net";
import type { RequestClient } from "@plinth/core/http";
import type { AuditConfig } from "../config.js";
import { shortened } from "./texts.js";

const LONGEST_AGENT = 400;

/** What entries say of where a request came from. */
export class Places {
  constructor(private readonly personal: AuditConfig["personal"]) {}

  addressOf(client: RequestClient | undefined): string | null {
    const address = client?.address;
    if (address === undefined || this.personal === "none") return null;
    return this.personal === "full" ? shortened(address) : networkOf(address);
  }

  agentOf(client: RequestClient | undefined): string | null {
    return this.personal === "full" ? shortened(client?.agent, LONGEST_AGENT) : null;
  }
}

/** Bits of IPv6 that stay, in groups of 16. */
const GROUPS = 3;

/**
 * The network of an address: `203.0.113.0` of 203.0.113.7, `2001:db8:7::` of 2001:db8:7:8::9.
 *
 * @returns null for what is no address
 */
export function networkOf(given: string): string | null {
  const address = given.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
  if (isIPv4(address)) return address.replace(/\.\d+$/, ".0");
  if (!isIPv6(address)) return null;
  const [head = "", tail] = address.toLowerCase().split("::");
  const first = head === "" ? [] : head.split(":");
  // What `::` stands for are zeros; of eight groups those of the tail are the last.
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - after.length) }, () => "0");
  const groups = tail === undefined ? first : [...first, ...zeros, ...after];
  return `${groups
    .slice(0, GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::`;
}
