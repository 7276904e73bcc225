import type { ActorUser, App, Document } from "@plinth/core";
import type { AuthenticatedAdministrator } from "@plinth/plugin-api-tokens";
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { ADMINISTRATOR_TYPE } from "../content-types/administrator.js";
import { PASSKEY_TYPE } from "../content-types/second-factor.js";
import { InvalidRequestError } from "../errors.js";
import type { PasskeyView } from "../wire/second-factor.js";
import { PasskeyRefusedError } from "./errors.js";

type Transports = AuthenticatorTransport[];

/** The page as a passkey knows it. */
export interface Site {
  /** `https://cms.example.com` */
  readonly origin: string;
  /** `cms.example.com`; a passkey is for one. */
  readonly name: string;
}

/** The most of an account. */
const MOST = 20;

/** The library is loaded when a passkey is made or used. */
const load = () => import("@simplewebauthn/server");

/** What `navigator.credentials.create` gets: a new passkey, which verifies its user, and is none that the account has. */
export async function registrationOptions(
  app: App,
  { documentId }: ActorUser,
  page: { readonly site: Site; readonly brand: string; readonly name: string; readonly email: string },
) {
  const { generateRegistrationOptions } = await load();
  const known = await passkeysOf(app, { documentId }, page.site);
  return await generateRegistrationOptions({
    rpName: page.brand,
    rpID: page.site.name,
    userName: page.email,
    userDisplayName: page.name,
    userID: new TextEncoder().encode(documentId),
    attestationType: "none",
    excludeCredentials: known.map(descriptorOf),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

/** A new passkey as the browser made it, and what it was asked for. */
interface NewPasskey {
  readonly name: string;
  readonly response: unknown;
  readonly challenge: string;
  readonly site: Site;
}

/**
 * Keeps a new passkey.
 *
 * @throws PLINTH_ADMIN_PASSKEY_REFUSED (400), PLINTH_ADMIN_INVALID (400) for the 21st
 */
export async function addPasskey(
  app: App,
  account: ActorUser,
  { name, response, challenge, site }: NewPasskey,
): Promise<void> {
  if ((await passkeysOf(app, account)).length >= MOST)
    throw new InvalidRequestError({
      errors: [{ path: "name", message: `${MOST} passkeys are the most of an account` }],
    });
  const { credential } = await verifyNew(response, challenge, site);
  const isKnown = await app
    .documents(PASSKEY_TYPE)
    .findFirst({ filters: { credential: credential.id }, withPrivate: true });
  if (isKnown) throw new PasskeyRefusedError({ reason: "it is there already" });
  const data = {
    ...{ account: account.documentId, name, site: site.name, credential: credential.id },
    publicKey: Buffer.from(credential.publicKey).toString("base64url"),
    ...{ counter: String(credential.counter), transports: credential.transports ?? [] },
  };
  await app.documents(PASSKEY_TYPE).create({ data });
}

async function verifyNew(response: unknown, challenge: string, site: Site) {
  const { verifyRegistrationResponse } = await load();
  const verified = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.name,
    requireUserVerification: true,
  }).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PasskeyRefusedError({ reason }, { cause });
  });
  if (!verified.verified) throw new PasskeyRefusedError({ reason: "its signature is not valid" });
  return verified.registrationInfo;
}

/**
 * What `navigator.credentials.get` gets.
 *
 * @param account - whose passkeys are asked for; undefined: the browser offers those that it has, which names no account.
 */
export async function authenticationOptions(app: App, account: Pick<ActorUser, "documentId"> | undefined, site: Site) {
  const { generateAuthenticationOptions } = await load();
  const known = account ? await passkeysOf(app, account, site) : [];
  return await generateAuthenticationOptions({
    rpID: site.name,
    userVerification: "required",
    allowCredentials: known.map(descriptorOf),
  });
}

/** What a browser answered, and what it was asked. */
interface GivenPasskey {
  readonly response: unknown;
  readonly challenge: string;
  readonly site: Site;
}

/**
 * Whose passkey answered, once its signature is right. Undefined for one that is not known, whose answer is not valid, or whose account may
 * not sign in.
 */
export async function accountOfPasskey(
  app: App,
  { response, challenge, site }: GivenPasskey,
): Promise<AuthenticatedAdministrator | undefined> {
  const { id } = Object(response) as { readonly id?: unknown };
  if (typeof id !== "string") return undefined;
  const found = await app.documents(PASSKEY_TYPE).findFirst({
    ...{ filters: { credential: id, site: site.name }, withPrivate: true },
  });
  if (!found) return undefined;
  const counter = await verifyAnswer(app, found, { response, challenge, site });
  if (counter === undefined) return undefined;
  // Before its use is noted, which one that was removed meanwhile does not get to: removing it ends sign-ins by it, too.
  const documentId = String(found["account"]);
  const account = await app.documents(ADMINISTRATOR_TYPE).findOne({ documentId, withPrivate: true });
  if (account?.["isActive"] !== true || !(await noteUse(app, found, counter))) return undefined;
  return { id: account.id, documentId, sessionVersion: Number(account["sessionVersion"]) };
}

/** @returns the new counter of its signatures */
async function verifyAnswer(
  app: App,
  found: Document,
  { response, challenge, site }: GivenPasskey,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await load();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.name,
      requireUserVerification: true,
      credential: {
        ...descriptorOf(found),
        publicKey: new Uint8Array(Buffer.from(String(found["publicKey"]), "base64url")),
        counter: Number(found["counter"]),
      },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch (err) {
    // What it refuses it throws: a counter that went back, too, of which there may be a copy.
    app.log.warn({ err, account: found["account"] }, "A passkey was refused");
    return undefined;
  }
}

/** Authenticators that count never count back; many do not count, and stay at zero. False where it was used meanwhile. */
async function noteUse(app: App, { id }: Document, counter: number): Promise<boolean> {
  const text = `update "${tableOf(app)}" set counter = $2, last_used_at = $3
    where id = $1 and (counter < $2 or $2 = 0) returning id`;
  const [noted] = await app.db.query({ text, values: [id, counter, new Date(app.clock.now()).toISOString()] });
  return noted !== undefined;
}

/** The passkeys of an account, the newest first. @param site - only those that are for it */
export async function passkeysOf(
  app: App,
  { documentId }: Pick<ActorUser, "documentId">,
  site?: Site,
): Promise<readonly Document[]> {
  const filters = { account: documentId, ...(site ? { site: site.name } : {}) };
  return await app.documents(PASSKEY_TYPE).findMany({
    ...{ filters, sort: "id:desc", pagination: { limit: -1 }, withPrivate: true },
  });
}

/** A passkey as its owner sees it. */
export function viewOfPasskey(document: Document): PasskeyView {
  const { name, site, createdAt, lastUsedAt } = document as unknown as PasskeyView;
  return { id: document.documentId, name, site, createdAt, lastUsedAt };
}

const descriptorOf = (document: Document) => ({
  id: String(document["credential"]),
  transports: (document["transports"] ?? []) as Transports,
});

const tableOf = ({ model }: App): string => String(model.contentTypes.get(PASSKEY_TYPE)?.table);
