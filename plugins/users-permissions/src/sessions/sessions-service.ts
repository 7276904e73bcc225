import { createHmac, randomBytes } from "node:crypto";
import { type App, type Document, implement } from "@plinth/core";
import { hashSecret } from "../auth/one-time-code.js";
import type { SessionsConfig, UsersPermissionsConfig } from "../config.js";
import { SESSION } from "../content-types.js";
import { deleteExpiredSessions } from "./expired-sessions.js";
import {
  type Account,
  type Device,
  type SessionInfo,
  type Sessions,
  type SessionTokens,
  sessions,
  type Users,
  users,
} from "../contract.js";
import { secretsOf } from "../jwt/jwt.js";

const deps = { users };

/** Sessions, one document each. A refresh token is the session's document id and a secret, of which a hash is kept. */
export const sessionsImpl = implement<Sessions, typeof deps, UsersPermissionsConfig>(sessions, {
  deps,
  create: ({ users }, { app, config }) =>
    createSessions(
      { app, users, config: config.sessions, key: () => secretsOf(app, config)[0] },
      config.jwtManagement === "refresh",
    ),
});

interface SessionTools {
  readonly app: App;
  readonly users: Users;
  readonly config: SessionsConfig;
  /** What next tokens are made with. */
  readonly key: () => string;
}

const SECRET_BYTES = 32;
const TOKEN = /^([0-9a-z]{24})\.([0-9a-f]{64})$/;

function createSessions(tools: SessionTools, isEnabled: boolean): Sessions {
  const { app } = tools;
  const documents = () => app.documents(SESSION);
  return {
    isEnabled,
    start: (account, device) => startSession(tools, account, device),
    refresh: (refreshToken) => refreshSession(tools, refreshToken),
    isLive: async (sid) => (await documents().count({ filters: { documentId: sid, ...unexpired(app) } })) === 1,
    list: async (account) => {
      const found = await documents().findMany({
        ...{ filters: { ...sessionsOf(account), ...unexpired(app) }, sort: "id", withPrivate: true },
      });
      return found.map(infoOf).sort((a, b) => b.lastActiveAt.localeCompare(a.lastActiveAt));
    },
    end: async (account, sid) => {
      const found = await documents().count({
        filters: { documentId: sid, ...sessionsOf(account), ...unexpired(app) },
        withPrivate: true,
      });
      if (found > 0) await documents().delete({ documentId: sid });
      return found > 0;
    },
    endOnDevice: async (account, deviceId) => {
      const filters = { ...sessionsOf(account), deviceId: { $eq: deviceId } };
      const found = await documents().findMany({ filters, fields: ["id"], withPrivate: true });
      for (const { documentId } of found) await documents().delete({ documentId });
    },
    endByToken: (refreshToken) => endByToken(tools, refreshToken),
  };
}

/** The name that earlier versions stored for a client that did not say. */
const UNKNOWN = "Unknown device";

function infoOf({ documentId: id, deviceId, deviceName, loginAt, rotatedAt }: Document): SessionInfo {
  return {
    id,
    deviceId: typeof deviceId === "string" ? deviceId : null,
    ...(typeof deviceName === "string" && deviceName !== UNKNOWN ? { deviceName } : {}),
    loginAt: String(loginAt),
    lastActiveAt: String(rotatedAt ?? loginAt),
  };
}

/** The sessions of a user that no end of all sessions has reached. */
function sessionsOf({ id, sessionVersion }: Account): Readonly<Record<string, unknown>> {
  return { user: { id: { $eq: id } }, version: { $eq: sessionVersion } };
}

function unexpired({ clock }: App): Readonly<Record<string, unknown>> {
  return { expiresAt: { $gt: new Date(clock.now()).toISOString() } };
}

async function startSession(tools: SessionTools, account: Account, device: Device): Promise<SessionTokens> {
  const { app, config } = tools;
  const now = app.clock.now();
  // Where there are jobs, one of them does.
  if (!app.has("jobs")) await deleteExpiredSessions(app);
  const secret = createSecret();
  const maxExpiresAt = new Date(now + config.maxLifespan * 1000);
  const expiresAt = nextEnd(tools, maxExpiresAt);
  const { documentId: sid } = await app.documents(SESSION).create({
    data: {
      user: account.documentId,
      tokenHash: hashSecret(secret),
      version: account.sessionVersion,
      deviceId: device.id ?? null,
      deviceName: device.name ?? null,
      loginAt: new Date(now).toISOString(),
      expiresAt: expiresAt.toISOString(),
      maxExpiresAt: maxExpiresAt.toISOString(),
    },
  });
  return { sid, refreshToken: `${sid}.${secret}`, expiresAt };
}

async function refreshSession(tools: SessionTools, refreshToken: string): ReturnType<Sessions["refresh"]> {
  const [, sid, secret] = TOKEN.exec(refreshToken) ?? [];
  if (sid === undefined || secret === undefined) return undefined;
  const session = await tools.app
    .documents(SESSION)
    .findOne({ documentId: sid, populate: { user: { fields: ["id"] } }, withPrivate: true });
  if (!session) return undefined;
  const account = await ownerOf(tools, session);
  const tokens = account && ((await rotate(tools, session, secret)) ?? (await repeat(tools, sid, secret)));
  if (account && tokens) return { account, tokens };
  await tools.app.documents(SESSION).delete({ documentId: sid });
  return undefined;
}

async function endByToken(tools: SessionTools, refreshToken: string): Promise<Account | undefined> {
  const [, sid, secret] = TOKEN.exec(refreshToken) ?? [];
  if (sid === undefined || secret === undefined) return undefined;
  const documents = tools.app.documents(SESSION);
  const session = await documents.findOne({
    documentId: sid,
    populate: { user: { fields: ["id"] } },
    withPrivate: true,
  });
  if (!session || ![session["tokenHash"], session["previousHash"]].includes(hashSecret(secret))) return undefined;
  await documents.delete({ documentId: sid });
  const user = session["user"] as Document | null;
  return user ? await tools.users.findById(user.id) : undefined;
}

/** The user of a session; undefined when it has expired. */
async function ownerOf({ app, users }: SessionTools, session: Document): Promise<Account | undefined> {
  const user = session["user"] as Document | null;
  const account = user ? await users.findById(user.id) : undefined;
  const isOver = Date.parse(String(session["expiresAt"])) <= app.clock.now();
  if (!account || isOver || account.blocked || account.sessionVersion !== session["version"]) return undefined;
  return account;
}

/**
 * Replaces the secret of a session in one statement, so of several requests with one token one does it. Undefined when
 * the secret is not the one that is valid now.
 */
async function rotate(tools: SessionTools, session: Document, secret: string): Promise<SessionTokens | undefined> {
  const { documentId: sid } = session;
  const next = nextSecret(tools, sid, secret);
  const expiresAt = nextEnd(tools, new Date(String(session["maxExpiresAt"])));
  const text = `update ${tableOf(tools)} set token_hash = $1, previous_hash = $2, rotated_at = $3, expires_at = $4
    where document_id = $5 and token_hash = $2 returning id`;
  const values = [hashSecret(next), hashSecret(secret), new Date(tools.app.clock.now()), expiresAt, sid];
  const changed = await tools.app.db.query({ text, values, isPlan: true });
  return changed.length === 1 ? { sid, refreshToken: `${sid}.${next}`, expiresAt } : undefined;
}

/**
 * The tokens that the last refresh gave, for a token that was traded in a moment ago. Undefined for one that was traded in
 * earlier, or is not the one before.
 *
 * @source RFC 9700, 4.14.2, reuse ends the session
 * @source plugins/content-api/WIRE.md#sessions, the window is for clients that refresh in parallel
 */
async function repeat(tools: SessionTools, sid: string, secret: string): Promise<SessionTokens | undefined> {
  const text = `select expires_at from ${tableOf(tools)}
    where document_id = $1 and previous_hash = $2 and token_hash = $3 and rotated_at > $4`;
  const next = nextSecret(tools, sid, secret);
  const since = new Date(tools.app.clock.now() - tools.config.reuseWindow * 1000);
  const values = [sid, hashSecret(secret), hashSecret(next), since];
  const [found] = await tools.app.db.query<{ expires_at: string }>({ text, values, isPlan: true });
  return found && { sid, refreshToken: `${sid}.${next}`, expiresAt: new Date(found.expires_at) };
}

/**
 * Made of the secret before it and of the server's own, so that only the server can compute it, and compute it again.
 */
function nextSecret({ key }: SessionTools, sid: string, secret: string): string {
  return createHmac("sha256", key()).update(`refresh token after ${sid}.${secret}`).digest("hex");
}

const tableOf = ({ app }: SessionTools): string => `"${app.model.contentTypes.get(SESSION)?.table}"`;

function nextEnd({ app, config: { idleLifespan } }: SessionTools, max: Date): Date {
  return new Date(Math.min(app.clock.now() + idleLifespan * 1000, max.getTime()));
}

function createSecret(): string {
  return randomBytes(SECRET_BYTES).toString("hex");
}
