import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { databaseConfigOf } from "./app-database.js";
import type { AppSetup } from "./app-setup.js";
import { SecretMissingError } from "./errors.js";

/** The secret that signs or hashes, then older ones that are still believed, so that a secret can be replaced. */
export type SecretList = readonly [string, ...string[]];

/** A secret that something needs. */
export interface SecretRequest {
  /** Unique in the app: `api-tokens.salt`. */
  readonly name: string;
  /** What the configuration says, the newest first. */
  readonly configured: readonly string[];
  /** The environment variable that the configuration usually takes it from; for the message. */
  readonly variable: string;
}

/** The secrets of an app: what tokens are hashed and signed with. */
export interface Secrets {
  /**
   * The configured secrets. Where there is none, an app in development generates one and keeps it in
   * `.plinth/secrets.json`; with a database in memory it is kept in memory as well, because nothing outlives the
   * process.
   *
   * @throws PLINTH_SECRET_MISSING (500) in production
   */
  obtain(request: SecretRequest): SecretList;
}

declare module "../kernel/app.js" {
  interface App {
    /** What tokens are hashed and signed with. */
    readonly secrets: Secrets;
  }
}

/** 256 bits, as hex. */
const BYTES = 32;

/** Makes the secrets of one app. */
export function createSecrets(setup: AppSetup): Secrets {
  const generated = isInMemory(setup) ? new Map<string, string>() : undefined;
  return {
    obtain: ({ name, configured: [newest, ...older], variable }) => {
      if (newest !== undefined) return [newest, ...older];
      if (setup.environment === "production") throw new SecretMissingError({ name, variable });
      return [generated ? keepInMemory(generated, name) : keepInFile(join(setup.root, ".plinth"), name)];
    },
  };
}

function isInMemory(setup: AppSetup): boolean {
  const database = databaseConfigOf(setup);
  return database.client === "pglite" && database.directory === ":memory:";
}

const generateSecret = (): string => randomBytes(BYTES).toString("hex");

function keepInMemory(kept: Map<string, string>, name: string): string {
  const secret = kept.get(name) ?? generateSecret();
  kept.set(name, secret);
  return secret;
}

/** Readable by the owner only. */
function keepInFile(folder: string, name: string): string {
  const file = join(folder, "secrets.json");
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, string>) : {};
  const known = kept[name];
  if (known) return known;
  const secret = generateSecret();
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${JSON.stringify({ ...kept, [name]: secret }, undefined, 2)}\n`, { mode: 0o600 });
  return secret;
}
