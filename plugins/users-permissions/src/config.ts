import {
  allowed,
  noList,
  option,
  options,
  type OptionsOf,
  optionsParser,
  secret,
  secretList,
  text,
  whole,
} from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import { ConfigInvalidError } from "./errors.js";
import { builtInTemplates, builtInVariables, type MailTemplate, variablesOf } from "./mail/templates.js";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long sessions last in refresh mode; all in seconds. */
const sessionsConfig = options({
  accessLifespan: option(whole(1), "How long an access token is valid, in seconds.", 10 * MINUTE),
  idleLifespan: option(whole(1), "A session ends when it was not refreshed for this long, in seconds.", 14 * DAY),
  maxLifespan: option(whole(1), "A session ends at the latest this long after the login, in seconds.", 30 * DAY),
  reuseWindow: option(
    whole(0),
    "How long a refresh token that was traded in still gives the same next one, in seconds, because several windows of one browser refresh at one time. After that, or with 0, it ends the session.",
    10,
  ),
  httpOnly: option(
    v.boolean(),
    "Whether refresh tokens always go into a cookie that scripts cannot read, and never into a body.",
    false,
  ),
  secureCookie: option(v.boolean(), "Whether that cookie is only sent over https; default: in production."),
});

/** How long sessions last in refresh mode. */
export type SessionsConfig = OptionsOf<typeof sessionsConfig>;

const MAX_PASSWORD_LENGTH = 72;

const webAddress = v.pipe(
  v.string(),
  v.check((url) => URL.canParse(url) && /^https?:/i.test(url)),
  allowed("an absolute URL"),
);

/** Users cannot set these about themselves, with any configuration. */
const NEVER_ALLOWED = [
  ...["id", "documentId", "role", "provider", "confirmed", "blocked", "resetPasswordToken", "confirmationToken"],
  ...["sessionVersion", "usernameKey", "emailKey", "createdAt", "updatedAt", "publishedAt", "locale"],
];

/** Registration, and its allowed fields. */
const registerConfig = options({
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
const resetConfig = options(link(HOUR));

/** Whether addresses have to be confirmed, and how. */
const confirmationConfig = options({
  ...link(3 * DAY),
  enabled: option(v.boolean(), "Whether an address has to be confirmed before its owner signs in.", false),
  redirectTo: option(webAddress, "Where a browser goes after a confirmation; undefined: the answer is the user."),
});

/** Requirements for a change of the own address; by default as in the reference: the grant is enough. */
const emailChangeConfig = options({
  requirePassword: option(
    v.boolean(),
    "Whether a PUT of a user's own row has to have the password as `currentPassword` when the address is another.",
    false,
  ),
});

/** The rules of passwords; the least length is the reference's. */
const passwordsConfig = options({
  minLength: option(whole(6, MAX_PASSWORD_LENGTH), "In characters.", 6),
  allowCommon: option(v.boolean(), "Whether passwords that many people have (`qwerty123`) are allowed.", false),
});

/** A link in a mail, and how long what is in it works. */
export type LinkConfig = OptionsOf<typeof resetConfig>;

const template = options({ subject: v.string(), text: v.string(), html: v.optional(v.string()) });
const templates = noList(v.record(v.string(), template));

const smtp = v.pipe(
  v.union([v.literal(""), v.pipe(v.string(), v.regex(/^smtps?:\/\//))]),
  secret(),
  allowed("an smtp:// or smtps:// URL"),
  v.transform((url) => url || undefined),
);

/** How mails are sent, and their content. By default they are kept as files, and come from a no-reply address. */
const mailConfig = options({
  smtp: option(smtp, "`smtps://user:password@mail.example.com`. Undefined: mails are kept, in production refused."),
  from: option(text("Us <us@example.com>"), "The sender: `Us <us@example.com>`.", "no-reply@localhost"),
  replyTo: option(v.string(), "Where answers go; undefined: to the sender."),
  templates: option(
    v.pipe(
      templates,
      v.rawCheck(({ dataset, addIssue }) => {
        if (dataset.typed) for (const message of unknownVariables(dataset.value)) addIssue({ message });
      }),
      v.transform((given) => ({ ...builtInTemplates, ...given }) as Readonly<Record<string, MailTemplate>>),
    ),
    "By name, each `{ subject, text, html? }`: those of this plugin, some replaced, and others that an app or a plugin adds.",
    {},
  ),
});

/** How mails are sent, and what is in them. */
export type MailConfig = OptionsOf<typeof mailConfig>;

function unknownVariables(templates: Readonly<Record<string, MailTemplate>>): readonly string[] {
  return Object.entries<readonly string[]>(builtInVariables).flatMap(([name, known]) => {
    const used = templates[name] ? variablesOf(templates[name]) : [];
    const unknown = used.filter((variable) => !known.includes(variable));
    return unknown.length === 0
      ? []
      : [`has ${unknown.join(", ")} in ${name}, where only ${known.join(", ")} are known`];
  });
}

const redis = v.pipe(
  v.union([v.literal(""), v.pipe(v.string(), v.regex(/^rediss?:\/\//))]),
  secret(),
  allowed("a redis:// URL"),
  v.transform((url) => url || undefined),
);

/**
 * How often one address may call an endpoint that could be used for guessing.
 *
 * @source plugins/content-api/WIRE.md#rate-limits
 */
const rateLimitConfig = v.pipe(
  options({
    enabled: option(v.boolean(), "Whether sign-ins, registrations and the like are counted.", true),
    max: option(whole(1), "Requests in one interval, per route, account and address.", 10),
    maxPerAddress: option(
      whole(1),
      "Requests in one interval, per route and address, for all accounts together. Default: five times `max`.",
    ),
    interval: option(whole(1), "In seconds.", 60),
    maxFailures: option(
      whole(1),
      "Wrong passwords in 15 intervals, per account and wide network (/16 of IPv4, /32 of IPv6) that the account did not sign in from before. Default: twice `max`.",
    ),
    maxFailuresPerAccount: option(
      whole(1),
      "The same from all such networks together; beyond it they take turns, one in five seconds. Default: five times `max`.",
    ),
    redis: option(redis, "`redis://...`, to count there and not in the database."),
  }),
  v.transform((given) => ({
    ...given,
    maxPerAddress: given.maxPerAddress ?? 5 * given.max,
    maxFailures: given.maxFailures ?? 2 * given.max,
    maxFailuresPerAccount: given.maxFailuresPerAccount ?? 5 * given.max,
  })),
);

/** How often one address may call an endpoint that could be used for guessing, complete. */
export type RateLimitConfig = OptionsOf<typeof rateLimitConfig>;

/** What `config` of the plugin may hold. */
export const usersPermissionsConfig = options({
  jwtSecret: option(
    secretList,
    "Secrets of the tokens: the first signs, all verify. Empty: generated in development, refused in production.",
    [],
  ),
  jwt: v.optional(
    options({ expiresIn: option(whole(1), "Seconds that a token of `legacy-support` is believed.", 30 * DAY) }),
    {},
  ),
  defaultRole: option(text("authenticated"), "`type` of the role of users that are made without one.", "authenticated"),
  jwtManagement: option(
    v.picklist(["legacy-support", "refresh"]),
    "`refresh`: sessions with short access tokens and refresh tokens. `legacy-support`: one long token, and no sessions.",
    "legacy-support",
  ),
  sessions: v.optional(sessionsConfig, {}),
  register: v.optional(registerConfig, {}),
  resetPassword: v.optional(resetConfig, {}),
  emailConfirmation: v.optional(confirmationConfig, {}),
  emailChange: v.optional(emailChangeConfig, {}),
  passwords: v.optional(passwordsConfig, {}),
  mail: v.optional(mailConfig, {}),
  rateLimit: v.optional(rateLimitConfig, {}),
});

/** What config/plugins says to users-permissions, complete. */
export type UsersPermissionsConfig = OptionsOf<typeof usersPermissionsConfig>;

declare module "@plinth/core" {
  interface PluginConfigs {
    "users-permissions": UsersPermissionsConfig;
  }
}

/**
 * Checks the configuration and fills in what is left out.
 *
 * @param raw - such as `{ jwtSecret: env("JWT_SECRET"), defaultRole: "authenticated" }`
 * @throws PLINTH_USERS_CONFIG_INVALID (500) details `{ problems }`, without secrets
 */
export const parseConfig = optionsParser(usersPermissionsConfig, ConfigInvalidError);
