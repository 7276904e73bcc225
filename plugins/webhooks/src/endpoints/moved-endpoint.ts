/** What an endpoint loses with another address: what was secret between the server and the receiver before. */
import type { EndpointValues } from "../contract.js";
import { InvalidEndpointError } from "../errors.js";
import { makeSecret } from "../requests/sign.js";
import type { KnownEndpoint } from "./known-endpoint.js";

/**
 * The secrets of an endpoint that a change gives another origin; undefined where it keeps its own, or the change has some.
 *
 * @throws PLINTH_WEBHOOKS_INVALID (400) where headers would go to an address that they were not given for
 */
export function secretsOfMoved(
  known: Pick<KnownEndpoint, "url" | "headers">,
  { url = known.url, headers, secrets }: Partial<EndpointValues>,
): readonly string[] | undefined {
  const kept = Object.keys(known.headers);
  if (url !== known.url && headers === undefined && kept.length > 0) {
    const message = `have to be given again, or left out: those that are kept (${kept.join(", ")}) were given for another url`;
    throw new InvalidEndpointError({ errors: [{ path: "headers", message }] });
  }
  return originOf(url) === originOf(known.url) || secrets !== undefined ? undefined : [makeSecret()];
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);
