import { randomBytes } from "node:crypto";

const secret = (bytes: number): string => randomBytes(bytes).toString("hex");

/** The `.env` of a new app, with secrets that no other app has. */
export function buildEnvFile(): string {
  return `# Read at every start; a variable that is set in the environment wins.
HOST=127.0.0.1
PORT=1337
# Requests with "Authorization: Bearer <this>" may write; see config/access.ts.
PLINTH_TOKEN=${secret(24)}
# PostgreSQL instead of the embedded database:
# DATABASE_URL=postgres://user:password@127.0.0.1:5432/app
# API tokens are hashed with the first, and logins are signed with the others: keep them secret, and keep them.
API_TOKEN_SALT=${secret(32)}
ADMIN_JWT_SECRET=${secret(32)}
JWT_SECRET=${secret(32)}
`;
}
