import type { Actor, App, Document } from "@plinth/core";
import { passwordWeakness } from "@plinth/core/access";
import { ADMINISTRATOR_TYPE } from "../content-types/administrator.js";
import type { Administrator, Administrators } from "../contract.js";
import { InvalidTokenError, LoginRefusedError } from "../errors.js";
import { administrator } from "./admin-actor.js";
import { type AdminSessions, createAdminSessions } from "./admin-sessions.js";

/** bcrypt reads no more of a password, so a longer one is never right. */
const MAX_PASSWORD_BYTES = 72;

interface Credentials {
  readonly document_id: string;
  readonly password: string;
  readonly session_version: number;
}

/** Makes the service of administrators. */
export function createAdministrators(app: App, secret: string, sessionLife: number): Administrators {
  const documents = app.documents(ADMINISTRATOR_TYPE);
  const sessions = createAdminSessions(secret, sessionLife);
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
      const sessionVersion = Number(found["sessionVersion"]) + 1;
      return (await documents.update({ documentId: found.documentId, data: { password, sessionVersion } })) !== null;
    },
    remove: async (email) => {
      const found = await find(email);
      return found !== null && (await documents.delete({ documentId: found.documentId })).entries.length > 0;
    },
    login: (email, password) => login(app, sessions, email.toLowerCase(), password),
    ofSession: (jwt) => actorOf(app, sessions, jwt),
  };
}

/** Checked here, because the schema has another limit. @throws PLINTH_TOKENS_INVALID (400) */
function assertAllowed(email: string, password: string): void {
  const message = passwordWeakness(password, { minLength: 0, allowCommon: false, names: [email] });
  if (message !== undefined) throw new InvalidTokenError({ errors: [{ path: "password", message }] });
}

async function login(app: App, sessions: AdminSessions, email: string, password: string): Promise<string> {
  const known = await readCredentials(app, "email", email);
  const isRight = await app.passwords.matches(password, known?.password);
  if (!known || !isRight || Buffer.byteLength(password) > MAX_PASSWORD_BYTES) throw new LoginRefusedError({});
  return sessions.sign({ id: known.document_id, version: known.session_version });
}

/** Read for every request: administrators are few, and a deleted one loses access at once in every process. */
async function actorOf(app: App, sessions: AdminSessions, jwt: string): Promise<Actor | undefined> {
  const session = sessions.verify(jwt);
  if (!session) return undefined;
  const known = await readCredentials(app, "document_id", session.id);
  return known?.session_version === session.version ? administrator : undefined;
}

/** Past the documents, which never show a password. */
async function readCredentials(
  app: App,
  column: "email" | "document_id",
  value: string,
): Promise<Credentials | undefined> {
  const table = app.model.contentTypes.get(ADMINISTRATOR_TYPE)?.table;
  const text = `select document_id, password, session_version from "${table}" where ${column} = $1`;
  const [found] = await app.db.query<Credentials>({ text, values: [value] });
  return found;
}

function viewOf(document: Document): Administrator {
  const { id, documentId, email, createdAt } = document as unknown as Administrator;
  return { id, documentId, email, createdAt };
}
