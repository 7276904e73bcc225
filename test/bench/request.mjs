// One request to a server of the benchmark, in the words that fetch and the load share.

/**
 * @typedef {object} Server
 * @property {string} name
 * @property {string} url
 * @property {string} token - may do everything.
 * @property {boolean} isPeer - of others; it is asked with the token always, ours and the limit only for writes.
 * @property {(name: string, argument?: unknown) => Promise<any>} [ask] - where the server is a child of ours.
 */

/**
 * Method, headers and body.
 *
 * @param {Server} server
 * @param {{ kind: string }} row
 * @param {import("./cases.mjs").Asked} asked
 */
export function requestOf({ token, isPeer }, { kind }, { method, body }) {
  const isWrite = kind === "create" || kind === "update";
  return {
    method,
    headers: {
      ...(isWrite || isPeer ? { authorization: `Bearer ${token}` } : {}),
      ...(body ? { "content-type": "application/json" } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  };
}

/** Asks once. @returns {Promise<string>} the body. @throws when the answer is not a 2xx. */
export async function ask(server, row, asked) {
  const url = server.url + asked.path;
  const request = requestOf(server, row, asked);
  const response = await fetch(url, request);
  const body = await response.text();
  if (!response.ok) throw new Error(`${request.method} ${url} answered ${response.status}: ${body.slice(0, 2000)}`);
  return body;
}
