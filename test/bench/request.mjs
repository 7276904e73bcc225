// One request to a server of the benchmark, in the words that fetch and the load share.

/**
 * @typedef {object} Server
 * @property {string} name
 * @property {string} url
 * @property {string} token - may do everything.
 * @property {boolean} isPeer - of others; it is asked with the token always, ours and the limit only for writes.
 * @property {(name: string, argument?: unknown) => Promise<any>} [ask] - where the server is a child of ours.
 * @property {(name: string) => import("./cases.mjs").BenchCase["ask"] | undefined} [inPlaceOf] - what a server that speaks
 *   another API is asked for in place of a row.
 */

/**
 * Method, headers and body.
 *
 * @param {Server} server
 * @param {{ kind: string, headers?: Record<string, string>, isRuled?: boolean }} row
 * @param {import("./cases.mjs").Asked} asked
 */
export function requestOf({ token, isPeer }, { kind, headers, isRuled }, { method, body }) {
  const isWrite = kind === "create" || kind === "update";
  const bearer = isRuled && !isPeer ? ruledToken(token) : token;
  return {
    method,
    headers: {
      ...headers,
      ...((isWrite || isPeer || isRuled) && token ? { authorization: `Bearer ${bearer}` } : {}),
      ...(body ? { "content-type": "application/json" } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  };
}

/** The token of the bearer with a rule. @param {string} token - the one that may do everything. */
export const ruledToken = (token) => `${token}-ruled`;

/** Asks once. @returns {Promise<string>} the body. @throws when the answer is not a 2xx. */
export async function ask(server, row, asked) {
  const url = server.url + asked.path;
  const request = requestOf(server, row, asked);
  const response = await fetch(url, request);
  const body = await response.text();
  if (!response.ok) throw new Error(`${request.method} ${url} answered ${response.status}: ${body.slice(0, 2000)}`);
  return body;
}
