import { ConfigInvalidError } from "@plinth/plugin-upload";

/** `providerOptions` of this provider, complete. */
export interface S3Options {
  /** The name of a bucket that exists; needed. */
  readonly bucket: string;
  /** Default: what the environment says (`AWS_REGION`), as the client reads it. */
  readonly region: string | undefined;
  /** Address of a storage that is not Amazon's: `https://s3.example.com`. */
  readonly endpoint: string | undefined;
  /** Whether the bucket stands in the path and not in the host's name. Default: true with `endpoint`. */
  readonly forcePathStyle: boolean;
  /** Default: what the environment, the machine's role or the user's file says, as the client reads it. */
  readonly credentials:
    | { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string }
    | undefined;
  /** What stands before the keys of files: `media/`. */
  readonly prefix: string;
  /** Where files are read, for buckets behind a domain or a cache: `https://media.example.com`. Without a slash at its end. */
  readonly baseUrl: string | undefined;
  /** For buckets that know such lists: `public-read`. */
  readonly acl: string | undefined;
  /** How long browsers and caches keep a file. A replaced file has the address of the old one. */
  readonly cacheControl: string;
  /** Seconds for which a signed url holds. */
  readonly signedUrlExpires: number;
  /** Bytes that are sent at once of files that are larger. */
  readonly partSize: number;
}

/** What is sent at once; S3 takes no part below 5 MiB but the last. */
const MEBIBYTE = 1024 ** 2;
const MIN_PART_MIB = 5;
const MAX_EXPIRES = 7 * 24 * 60 * 60;

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
const isUrl = (value: unknown): boolean =>
  typeof value === "string" && /^https?:\/\//.test(value) && URL.canParse(value);
const isNumber = (value: unknown, least: number, most: number): boolean =>
  typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;

/** What is wrong with the value of a key, by key. */
const CHECKS: Readonly<Record<keyof S3Options, readonly [isValid: (value: unknown) => boolean, rule: string]>> = {
  bucket: [isText, "must be the name of a bucket"],
  region: [isText, "must be the name of a region"],
  endpoint: [isUrl, "must be an http or https address"],
  forcePathStyle: [(value) => typeof value === "boolean", "must be true or false"],
  credentials: [isCredentials, "must have the texts accessKeyId and secretAccessKey, and may have sessionToken"],
  prefix: [
    (value) => typeof value === "string" && /^(?:[\w-][\w.-]*\/)*$/.test(value),
    'must be such as "media/", with a slash at its end',
  ],
  baseUrl: [isUrl, "must be an http or https address"],
  acl: [isText, 'must be such as "public-read"'],
  cacheControl: [isText, 'must be such as "public, max-age=3600"'],
  signedUrlExpires: [
    (value) => isNumber(value, 1, MAX_EXPIRES),
    `must be a number of seconds from 1 to ${MAX_EXPIRES}`,
  ],
  partSize: [
    (value) => isNumber(value, MIN_PART_MIB * MEBIBYTE, 5000 * MEBIBYTE),
    `must be a number of bytes from ${MIN_PART_MIB} MiB`,
  ],
};

function isCredentials(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { accessKeyId, secretAccessKey, sessionToken, ...others } = value as Record<string, unknown>;
  const hasToken = sessionToken === undefined || isText(sessionToken);
  return isText(accessKeyId) && isText(secretAccessKey) && hasToken && Object.keys(others).length === 0;
}

/**
 * Checks the options, and fills in what is left out.
 *
 * @throws PLINTH_UPLOAD_CONFIG_INVALID (500)
 */
export function parseS3Options(given: Readonly<Record<string, unknown>>): S3Options {
  const options: Readonly<Record<string, unknown>> = Object.fromEntries(
    Object.entries({ bucket: "", ...given }).filter(([, value]) => value !== undefined),
  );
  const problems = Object.entries(options).flatMap(([key, value]) => {
    if (!Object.hasOwn(CHECKS, key))
      return [`providerOptions.${key} is not known; known are ${Object.keys(CHECKS).join(", ")}`];
    const [isValid, rule] = CHECKS[key as keyof S3Options];
    return isValid(value) ? [] : [`providerOptions.${key} ${rule}`];
  });
  if (problems.length > 0) throw new ConfigInvalidError({ problems });
  const { endpoint, baseUrl, ...others } = options as unknown as Partial<S3Options> & Pick<S3Options, "bucket">;
  return {
    region: undefined,
    credentials: undefined,
    forcePathStyle: endpoint !== undefined,
    prefix: "",
    acl: undefined,
    cacheControl: "public, max-age=604800",
    signedUrlExpires: 15 * 60,
    partSize: 8 * MEBIBYTE,
    ...others,
    endpoint: endpoint?.replace(/\/+$/, ""),
    baseUrl: baseUrl?.replace(/\/+$/, ""),
  };
}
