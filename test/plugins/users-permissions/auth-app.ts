import { tmpdir } from "node:os";
import { type AppSetup, createPlinth, type PlinthApp } from "@plinth/core";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { pino } from "pino";
import type { TestDatabase } from "../../databases.js";
import { CHEAP_ROUNDS } from "../../projects.js";

/** An answer; the body is parsed when it is JSON. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  // A test says what it expects of a body; a wrong guess fails there.
  // biome-ignore lint/suspicious/noExplicitAny: bodies have every form there is
  readonly body: any;
}

/** What goes with a request. */
export interface AskOptions {
  readonly body?: unknown;
  /** A JWT, or `ADMIN`. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A running app with nothing but users. */
export interface AuthApp {
  readonly plinth: PlinthApp;
  /** What it logged, one JSON text a line. */
  readonly log: readonly string[];
  ask(method: string, path: string, options?: AskOptions): Promise<Answered>;
  post(path: string, body: unknown, options?: AskOptions): Promise<Answered>;
  /** Registers somebody whose password is PASSWORD; what the answer says. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies have every form there is
  register(username: string): Promise<any>;
}

/** A token of the configuration that may do everything and is not a user. */
export const ADMIN = "a-token-that-may-do-everything";
export const PASSWORD = "Passw0rd-1";

/** What an app of a suite is like. */
export interface AuthAppOptions {
  /** Of the plugin. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Everything else in config/. */
  readonly appConfig?: Readonly<Record<string, unknown>>;
  readonly environment?: string;
  /** What it is made of beside users. */
  readonly setup?: Pick<AppSetup, "plugins" | "app" | "passwordRounds">;
  /** Configuration of the plugin jobs. */
  readonly jobs?: object;
}

/** What tokens are signed with. */
export const SECRET = "a secret of the tests that is long enough";
/** Tests of other things log in more often than people do. */
const UNLIMITED = { rateLimit: { max: 100_000 } };

/** Starts an app with users, roles and signing in; apps on one database share them. */
export async function startAuthApp(database: TestDatabase, options: AuthAppOptions = {}): Promise<AuthApp> {
  const log: string[] = [];
  const { config, appConfig, environment = "test", setup = { plugins: [] } } = options;
  const plinth = createPlinth({
    root: tmpdir(),
    environment,
    passwordRounds: CHEAP_ROUNDS,
    ...setup,
    plugins: [...setup.plugins, usersPermissionsPlugin],
    pluginConfigs: {
      ...(options.jobs ? { jobs: options.jobs } : {}),
      "users-permissions": { jwtSecret: SECRET, ...UNLIMITED, ...config },
    },
    config: {
      database: database.config(),
      server: { host: "127.0.0.1", port: 0 },
      access: { tokens: { [ADMIN]: "all" } },
      ...appConfig,
    },
    log: pino({ level: "debug" }, { write: (line) => void log.push(line) }),
  });
  return clientOf(plinth, (await plinth.start()) ?? "", log);
}

/** Serves users, roles and signing in; stopped after the suite. */
export function serveAuthApp(database: TestDatabase, options: AuthAppOptions = {}): () => AuthApp {
  let served: AuthApp | undefined;
  before("start the app", async () => {
    served = await startAuthApp(database, options);
  });
  after("stop the app", () => served?.plinth.stop());
  return () => {
    if (!served) throw new TypeError("The app has not started.");
    return served;
  };
}

function clientOf(plinth: PlinthApp, url: string, log: readonly string[]): AuthApp {
  const ask = (method: string, path: string, options?: AskOptions) => send(`${url}${path}`, method, options);
  const post = (path: string, body: unknown, options: AskOptions = {}) => ask("POST", path, { ...options, body });
  const register = async (username: string) => {
    const answer = await post("/api/auth/local/register", {
      username,
      email: `${username}@example.com`,
      password: PASSWORD,
    });
    if (answer.status !== 200) throw new TypeError(`Registering failed: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return { plinth, log, ask, post, register };
}

async function send(url: string, method: string, { body, token, headers = {} }: AskOptions = {}): Promise<Answered> {
  const response = await fetch(url, {
    method,
    redirect: "manual",
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const received = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") && received !== "";
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(received) : received };
}
