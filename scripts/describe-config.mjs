// The references of configuration: CONFIG.md of core and of each plugin, from the schemas that they are checked by.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describeAllowed } from "../core/src/base/options/describe-allowed.ts";
import { contentOf, metadataOf } from "../core/src/base/options/schema-node.ts";
import { asCode, page, tableOf } from "./reference-page.mjs";

/**
 * What is configured, by the folder of the package. `schema` names a schema: file and export.
 */
const PARTS = {
  core: [
    { title: "config/server", schema: ["app/server-config.ts", "serverConfig"] },
    {
      title: 'config/database, `client: "pglite"`',
      text: "The embedded database.",
      schema: ["database/driver/config.ts", "pgliteConfig"],
    },
    {
      title: 'config/database, `client: "postgres"`',
      text: "A server, PostgreSQL 13 or newer.",
      schema: ["database/driver/config.ts", "postgresConfig"],
    },
    {
      title: "config/access",
      text: "[Actions and rules](src/access/README.md) of a grant.",
      schema: ["access/access-config.ts", "accessConfig"],
    },
    {
      title: "config/api, `reads`",
      text: "What clients may ask of one read, over REST and GraphQL; -1 lifts a limit. `nestedLimit` is `rest.nestedLimit`.",
      schema: ["documents/params/read-budget.ts", "readsConfig"],
    },
    { title: "config/log", schema: ["app/create-log.ts", "logConfig"] },
    { title: "config/schema", schema: ["database/sync/sync-rules.ts", "schemaConfig"] },
    {
      title: "config/plugins",
      text: "By the name of the plugin: an entry, true for the defaults, or false. What `config` may hold is in the plugin's CONFIG.md.",
      schema: ["app/project/load-plugins.ts", "pluginEntry"],
    },
    {
      title: "config/permissions",
      text: "What roles may do, by their type: `{ public: [...], authenticated: [...] }`; [a guide](guides/access.md).",
    },
    {
      title: "config/i18n",
      text: '`{ defaultLocale: "en", locales: ["en", { code: "fr", fallback: ["en"] }] }`; [a guide](guides/drafts-and-languages.md#languages).',
      schema: ["app/locales-config.ts", "localesConfig"],
    },
    {
      title: "config/middlewares",
      text: 'The ordered list of what every request passes: a name, `{ name, config }`, `{ resolve: "./src/timing", config }` or a function. Default: `plinth::logger`, `plinth::errors`, `plinth::security`, `plinth::cors`, `plinth::query`, `plinth::body`, `plinth::router`.',
    },
    {
      title: "config/middlewares, `plinth::cors`",
      schema: ["http/middlewares/cors.ts", "corsOptions"],
    },
    { title: "config/middlewares, `plinth::query`", schema: ["http/query-string.ts", "queryOptions"] },
    { title: "config/middlewares, `plinth::body`", schema: ["http/body-reader.ts", "bodyOptions"] },
  ],
  "plugins/content-api": [{ title: "config/api, `rest`", schema: ["config.ts", "restConfig"] }],
  "plugins/admin": [{ schema: ["config.ts", "adminConfig"] }],
  "plugins/api-tokens": [{ schema: ["config.ts", "tokensConfig"] }],
  "plugins/audit": [{ schema: ["config.ts", "auditConfig"] }],
  "plugins/email": [{ schema: ["config.ts", "emailConfig"] }],
  "plugins/events": [{ schema: ["config.ts", "eventsConfig"] }],
  "plugins/graphql": [{ schema: ["config.ts", "graphqlConfig"] }],
  "plugins/history": [{ schema: ["config.ts", "historyConfig"] }],
  "plugins/jobs": [{ schema: ["config.ts", "jobsConfig"] }],
  "plugins/http-cache": [{ schema: ["config.ts", "httpCacheConfig"] }],
  "plugins/live": [{ schema: ["config.ts", "liveConfig"] }],
  "plugins/metrics": [{ schema: ["config.ts", "metricsConfig"] }],
  "plugins/openapi": [{ schema: ["config.ts", "openApiConfig"] }],
  "plugins/upload": [
    {
      schema: ["config.ts", "uploadConfig"],
      // Of the machine: that of one core has 1.
      defaults: { "images.concurrency": "2" },
    },
  ],
  "plugins/upload-s3": [{ schema: ["s3-options.ts", "s3Options"] }],
  "plugins/users-permissions": [
    { schema: ["config.ts", "usersPermissionsConfig"], defaults: { "mail.templates": "those of the plugin" } },
  ],
  "plugins/webhooks": [
    { schema: ["config.ts", "webhooksConfig"] },
    {
      title: "config/webhooks",
      text: "`{ search: { ... } }`: endpoints by their names, each with these keys.",
      schema: ["endpoints/endpoint-schema.ts", "endpointInConfig"],
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

async function describePart(sources, owner, { title, text, schema, defaults = {} }) {
  const rows = schema ? rowsOf(await nodeNamed(sources, schema), "") : [];
  const isDefaultShown = rows.some((row) => row.value !== undefined);
  const cells = rows.map((row) => cellsOf(row, defaults[row.name] ?? shown(row.value), { owner, isDefaultShown }));
  const head = ["key", "must be", ...(isDefaultShown ? ["default"] : []), "what"];
  return [title && `## ${title}`, text, rows.length > 0 && tableOf(head, cells)].filter(Boolean).join("\n\n");
}

async function nodeNamed(sources, [file, name]) {
  const module = await import(pathToFileURL(join(sources, file)).href);
  if (module[name] === undefined) throw new Error(`${join(sources, file)} exports no ${name}`);
  return module[name];
}

/** One row a key; an object of known keys stands for its keys. The key that decides between forms is in the title. */
function rowsOf(schema, prefix) {
  const { entries } = contentOf(schema.wrapped ?? schema);
  return Object.entries(entries).flatMap(([key, member]) => {
    const name = prefix + key;
    if (contentOf(member).literal !== undefined) return [];
    const { description = "" } = metadataOf(member);
    if (description === "" && contentOf(member.wrapped ?? member).entries) return rowsOf(member, `${name}.`);
    return [{ name, allowed: describeAllowed(member), value: member.default, description }];
  });
}

function cellsOf({ name, allowed, description }, value, { owner, isDefaultShown }) {
  if (description === "") throw new Error(`${owner}: the configuration's key ${name} has no description`);
  return [asCode(name), allowed, ...(isDefaultShown ? [asCode(value)] : []), description];
}

const shown = (value) => (value === undefined ? "" : JSON.stringify(value));
