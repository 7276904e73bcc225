// The references of configuration: CONFIG.md of core and of each plugin, from the interfaces that say what is read.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readInterface } from "./read-interface.mjs";
import { asCode, page, tableOf } from "./reference-page.mjs";

/**
 * What is configured, by the folder of the package. `from` lists interfaces: file, name, and what stands before their keys;
 * `parse` names the function that makes the defaults of nothing.
 */
const PARTS = {
  core: [
    {
      title: "config/server",
      from: [
        ["app/server-config.ts", "ServerConfig"],
        ["http/connection-limits.ts", "ConnectionLimits"],
      ],
      parse: ["app/server-config.ts", "readServerConfig", { get: (_path, fallback) => fallback }],
    },
    {
      title: 'config/database, `client: "pglite"`',
      text: "The embedded database.",
      from: [
        ["database/driver/pglite.ts", "PgliteConfig"],
        ["database/driver/driver.ts", "SessionOptions"],
      ],
    },
    {
      title: 'config/database, `client: "postgres"`',
      text: "A server, PostgreSQL 13 or newer. The parts of `connection` are `host`, `port`, `database`, `user`, `password` and `ssl`.",
      from: [
        ["database/driver/postgres.ts", "PostgresConfig"],
        ["database/driver/driver.ts", "SessionOptions"],
      ],
    },
    {
      title: "config/access",
      text: 'A grant is `"none"`, `"read"`, `"all"` or a list of actions and [rules](src/access/README.md).',
      from: [["access/access-config.ts", "AccessConfig"]],
      parse: ["access/access-config.ts", "parseAccessConfig"],
    },
    {
      title: "config/api, `reads`",
      text: "What clients may ask of one read, over REST and GraphQL; -1 lifts a limit. `nestedLimit` is `rest.nestedLimit`.",
      from: [["documents/params/read-budget.ts", "ReadBudget"]],
      parse: ["app/read-budget-config.ts", "readBudgetOf", { get: () => undefined }],
    },
    { title: "config/log", from: [["app/create-log.ts", "LogConfig"]] },
    {
      title: "config/plugins",
      text: "By the name of the plugin: an entry, true for the defaults, or false. What `config` may hold is in the plugin's CONFIG.md.",
      from: [["app/project/load-plugins.ts", "PluginEntry"]],
    },
    {
      title: "config/permissions",
      text: "What roles may do, by their type: `{ public: [...], authenticated: [...] }`; [a guide](guides/access.md).",
    },
    {
      title: "config/i18n",
      text: '`{ defaultLocale: "en", locales: ["en", { code: "fr", fallback: ["en"] }] }`; [a guide](guides/drafts-and-languages.md#languages).',
    },
    {
      title: "config/middlewares",
      text: 'The ordered list of what every request passes: a name, `{ name, config }`, `{ resolve: "./src/timing", config }` or a function. Default: `plinth::logger`, `plinth::errors`, `plinth::security`, `plinth::cors`, `plinth::query`, `plinth::body`, `plinth::router`.',
    },
  ],
  "plugins/content-api": [
    {
      title: "config/api, `rest`",
      from: [
        ["config.ts", "RestConfig"],
        ["../../../core/src/documents/params/parse-pagination.ts", "Limits"],
      ],
      parse: ["config.ts", "parseRestConfig"],
    },
  ],
  "plugins/api-tokens": [{ from: [["config.ts", "TokensConfig"]], parse: ["config.ts", "parseTokensConfig"] }],
  "plugins/graphql": [{ from: [["contract.ts", "GraphqlConfig"]], parse: ["config.ts", "parseGraphqlConfig"] }],
  "plugins/openapi": [{ from: [["config.ts", "OpenApiConfig"]], parse: ["config.ts", "parseConfig"] }],
  "plugins/upload": [
    {
      from: [
        ["config.ts", "UploadConfig"],
        ["inspect/type-lists.ts", "TypeLists", "types."],
        ["images/image-options.ts", "ImageOptions", "images."],
      ],
      parse: ["config.ts", "parseConfig"],
      // Of the machine: that of one core has 1.
      defaults: { "images.concurrency": "2" },
    },
  ],
  "plugins/upload-s3": [{ from: [["s3-options.ts", "S3Options"]] }],
  "plugins/users-permissions": [
    {
      from: [
        ["config.ts", "UsersPermissionsConfig"],
        ["sessions/config.ts", "SessionsConfig", "sessions."],
        ["auth/config.ts", "RegisterConfig", "register."],
        ["auth/config.ts", "LinkConfig", "resetPassword."],
        ["auth/config.ts", "LinkConfig", "emailConfirmation."],
        ["auth/config.ts", "ConfirmationConfig", "emailConfirmation."],
        ["auth/config.ts", "EmailChangeConfig", "emailChange."],
        ["auth/config.ts", "PasswordsConfig", "passwords."],
        ["mail/config.ts", "MailConfig", "mail."],
        ["rate-limit/config.ts", "RateLimitConfig", "rateLimit."],
      ],
      parse: ["config.ts", "parseConfig"],
      defaults: { "mail.templates": "those of the plugin" },
    },
  ],
};

/**
 * Builds the references of configuration.
 *
 * @param {string} root
 * @returns {Promise<[path: string, text: string][]>}
 */
export async function configReferences(root) {
  return Promise.all(
    Object.entries(PARTS).map(async ([owner, parts]) => {
      const sections = await Promise.all(parts.map((part) => describePart(join(root, owner, "src"), owner, part)));
      return [`${owner}/CONFIG.md`, page(`Configuration of ${owner}`, [introOf(owner), "", sections.join("\n\n")])];
    }),
  );
}

function introOf(owner) {
  if (owner === "core")
    return [
      "Every file of `config/` exports an object, or a function `({ env }) => object`, which may be async; `env` reads variables",
      "of the process, then of `.env`. `config/env/<NODE_ENV>/<file>.ts` lies over it, key by key.",
    ].join("\n");
  if (owner === "plugins/content-api") return "All of it is optional. A key that is not known stops the start.";
  if (owner === "plugins/upload-s3") return "What `providerOptions` of the upload plugin may hold.";
  return "What `config` of the plugin's entry in `config/plugins.ts` may hold. A key that is not known stops the start.";
}

async function describePart(sources, owner, { title, text, from = [], parse, defaults: fixed = {} }) {
  const defaults = parse ? await defaultsOf(sources, parse) : undefined;
  const keys = from.flatMap(([file, name, prefix = ""]) =>
    readInterface(join(sources, file), name).map((member) => ({ ...member, name: prefix + member.name })),
  );
  const isFirst = ({ name }, index) => keys.findIndex((other) => other.name === name) === index;
  const isTitle = ({ name }) => name === "client";
  const isGroup = ({ name }) => keys.some((other) => other.name.startsWith(`${name}.`));
  const rows = keys
    .filter((key, index) => isFirst(key, index) && !isGroup(key) && !isTitle(key))
    .map((key) => rowOf(key, fixed[key.name] ?? (defaults && shown(valueAt(defaults, key.name))), owner));
  const head = ["key", "type", ...(defaults ? ["default"] : []), "what"];
  return [title && `## ${title}`, text, rows.length > 0 && tableOf(head, rows)].filter(Boolean).join("\n\n");
}

function rowOf({ name, type, description }, value, owner) {
  if (description === "") throw new Error(`${owner}: the configuration's key ${name} has no docstring`);
  return [asCode(name), asCode(type), ...(value === undefined ? [] : [asCode(value)]), description];
}

async function defaultsOf(sources, [file, name, argument]) {
  const module = await import(pathToFileURL(join(sources, file)).href);
  return module[name](argument);
}

const valueAt = (tree, path) => path.split(".").reduce((value, key) => value?.[key], tree);
const shown = (value) => (value === undefined ? "" : value === Infinity ? "-1" : JSON.stringify(value));
