import { allowed, noList, option, options, type OptionsOf, secret } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import { isSecret } from "../requests/sign.js";

const EVENT = /^(?:\*|[a-z][a-z0-9-]*(?:\.[a-z][a-z0-9-]*)*(?:\.\*)?)$/;

/** RFC 9110, 5.6.2 and 5.5. */
const HEADER = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** What the sender says itself. */
const OWN_HEADERS =
  /^(?:host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*|webhook-.*)$/i;

const name = v.pipe(v.string(), v.minLength(1), v.maxLength(200), allowed("a string of 1 to 200 characters"));
const url = v.pipe(v.string(), v.maxLength(2_000), allowed("an address, such as https://example.com/hooks"));
const events = v.pipe(
  v.array(v.pipe(v.string(), v.regex(EVENT), allowed("a type such as entry.publish, entry.* or *"))),
  v.minLength(1),
  allowed("a list of types of events, such as entry.publish, entry.* or *"),
);
const types = v.nullable(v.array(v.pipe(v.string(), v.nonEmpty())));
const secrets = v.pipe(
  v.array(v.pipe(v.string(), v.check(isSecret), secret(), allowed("whsec_ and 24 to 64 bytes in base64"))),
  v.minLength(1),
  v.maxLength(5),
  secret(),
  allowed("a list of 1 to 5 secrets, each whsec_ and 24 to 64 bytes in base64"),
);
const headers = v.nullable(
  v.pipe(
    noList(
      v.record(
        v.string(),
        v.pipe(v.string(), v.maxLength(4_000), v.regex(VALUE), secret(), allowed("the value of a header")),
      ),
    ),
    v.check((given) => Object.keys(given).every((each) => HEADER.test(each) && !OWN_HEADERS.test(each))),
    secret(),
    allowed("an object of headers, none of them content-*, webhook-*, host or one of the connection"),
  ),
);
const format = v.picklist(["standard", "strapi"]);

const entries = {
  name,
  url,
  events,
  types: v.optional(types),
  secrets: v.optional(secrets),
  headers: v.optional(headers),
  format: v.optional(format),
  content: v.optional(v.boolean()),
  coalesce: v.optional(v.boolean()),
  enabled: v.optional(v.boolean()),
};

/** The body that makes an endpoint. */
export const newEndpointBody = noList(v.strictObject(entries));

/** The body that changes one. */
export const endpointBody = noList(v.partial(v.strictObject(entries)));

/** The row of one, which has other columns beside. */
export const storedEndpoint = noList(v.object(entries));

/** One endpoint of config/webhooks. */
export const endpointInConfig = options({
  url: v.pipe(url, v.description("With https, unless `http` of the plugin is true; without credentials.")),
  events: v.pipe(
    events,
    v.description("Types of events: `entry.publish`; parts of them, `entry.*`; `*` is every one."),
  ),
  secrets: v.pipe(
    secrets,
    v.description("`whsec_` and 24 to 64 bytes in base64; the first is the newest, and all sign."),
  ),
  types: option(types, "Content-types by uid. Default: all, and events that are about none."),
  headers: option(headers, "Sent along."),
  format: option(format, "`strapi`: bodies as Strapi sends them.", "standard"),
  content: option(v.boolean(), "Whether it gets what is in documents; the format `strapi` always does.", false),
  coalesce: option(v.boolean(), "Whether an update is dropped that a newer one of the document follows.", false),
  enabled: option(v.boolean(), "Whether it gets anything.", true),
});

/** What config/webhooks may hold: endpoints by their names. */
export const endpointsConfig = noList(v.record(name, endpointInConfig));

/** The endpoints of config/webhooks. */
export type EndpointsConfig = OptionsOf<typeof endpointsConfig>;
