import { allowed, option, options, optionsParser, secret, text, whole, type OptionsOf } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import { ConfigInvalidError } from "@plinth/plugin-upload";

/** What is sent at once; S3 takes no part below 5 MiB but the last. */
const MEBIBYTE = 1024 ** 2;
const MIN_PART_MIB = 5;
const MAX_EXPIRES = 7 * 24 * 60 * 60;

const address = v.pipe(
  v.string(),
  v.check((url) => /^https?:\/\//.test(url) && URL.canParse(url)),
  allowed("an http or https address"),
  v.transform((url) => url.replace(/\/+$/, "")),
);

const credentials = v.pipe(
  options({ accessKeyId: text(), secretAccessKey: text(), sessionToken: v.optional(text()) }),
  secret(),
  allowed("an object with the strings accessKeyId and secretAccessKey, and perhaps sessionToken"),
  v.transform(({ sessionToken, ...keys }) => (sessionToken === undefined ? keys : { ...keys, sessionToken })),
);

/** What `providerOptions` may hold. */
export const s3Options = v.pipe(
  options({
    bucket: v.pipe(text("media"), v.description("The name of a bucket that exists; needed.")),
    region: option(text("eu-central-1"), "Default: what the environment says (`AWS_REGION`), as the client reads it."),
    endpoint: option(address, "Address of a storage that is not Amazon's: `https://s3.example.com`."),
    forcePathStyle: option(
      v.boolean(),
      "Whether the bucket stands in the path and not in the host's name. Default: true with `endpoint`.",
    ),
    credentials: option(
      credentials,
      "`accessKeyId`, `secretAccessKey` and perhaps `sessionToken`. Default: what the environment, the machine's role or the user's file says, as the client reads it.",
    ),
    prefix: option(
      v.pipe(v.string(), v.regex(/^(?:[\w-][\w.-]*\/)*$/), allowed('such as "media/", with a slash at its end')),
      "What stands before the keys of files: `media/`.",
      "",
    ),
    baseUrl: option(
      address,
      "Where files are read, for buckets behind a domain or a cache: `https://media.example.com`.",
    ),
    acl: option(text("public-read"), "For buckets that know such lists: `public-read`."),
    cacheControl: option(
      text("public, max-age=3600"),
      "How long browsers and caches keep formats of pictures. They ask for files themselves each time, which can be replaced.",
      "public, max-age=604800",
    ),
    signedUrlExpires: option(whole(1, MAX_EXPIRES), "Seconds for which a signed url holds.", 15 * 60),
    timeout: option(
      whole(1),
      "Milliseconds without a byte after which a connection to the storage is given up; it is tried twice, then the request gets 503.",
      5_000,
    ),
    partSize: option(
      whole(MIN_PART_MIB * MEBIBYTE, 5000 * MEBIBYTE),
      "Bytes that are sent at once of files that are larger.",
      8 * MEBIBYTE,
    ),
  }),
  v.transform((given) => ({ ...given, forcePathStyle: given.forcePathStyle ?? given.endpoint !== undefined })),
);

/** `providerOptions` of this provider, complete; addresses without a slash at their end. */
export type S3Options = OptionsOf<typeof s3Options>;

/**
 * Checks the options, and fills in what is left out.
 *
 * @throws PLINTH_UPLOAD_CONFIG_INVALID (500)
 */
export const parseS3Options = optionsParser(s3Options, ConfigInvalidError, "providerOptions");
