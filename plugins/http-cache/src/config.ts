import { option, options, optionsParser, whole, type OptionsOf } from "@plinth/core/options";
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
});

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
