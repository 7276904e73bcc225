import type { App } from "@plinth/core";
import type { LinkConfig, UsersPermissionsConfig } from "../config.js";
import type { Account, Jwt, Mailer, Sessions, SignedIn, Users } from "../contract.js";

/** The dependencies of authentication. */
export interface AuthTools {
  readonly app: App;
  readonly config: UsersPermissionsConfig;
  readonly users: Users;
  readonly jwt: Jwt;
  readonly sessions: Sessions;
  readonly mailer: Mailer;
  readonly afterwards: BackgroundTasks;
}

/** The provider of accounts that have a password here. Others sign in through another provider. */
export const LOCAL = "local";

/** Signs in a user whose identity was verified. */
export async function signIn(tools: AuthTools, account: Account, deviceName: string): Promise<SignedIn> {
  const { users, jwt, sessions, config } = tools;
  const user = await users.describe(account.id);
  if (!sessions.isEnabled) return { jwt: jwt.issue(account), user };
  const session = await sessions.start(account, deviceName);
  const { accessLifespan: expiresIn } = config.sessions;
  return { jwt: jwt.issue(account, { sid: session.sid, expiresIn }), user, session };
}

/** Where a link in a mail leads: to an address that the configuration names, never one that a request names. */
export function buildLink(
  app: App,
  { url }: LinkConfig,
  path: string,
  query: Readonly<Record<string, string>>,
): string {
  const port = app.config.get("server.port", 1337);
  const base = app.config.get("server.url", `http://localhost:${port}`);
  const link = new URL(url ?? `${base.replace(/\/+$/, "")}${path}`);
  for (const [name, value] of Object.entries(query)) link.searchParams.set(name, value);
  return link.href;
}

/** Work that is done after the answer, so that the time of an answer reveals nothing about it. */
interface BackgroundTasks {
  /** @param what - for the log, when it fails: `sending a reset code`. */
  run(what: string, work: () => Promise<unknown>): void;
  /** Waits until nothing is left to do. */
  settle(): Promise<void>;
}

/** Runs work after answers. Failures are logged: the client has its answer already. */
export function createAfterwards({ log }: Pick<App, "log">): BackgroundTasks {
  const running = new Set<Promise<void>>();
  return {
    run: (what, work) => {
      // After the current events, of which the answer is one.
      const done: Promise<void> = new Promise((resolve) => setImmediate(resolve))
        .then(work)
        .then(
          () => undefined,
          (err: unknown) => log.error({ err }, `Failed: ${what}`),
        )
        .finally(() => running.delete(done));
      running.add(done);
    },
    settle: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
