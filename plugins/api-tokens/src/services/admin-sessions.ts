import jwt from "jsonwebtoken";

/** Whom a session is of. */
export interface AdminSession {
  /** The account's documentId; never given to another account. */
  readonly id: string;
  /** The account's session version when it was opened: a new password ends all sessions. */
  readonly version: number;
}

/** Signs and checks the sessions of administrators. */
export interface AdminSessions {
  sign(session: AdminSession): string;
  /** Undefined for a token that was not signed here, not for this purpose, or has expired. */
  verify(token: string): AdminSession | undefined;
}

/** Neither a user's JWT nor that of another purpose has it. */
const AUDIENCE = "plinth-admin";
const ALGORITHM = "HS256";

/** Makes them of a secret. @param life - of a session, in seconds. */
export function createAdminSessions(secret: string, life: number): AdminSessions {
  return {
    sign: ({ id, version }) =>
      jwt.sign({ id, v: version }, secret, { algorithm: ALGORITHM, audience: AUDIENCE, expiresIn: life }),
    verify: (token) => {
      try {
        return readSession(jwt.verify(token, secret, { algorithms: [ALGORITHM], audience: AUDIENCE }));
      } catch {
        // The sender must not learn why it is rejected.
        return undefined;
      }
    },
  };
}

function readSession(payload: string | jwt.JwtPayload): AdminSession | undefined {
  if (typeof payload === "string" || typeof payload["id"] !== "string" || typeof payload["v"] !== "number")
    return undefined;
  return { id: payload["id"], version: payload["v"] };
}
