import { join } from "node:path";
import { type AppDefinition, type AppSetup, loadProject, type Plugin } from "@plinth/core";
import { keepLog, type LogEntry } from "./kept-log.js";
import type { MailCatcher } from "./mail-catcher.js";
import type { WebhookCatcher } from "./webhook-catcher.js";

/** The catchers of what an app sends. */
export interface Catchers {
  readonly mails: MailCatcher;
  readonly webhooks: WebhookCatcher;
}

/** What an app of a test is made of: the folder of a project, or parts; with both, the parts go over the project's. */
export interface AppParts {
  /**
   * Folder of a project, loaded from its sources as `develop` does; the test runs with a loader for TypeScript. Default:
   * the working directory, unless there are plugins or an app.
   */
  readonly root?: string;
  /** Folder of a project's build, in place of its sources: `dist`. */
  readonly code?: string;
  /** Default: `test`. Configuration of `config/env/test` applies. */
  readonly environment?: string;
  /** Environment variables that the project's configuration reads; those of the process are not. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Beside the project's. */
  readonly plugins?: readonly Plugin[];
  /** Content-types, routes and all else that an app has; added to the project's. */
  readonly app?: AppDefinition;
  /**
   * `config/*` by file, key by key over the project's: `{ api: { rest: { maxLimit: 10 } } }`. Address and database are the
   * kit's; the option `database` says which.
   */
  readonly config?: Readonly<Record<string, unknown>>;
  /** What `config/plugins` says to each plugin, key by key over the project's. */
  readonly pluginConfigs?: Readonly<Record<string, unknown>>;
  /** A last change of the setup, such as for the addresses of the catchers of mails and webhooks. */
  readonly configure?: (setup: AppSetup, catchers: Catchers) => AppSetup;
}

/** A setup, and what the app will log. */
export interface TestSetup {
  readonly setup: AppSetup;
  readonly logged: readonly LogEntry[];
}

/** The kit's own settings of an app. */
export interface KitParts extends Catchers {
  readonly plugin: Plugin;
  readonly database: unknown;
  /** Of the app's own, absolute. */
  readonly directory: string;
}

/** A hash takes 1 ms in place of 60: no test has a secret to keep. */
const CHEAP_ROUNDS = 4;
const SERVER = { host: "127.0.0.1", port: 0, drainDelay: 0 };

/** Puts an app together: the project, then the test's parts, then the kit's. @throws PLINTH_PROJECT_* */
export async function buildTestSetup(parts: AppParts, kit: KitParts): Promise<TestSetup> {
  const base = await loadBase(parts, kit.directory);
  const { log, entries } = keepLog();
  const plugins = [...base.plugins, ...(parts.plugins ?? []), kit.plugin];
  const setup: AppSetup = {
    ...base,
    plugins,
    app: addParts(base.app ?? {}, parts.app ?? {}) as AppDefinition,
    config: { ...mergeAll(base.config, parts.config, { server: SERVER }), database: kit.database },
    pluginConfigs: configurePlugins(plugins, mergeAll(base.pluginConfigs, parts.pluginConfigs), kit),
    // The test moves the time of this process; the database would bring it back.
    clock: { now: () => Date.now(), offset: 0 },
    passwordRounds: CHEAP_ROUNDS,
    log,
  };
  return { setup: parts.configure?.(setup, kit) ?? setup, logged: entries };
}

/**
 * Mails and webhooks of a test are caught, and its files stay out of the project, unless they go to a remote storage. A test
 * of webhooks may say that they go where their endpoints are: `{ webhooks: { sendTo: undefined } }`.
 */
function configurePlugins(plugins: readonly Plugin[], given: Plain, { mails, webhooks, directory }: KitParts): Plain {
  const has = (plugin: string) => plugins.some(({ name }) => name === plugin);
  const { provider = "local" } = (given["upload"] ?? {}) as { readonly provider?: unknown };
  const storage = { upload: { providerOptions: { directory: join(directory, "uploads") } } };
  return mergeAll(
    has("upload") && provider === "local" ? storage : {},
    has("webhooks") ? { webhooks: { sendTo: webhooks.url } } : {},
    given,
    has("users-permissions") ? { "users-permissions": { mail: { smtp: mails.url } } } : {},
  );
}

async function loadBase(parts: AppParts, directory: string): Promise<AppSetup> {
  const { environment = "test", variables = {} } = parts;
  const isFromParts = parts.plugins !== undefined || parts.app !== undefined;
  const root = parts.root ?? (isFromParts ? undefined : process.cwd());
  if (root === undefined) return { root: directory, environment, plugins: [] };
  return await loadProject({ root, code: parts.code ?? root }, { variables, environment });
}

type Plain = Readonly<Record<string, unknown>>;

const isPlain = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Adds names to records and items to lists; what is neither is replaced. */
function addParts(app: object, added: object): Plain {
  const joined: Record<string, unknown> = { ...app };
  for (const [key, value] of Object.entries(added)) {
    const there = joined[key];
    if (Array.isArray(there) && Array.isArray(value)) joined[key] = [...there, ...value];
    else joined[key] = isPlain(there) && isPlain(value) ? { ...there, ...value } : value;
  }
  return joined;
}

function mergeAll(...layers: readonly (Plain | undefined)[]): Plain {
  return layers.reduce<Plain>((below, above = {}) => merge(below, above), {});
}

function merge(below: Plain, above: Plain): Plain {
  const merged: Record<string, unknown> = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const there = merged[key];
    merged[key] = isPlain(there) && isPlain(value) ? merge(there, value) : value;
  }
  return merged;
}
