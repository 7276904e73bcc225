import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Actor,
  type ActorUser,
  type App,
  createPlinth,
  definePlugin,
  type PlinthApp,
  type Plugin,
} from "@plinth/core";
import { checkGrant, createAbility, type Grant } from "@plinth/core/access";
import { type Client, createClient } from "./client.js";
import { type Clock, takeClock } from "./clock/clock.js";
import { GrantInvalidError } from "./errors.js";
import { type Fixtures, type Loaded, loadFixtures } from "./fixtures.js";
import type { LogEntry } from "./kept-log.js";
import { catchMails, type MailCatcher } from "./mail-catcher.js";
import { type Person, signIn } from "./sign-in.js";
import { type Snapshot, takeSnapshot } from "./snapshot.js";
import { openTestDatabase, type TestDatabaseOption } from "./test-database.js";
import { type AppParts, buildTestSetup } from "./test-setup.js";
import { catchWebhooks, type WebhookCatcher } from "./webhook-catcher.js";

/** How an app of a test is made. */
export interface TestAppOptions extends AppParts {
  /** Default: `memory`. */
  readonly database?: TestDatabaseOption;
}

/** An app that runs in the process of its test, and the tools of the test. */
export interface TestApp {
  /** The app as its own code sees it: `app.documents(...)`, `app.service(...)`. */
  readonly app: App;
  readonly plinth: PlinthApp;
  /** `http://127.0.0.1:40123` */
  readonly url: string;
  /** Requests without credentials. */
  readonly public: Client;
  /**
   * Requests of an actor who may do exactly this: `"all"`, `"read"`, or actions and rules. Needs no plugin.
   *
   * @param user - who `{{user.id}}` and `{{user.documentId}}` of rules are.
   * @throws PLINTH_TESTKIT_GRANT_INVALID
   */
  as(grant: Grant, user?: ActorUser): Client;
  /**
   * Requests of a real user or token: `{ role: "authenticated" }` is a new user of that role, `{ user: "ada" }` one who
   * is there, `{ token: "read-only" }` a new API token.
   *
   * @throws PLINTH_TESTKIT_PLUGIN_NEEDED, PLINTH_TESTKIT_PERSON_UNKNOWN
   */
  signIn(person: Person): Promise<Client>;
  /** Requests with a bearer of the test's own. */
  withBearer(bearer: string): Client;
  /**
   * Makes documents by content-type and name, those that others `ref` first.
   *
   * @returns the documents by name
   * @throws PLINTH_TESTKIT_FIXTURE_* before anything is made; PLINTH_INPUT_*
   */
  load<const F extends Fixtures>(fixtures: F): Promise<Loaded<F>>;
  /** What the app mails by `mail.smtp` of users-permissions. */
  readonly mails: MailCatcher;
  /** Receives what the app sends to `webhooks.url`. */
  readonly webhooks: WebhookCatcher;
  /** Moves the time of this process. */
  readonly clock: Clock;
  /** Saves the content of the database, to be restored in milliseconds. */
  snapshot(): Promise<Snapshot>;
  /** What the app logged. */
  readonly logged: readonly LogEntry[];
  /** Stops everything; nothing is left of it, databases included. */
  stop(): Promise<void>;
}

/**
 * Starts an app in this process, on a free port and a database of its own. It behaves as in production but for its
 * configuration of server, database, log and mails.
 *
 * @throws what the start of the app throws; nothing is left then
 */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const ends: (() => Promise<void>)[] = [];
  const stop = () => runAll(ends.splice(0).reverse());
  try {
    return await startApp(options, ends, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startApp(
  options: TestAppOptions,
  ends: (() => Promise<void>)[],
  stop: () => Promise<void>,
): Promise<TestApp> {
  const { clock, release } = takeClock();
  ends.push(async () => release());
  const database = await openTestDatabase(options.database);
  ends.push(database.remove);
  const mails = await catchMails();
  ends.push(mails.stop);
  const webhooks = await catchWebhooks();
  ends.push(webhooks.stop);
  const people = makeUpPeople();
  const directory = await makeDirectory(ends);
  const kit = { plugin: people.plugin, database: database.config, mails, webhooks, directory };
  const { setup, logged } = await buildTestSetup(options, kit);
  const plinth = createPlinth(setup);
  ends.push(plinth.stop);
  const url = (await plinth.start()) ?? "";
  const { app } = plinth;
  return {
    ...{ app, plinth, url, mails, webhooks, clock, logged, stop },
    ...clientsOf(app, url, people),
    load: (fixtures) => loadFixtures(app, fixtures),
    snapshot: () => takeSnapshot(app.db),
  };
}

/** A folder of the app's own, for what it would write into that of its project. */
async function makeDirectory(ends: (() => Promise<void>)[]): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "plinth-test-"));
  ends.push(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

function clientsOf(
  app: App,
  url: string,
  people: GeneratedActors,
): Pick<TestApp, "public" | "as" | "signIn" | "withBearer"> {
  return {
    public: createClient(url),
    as: (grant, user) => createClient(url, people.add(grant, user)),
    signIn: async (person) => createClient(url, await signIn(app, person)),
    withBearer: (bearer) => createClient(url, bearer),
  };
}

/** Runs all, one after the other, also after a failure; throws the first one. */
async function runAll(ends: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const end of ends) await end().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** The actors of a test, by the bearer tokens that it generated. */
interface GeneratedActors {
  /** The strategy that authenticates them. */
  readonly plugin: Plugin;
  /** A new bearer. @param user - who `{{user.id}}` of rules is. @throws PLINTH_TESTKIT_GRANT_INVALID */
  add(grant: Grant, user?: ActorUser): string;
}

/**
 * Actors without a database row: requests with their token may do what the test grants. They work in apps without any
 * plugin.
 */
function makeUpPeople(): GeneratedActors {
  const actors = new Map<string, Actor>();
  return {
    plugin: definePlugin({
      name: "test-kit",
      register: ({ strategy }) => {
        strategy("people", { name: "test-kit", authenticate: (bearer) => actors.get(bearer) });
      },
    }),
    add: (grant, user) => {
      const problems = checkGrant(grant, "grant").map(({ path, message }) => `${path} ${message}`);
      if (problems.length > 0) throw new GrantInvalidError({ problems });
      const bearer = `test-kit-${randomBytes(12).toString("hex")}`;
      const ability = createAbility(grant, user ? { user } : {});
      actors.set(bearer, user ? { kind: "user", ability, user } : { kind: "token", ability });
      return bearer;
    },
  };
}
