import { createHash, randomBytes } from "node:crypto";
import type { App } from "@plinth/core";
import { USER } from "../content-types.js";
import type { Account } from "../contract.js";

/** A secret that is mailed, and what is stored of it. */
export interface OneTimeCode {
  /** `<end>-<random>`: when it ends, in seconds since 1970 and to the base of 36, and 256 random bits. */
  readonly code: string;
  /** Of the whole code, so that its end cannot be changed. */
  readonly hash: string;
}

const RANDOM_BYTES = 32;
const CODE = /^([0-9a-z]{6,8})-[0-9a-f]{64}$/;

/** Makes a code that works for `lifespan` seconds. */
export function createCode({ clock }: App, lifespan: number): OneTimeCode {
  const end = Math.floor(clock.now() / 1000) + lifespan;
  const code = `${end.toString(36)}-${randomBytes(RANDOM_BYTES).toString("hex")}`;
  return { code, hash: hashSecret(code) };
}

/** What is stored of a code that a client sent; undefined when it is invalid or has expired. */
export function hashOfCode({ clock }: App, code: string): string | undefined {
  const end = CODE.exec(code)?.[1];
  if (end === undefined || Number.parseInt(end, 36) * 1000 <= clock.now()) return undefined;
  return hashSecret(code);
}

/** What is stored of a random secret. It has too many bits to be guessed, so no slow hash is needed. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** A column of users, and what has to stand in it. */
export type StoredToken = { readonly reset_password_token: string } | { readonly confirmation_token: string };

/** Stores the hash of a code that is about to be mailed; false when the account has another address by now. */
export async function storeToken(app: App, { id, email }: Account, stored: StoredToken): Promise<boolean> {
  const [[column, hash] = []] = Object.entries(stored) as [string, string][];
  const text = `update ${tableOf(app)} set ${column} = $3 where id = $1 and email = $2 returning id`;
  return (await app.db.query({ text, values: [id, email, hash], isPlan: true })).length === 1;
}

/** Removes a stored hash from its user. Of concurrent requests with one code, one gets true. */
export async function useUpToken(app: App, userId: number, stored: StoredToken): Promise<boolean> {
  const [[column, hash] = []] = Object.entries(stored) as [string, string][];
  const text = `update ${tableOf(app)} set ${column} = null where id = $1 and ${column} = $2 returning id`;
  return (await app.db.query({ text, values: [userId, hash], isPlan: true })).length === 1;
}

const tableOf = ({ model }: App): string => `"${model.contentTypes.get(USER)?.table}"`;
