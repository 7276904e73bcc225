import type { PurgeConfig } from "../config.js";
import { PurgeFailedError } from "../errors.js";

/** Milliseconds that a cache may take. */
const TIMEOUT = 10_000;

/** Tags that a cache takes at once. */
const AT_ONCE: Readonly<Record<PurgeConfig["driver"], number>> = {
  // @source https://www.fastly.com/documentation/reference/api/purging/#bulk-purge-tag
  fastly: 256,
  // @source https://developers.cloudflare.com/cache/how-to/purge-cache/purge-by-tags/
  cloudflare: 30,
  // Varnish takes headers of 8 kB.
  varnish: 100,
  webhook: 1_000,
};

interface PurgeRequest {
  readonly url: string;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: object | undefined;
}

/** Tells a cache to forget all answers that have one of some tags. @throws PLINTH_HTTP_CACHE_PURGE_FAILED (502) */
export async function sendPurge(config: PurgeConfig, tags: readonly string[], signal?: AbortSignal): Promise<void> {
  const most = AT_ONCE[config.driver];
  for (let from = 0; from < tags.length; from += most)
    for (const request of requestsOf(config, tags.slice(from, from + most))) await send(config.driver, request, signal);
}

function requestsOf(config: PurgeConfig, tags: readonly string[]): readonly PurgeRequest[] {
  switch (config.driver) {
    case "fastly": {
      const url = `${config.endpoint}/service/${config.serviceId}/purge`;
      // Soft: an answer that is out of date may still be given while a new one is fetched.
      const headers = { "fastly-key": config.token, "surrogate-key": tags.join(" "), "fastly-soft-purge": "1" };
      return [{ url, method: "POST", headers }];
    }
    case "cloudflare": {
      const url = `${config.endpoint}/zones/${config.zoneId}/purge_cache`;
      return [{ url, method: "POST", headers: { authorization: `Bearer ${config.token}` }, body: { tags } }];
    }
    case "varnish":
      return config.urls.map((url) => ({ url, method: "PURGE", headers: { "xkey-purge": tags.join(" ") } }));
    case "webhook": {
      const headers = config.token === undefined ? {} : { authorization: `Bearer ${config.token}` };
      return [{ url: config.url, method: "POST", headers, body: { tags } }];
    }
  }
}

async function send(
  driver: string,
  { url, method, headers, body }: PurgeRequest,
  signal: AbortSignal | undefined,
): Promise<void> {
  const timeout = AbortSignal.timeout(TIMEOUT);
  const limit = signal ? AbortSignal.any([signal, timeout]) : timeout;
  const answer = await ask({ url, method, headers, body }, limit).catch((error: unknown) => {
    throw new PurgeFailedError({ driver, answer: reasonOf(error) }, { cause: error });
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new PurgeFailedError({ driver, answer: `status ${answer.status}` });
}

/** A redirect would send the token elsewhere. */
function ask({ url, method, headers = {}, body }: PurgeRequest, signal: AbortSignal): Promise<Response> {
  const common = { method, redirect: "error", signal } as const;
  if (!body) return fetch(url, { ...common, headers });
  const typed = { ...headers, "content-type": "application/json" };
  return fetch(url, { ...common, headers: typed, body: JSON.stringify(body) });
}

const reasonOf = (error: unknown): string => {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
};
