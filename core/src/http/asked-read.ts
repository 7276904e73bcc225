import type { Ability } from "../access/ability.js";
import type { StampWish } from "../database/reads/read.js";
import type { EndpointAnswer, RequestInfo } from "./request-info.js";

/** A request for content. */
export interface AskedRead {
  readonly request: RequestInfo;
  /**
   * Equal for requests that are answered alike as long as the content is the same: what is asked for, and all that decides
   * what the caller sees of it; see keyOfRead. Undefined: there is no other such request.
   */
  readonly key: () => string | undefined;
  /** Answers it. @param withStamp - whether the answer needs the stamp of its source; undefined: no. */
  readonly read: (withStamp: StampWish | undefined) => Promise<EndpointAnswer>;
}

/**
 * The key of a read.
 *
 * @param form - what the answer depends on beside the url: the format that a header asks for.
 * @returns undefined where what the ability reaches changes with time
 */
export function keyOfRead(
  { url }: Pick<RequestInfo, "url">,
  { key, values }: Ability,
  form: string,
): string | undefined {
  return values === undefined ? undefined : [form, values, key, url].join("\n");
}
