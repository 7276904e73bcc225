import { noList, option, options, optionsParser, secret, text, whole, type OptionsOf } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import { InvalidHttpCacheConfigError } from "./errors.js";

/** How long answers hold that show a content-type. */
const ages = options({
  maxAge: option(whole(0), "Seconds for which a browser need not ask again.", 0),
  sMaxAge: option(whole(0), "Seconds for which a shared cache need not ask again.", 0),
  staleWhileRevalidate: option(
    whole(0),
    "Seconds after that for which a cache may still give the answer while it asks.",
    0,
  ),
});

const token = v.pipe(text(), secret());
const endpoint = (url: string) => option(v.pipe(v.string(), v.url()), "Where its API is.", url);

/** Which cache has to forget, and how it is asked to. */
const purgeConfig = noList(
  v.variant("driver", [
    v.strictObject({
      driver: v.literal("fastly"),
      serviceId: v.pipe(text(), v.description("Of the service.")),
      token: v.pipe(token, v.description("With the right to purge.")),
      endpoint: endpoint("https://api.fastly.com"),
    }),
    v.strictObject({
      driver: v.literal("cloudflare"),
      zoneId: v.pipe(text(), v.description("Of the zone.")),
      token: v.pipe(token, v.description("With the right to purge.")),
      endpoint: endpoint("https://api.cloudflare.com/client/v4"),
    }),
    v.strictObject({
      driver: v.literal("varnish"),
      urls: v.pipe(
        v.array(v.pipe(v.string(), v.url())),
        v.minLength(1),
        v.description("Of every Varnish; each gets a request `PURGE` with the header `xkey-purge`."),
      ),
    }),
    v.strictObject({
      driver: v.literal("webhook"),
      url: v.pipe(v.string(), v.url(), v.description('Gets `POST { "tags": [...] }`.')),
      token: v.optional(v.pipe(token, v.description("Sent as `Authorization: Bearer`."))),
    }),
  ]),
);

/** What `config` of the plugin may hold. */
export const httpCacheConfig = options({
  types: option(
    v.record(v.string(), ages),
    'By the uid of a content-type, how long public answers hold that show it; `"*"` is for all others. An answer that shows several holds as long as the shortest. Types that are not named are not kept.',
    {},
  ),
  tags: option(
    v.picklist(["cache-tag", "surrogate-key", "xkey", "none"]),
    "Header for the tags of an answer: Cache-Tag (Cloudflare, Akamai), Surrogate-Key (Fastly), xkey (Varnish).",
    "cache-tag",
  ),
  purge: v.optional(
    v.pipe(
      purgeConfig,
      v.description("The cache that has to forget what changes; wants the plugin events. Default: none."),
    ),
  ),
});

/** How a cache learns what to forget. */
export type PurgeConfig = OptionsOf<typeof purgeConfig>;

/** The configuration of the plugin, complete. */
export type HttpCacheConfig = OptionsOf<typeof httpCacheConfig>;

/** How long an answer holds. */
export type Ages = HttpCacheConfig["types"][string];

/**
 * Checks the plugin's part of config/plugins and fills in what is left out.
 *
 * @throws PLINTH_HTTP_CACHE_CONFIG_INVALID (500) details `{ problems }`
 */
export const parseConfig = optionsParser(httpCacheConfig, InvalidHttpCacheConfigError);
