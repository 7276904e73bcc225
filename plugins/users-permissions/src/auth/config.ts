import { allowed, option, options, whole, type OptionsOf } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";

const HOUR = 60 * 60;
const DAY = 24 * HOUR;
const MAX_PASSWORD_LENGTH = 72;

const webAddress = v.pipe(
  v.string(),
  v.check((url) => URL.canParse(url) && /^https?:/i.test(url)),
  allowed("an absolute URL"),
);

/** Users cannot set these about themselves, with any configuration. */
const NEVER_ALLOWED = [
  "id",
  "documentId",
  "role",
  "provider",
  "confirmed",
  "blocked",
  "resetPasswordToken",
  "confirmationToken",
  "sessionVersion",
  "usernameKey",
  "emailKey",
  "createdAt",
  "updatedAt",
  "publishedAt",
  "locale",
];

/** Registration, and its allowed fields. */
export const registerConfig = options({
  enabled: option(v.boolean(), "Whether people may register.", true),
  allowedFields: option(
    v.array(
      v.pipe(v.string(), v.notValues(NEVER_ALLOWED), allowed(`an attribute, and none of ${NEVER_ALLOWED.join(", ")}`)),
    ),
    "Attributes that an app added to users and that they set themselves when they register.",
    [],
  ),
});

const link = (lifespan: number) => ({
  url: option(webAddress, "Where the link leads, without its query; an absolute URL. Undefined: below `server.url`."),
  lifespan: option(whole(1), "In seconds.", lifespan),
});

/** A link in a mail, and how long what is in it works: a reset code for an hour. */
export const resetConfig = options(link(HOUR));

/** Whether addresses have to be confirmed, and how. */
export const confirmationConfig = options({
  ...link(3 * DAY),
  enabled: option(v.boolean(), "Whether an address has to be confirmed before its owner signs in.", false),
  redirectTo: option(webAddress, "Where a browser goes after a confirmation; undefined: the answer is the user."),
});

/** Requirements for a change of the own address; by default as in the reference: the grant is enough. */
export const emailChangeConfig = options({
  requirePassword: option(
    v.boolean(),
    "Whether a PUT of a user's own row has to have the password as `currentPassword` when the address is another.",
    false,
  ),
});

/** The rules of passwords; the least length is the reference's. */
export const passwordsConfig = options({
  minLength: option(whole(6, MAX_PASSWORD_LENGTH), "In characters.", 6),
  allowCommon: option(v.boolean(), "Whether passwords that many people have (`qwerty123`) are allowed.", false),
});

/** A link in a mail, and how long what is in it works. */
export type LinkConfig = OptionsOf<typeof resetConfig>;
