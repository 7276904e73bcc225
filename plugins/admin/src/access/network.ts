import { addressGroup } from "@plinth/core/access";

/**
 * The network of an address, so that no session tells more of where somebody was: `203.0.113.0/24` of 203.0.113.7; of IPv6 the /64.
 *
 * @param address - as node gives it.
 */
export const networkOf = (address: string): string =>
  addressGroup(address).replace(/^((?:\d+\.){3})\d+$/, (_whole, front: string) => `${front}0/24`);
