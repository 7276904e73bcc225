/** What an endpoint loses with another address: what was secret between the server and the receiver before. */
import type { EndpointValues } from "../contract.js";
import { InvalidEndpointError } from "../errors.js";
import { makeSecret } from "../requests/sign.js";
import type { KnownEndpoint } from "./known-endpoint.js";

/** Whether a change sends what an endpoint gets to another address. */
export const isMoved = (known: Pick<KnownEndpoint, "url">, { url = known.url }: Partial<EndpointValues>): boolean =>
  addressOf(url) !== addressOf(known.url);

/**
 * The secrets of an endpoint that a change gives another origin; undefined where it keeps its own, or the change has some.
 *
 * @throws PLINTH_WEBHOOKS_INVALID (400) where headers would go to an address that they were not given for
 */
export function secretsOfMoved(
  known: Pick<KnownEndpoint, "url" | "headers">,
  changes: Partial<EndpointValues>,
): readonly string[] | undefined {
  const { url = known.url, headers, secrets } = changes;
  const kept = Object.keys(known.headers);
  if (isMoved(known, changes) && headers === undefined && kept.length > 0) {
    const message = `have to be given again, or left out: those that are kept (${kept.join(", ")}) were given for another url`;
    throw new InvalidEndpointError({ errors: [{ path: "headers", message }] });
  }
  return originOf(url) === originOf(known.url) || secrets !== undefined ? undefined : [makeSecret()];
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);

/** As requests have it: a fragment is not sent. */
function addressOf(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  url.hash = "";
  return url.href;
}
