import type { Actor, App, Document, SecretList } from "@plinth/core";
import { createAbility, newSessionVersion, passwordWeakness } from "@plinth/core/access";
import { hasNul } from "@plinth/core/schema";
import { reportAuth } from "@plinth/core/telemetry";
import jwt from "jsonwebtoken";
import type { TokensConfig } from "../config.js";
import { ADMINISTRATOR_TYPE } from "../content-types.js";
import type { Administrator, Administrators, AuthenticatedAdministrator } from "../contract.js";
import { InvalidTokenError, LoginRefusedError } from "../errors.js";
import { createLoginLimit } from "./login-limit.js";

/** The actor of administrators: the REST below `/admin` requires it, and it has no permissions in the content API. */
export const administrator: Actor = { kind: "admin", ability: createAbility("none") };

/** bcrypt reads no more of a password, so a longer one is never right. */
const MAX_PASSWORD_BYTES = 72;

interface Credentials {
  readonly id: string;
  readonly document_id: string;
  readonly password: string;
  readonly session_version: number;
}

/** Makes the service of administrators. */
export function createAdministrators(app: App, secrets: SecretList, config: TokensConfig): Administrators {
  const documents = app.documents(ADMINISTRATOR_TYPE);
  const sessions = createAdminSessions(app, secrets, config.sessionLife);
  const limit = createLoginLimit(app, config.loginLimit);
  const find = (email: string) => documents.findFirst({ filters: { email: email.toLowerCase() } });
  return {
    create: async (email, password) => {
      assertAllowed(email, password);
      return viewOf(await documents.create({ data: { email: email.toLowerCase(), password } }));
    },
    list: async () => (await documents.findMany({ sort: "email", pagination: { limit: -1 } })).map(viewOf),
    setPassword: async (email, password) => {
      const found = await find(email);
      if (!found) return false;
      assertAllowed(email, password);
      const data = { password, sessionVersion: newSessionVersion() };
      return (await documents.update({ documentId: found.documentId, data })) !== null;
    },
    remove: async (email) => {
      const found = await find(email);
      return found !== null && (await documents.delete({ documentId: found.documentId })).entries.length > 0;
    },
    authenticate: ({ password, ...attempt }) =>
      reportAuth(app, "admin", () =>
        limit.guard(attempt, () => checkCredentials(app, attempt.email.toLowerCase(), password)),
      ),
    confirm: async () => undefined,
    openSession: async ({ documentId, sessionVersion }) => {
      const version = sessionVersion ?? (await readCredentials(app, "document_id", documentId))?.session_version ?? 0;
      return sessions.sign({ id: documentId, version });
    },
    ofSession: (jwt) => actorOf(app, sessions, jwt),
  };
}

/** Checked here, because the schema has another limit. @throws PLINTH_TOKENS_INVALID (400) */
function assertAllowed(email: string, password: string): void {
  const message = passwordWeakness(password, { minLength: 0, allowCommon: false, names: [email] });
  if (message !== undefined) throw new InvalidTokenError({ errors: [{ path: "password", message }] });
}

async function checkCredentials(app: App, email: string, password: string): Promise<AuthenticatedAdministrator> {
  // PostgreSQL has no place for the character U+0000, so no account has a name with it.
  const known = hasNul(email) ? undefined : await readCredentials(app, "email", email);
  const isRight = await app.passwords.matches(password, known?.password);
  if (!known || !isRight || Buffer.byteLength(password) > MAX_PASSWORD_BYTES) throw new LoginRefusedError({});
  // Read together with the hash: by now there may be another password.
  return { ...userOf(known), sessionVersion: known.session_version };
}

const userOf = ({ id, document_id }: Credentials) => ({ id: Number(id), documentId: document_id });

/** Read for every request: administrators are few, and a deleted one loses access at once in every process. */
async function actorOf(app: App, sessions: AdminSessions, jwt: string): Promise<Actor | undefined> {
  const session = sessions.verify(jwt);
  if (!session) return undefined;
  const known = await readCredentials(app, "document_id", session.id);
  return known?.session_version === session.version ? { ...administrator, user: userOf(known) } : undefined;
}

/** Past the documents, which never show a password. */
async function readCredentials(
  app: App,
  column: "email" | "document_id",
  value: string,
): Promise<Credentials | undefined> {
  const table = app.model.contentTypes.get(ADMINISTRATOR_TYPE)?.table;
  const text = `select id, document_id, password, session_version from "${table}" where ${column} = $1`;
  const [found] = await app.db.query<Credentials>({ text, values: [value] });
  return found;
}

function viewOf(document: Document): Administrator {
  const { id, documentId, email, createdAt } = document as unknown as Administrator;
  return { id, documentId, email, createdAt };
}

/** Whom a session is of. */
interface AdminSession {
  /** The account's documentId; never given to another account. */
  readonly id: string;
  /** The account's session version when it was opened: a new password ends all sessions. */
  readonly version: number;
}

/** Signs and checks the sessions of administrators. */
interface AdminSessions {
  sign(session: AdminSession): string;
  /** Undefined for a token that was not signed here, not for this purpose, or has expired. */
  verify(token: string): AdminSession | undefined;
}

/** Neither a user's JWT nor that of another purpose has it. */
const AUDIENCE = "plinth-admin";
const ALGORITHM = "HS256";

/** Makes them of some secrets: the first signs. @param life - of a session, in seconds. */
function createAdminSessions({ clock }: App, secrets: SecretList, life: number): AdminSessions {
  const now = () => Math.floor(clock.now() / 1000);
  return {
    sign: ({ id, version }) =>
      jwt.sign({ iat: now(), id, v: version }, secrets[0], {
        algorithm: ALGORITHM,
        audience: AUDIENCE,
        expiresIn: life,
      }),
    verify: (token) => {
      for (const secret of secrets) {
        const payload = verify(token, secret, now());
        if (payload) return readSession(payload);
      }
      return undefined;
    },
  };
}

/** Undefined for an invalid one: its sender must not learn why it is rejected. */
function verify(token: string, secret: string, clockTimestamp: number): string | jwt.JwtPayload | undefined {
  try {
    return jwt.verify(token, secret, { algorithms: [ALGORITHM], audience: AUDIENCE, clockTimestamp });
  } catch {
    return undefined;
  }
}

function readSession(payload: string | jwt.JwtPayload): AdminSession | undefined {
  if (typeof payload === "string" || typeof payload["id"] !== "string" || typeof payload["v"] !== "number")
    return undefined;
  return { id: payload["id"], version: payload["v"] };
}
