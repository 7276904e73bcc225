import { randomBytes } from "node:crypto";

const secret = (bytes: number): string => randomBytes(bytes).toString("hex");

/** The `.env` of a new app, with secrets that no other app has. */
export function buildEnvFile(): string {
  return envFile("# Read at every start; a variable that is set in the environment wins.", secret);
}

/** The `.env.example` of a new app: the same variables, to be committed, and copied by others who work on the app. */
export function buildEnvExample(): string {
  return envFile(
    `# Copy this file to .env, and write a secret behind each empty "=":
# node -p 'crypto.randomBytes(32).toString("hex")'`,
    () => "",
  );
}

function envFile(head: string, secretOf: (bytes: number) => string): string {
  return `${head}
HOST=127.0.0.1
PORT=1337
# Requests with "Authorization: Bearer <this>" may write; see config/access.ts.
PLINTH_TOKEN=${secretOf(24)}
# PostgreSQL instead of the embedded database:
# DATABASE_URL=postgres://user:password@127.0.0.1:5432/app
# API_TOKEN_SALT hashes API tokens, the other two sign logins. Changing one makes what was issued with it invalid.
API_TOKEN_SALT=${secretOf(32)}
ADMIN_JWT_SECRET=${secretOf(32)}
JWT_SECRET=${secretOf(32)}
`;
}
