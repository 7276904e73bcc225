import { checkGrant, type Grant } from "@plinth/core/access";
import { option, options, optionsParser, type OptionsOf, whole } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import { InvalidAdminConfigError } from "./errors.js";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const seconds = v.pipe(v.number(), v.finite(), v.gtValue(0));
const text = v.pipe(v.string(), v.minLength(1));
const origins = v.array(v.pipe(v.string(), v.url()));

/** What is wrong with the form of the grants; their names are checked when the content model is known. */
const grantProblems = (roles: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(roles).flatMap(([role, grant]) =>
    checkGrant(grant, role).map(({ path, message }) => `has a mistake at ${path}: ${message}`),
  );

/** What `config` of the plugin may hold. */
export const adminConfig = options({
  brand: v.optional(
    options({
      name: option(text, "Name of the site, above the navigation and in the title of the browser's tab.", "Plinth"),
      logo: option(v.nullable(text), "Path or address of a picture that stands before the name.", null),
      accent: option(v.nullable(text), "A CSS colour for buttons, links and what is selected.", null),
    }),
    {},
  ),
  sessions: v.optional(
    options({
      idle: option(seconds, "Seconds without a request after which a session ends.", 8 * HOUR),
      life: option(seconds, "Seconds after which a session ends, however much it is used.", 7 * DAY),
      stay: option(seconds, "The same for sessions that outlive the browser.", 30 * DAY),
      renewal: option(seconds, "Seconds of use after which the secret in the cookie is replaced.", 10 * MINUTE),
    }),
    {},
  ),
  secondFactor: v.optional(
    options({
      requiredFor: option(
        v.array(text),
        "Names of roles whose accounts need a second factor, `*` for all; a role of the database may ask for one itself.",
        [],
      ),
    }),
    {},
  ),
  passwords: v.optional(
    options({
      minLength: option(whole(8, 64), "Characters that a password of an administrator has at least.", 12),
    }),
    {},
  ),
  invitationLife: option(
    seconds,
    "Seconds in which an invitation by the page or by a command can be accepted.",
    3 * DAY,
  ),
  roles: option(
    v.pipe(
      v.record(
        v.string(),
        v.custom<Grant>(() => true),
      ),
      v.rawCheck(({ dataset, addIssue }) => {
        if (dataset.typed) for (const message of grantProblems(dataset.value)) addIssue({ message });
      }),
    ),
    "What roles of administrators may do, by name: a grant as in `config/permissions`. `editor` and `author` are replaced by what is written here; the database adds to it.",
    {},
  ),
  csv: v.optional(
    options({
      maxRows: option(whole(1), "Rows that a list may have that is downloaded as CSV.", 50_000),
    }),
    {},
  ),
  live: v.optional(
    options({
      streams: option(
        whole(1),
        "Streams of events of one process: one for each browser with the page; further ones are 503.",
        2_000,
      ),
      streamsOfAccount: option(whole(1), "The same for one account.", 30),
      heartbeat: option(seconds, "Seconds after which a stream without news says that it is alive.", 15),
    }),
    {},
  ),
  preview: v.optional(
    options({
      origins: option(
        origins,
        "Origins of front ends that the page may show beside a form: `https://www.example.com`. Addresses of previews that begin with a slash are on the first.",
        [],
      ),
      life: option(seconds, "Seconds after which a preview token expires. An open preview gets new ones.", 15 * MINUTE),
    }),
    {},
  ),
  mediaOrigins: option(
    origins,
    "Origins that the page may show pictures and films of, beside this server, the storage of uploads and that of the logo.",
    [],
  ),
});

/** The configuration of the plugin, complete. */
export type AdminConfig = OptionsOf<typeof adminConfig>;

/**
 * Checks the plugin's part of config/plugins and fills in what is left out.
 *
 * @throws PLINTH_ADMIN_CONFIG_INVALID (500) details `{ problems }`
 */
export const parseAdminConfig = optionsParser(adminConfig, InvalidAdminConfigError);
