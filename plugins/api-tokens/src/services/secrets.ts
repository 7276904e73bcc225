import type { App } from "@plinth/core";
import type { TokensConfig } from "../config.js";

/** What keys are hashed with. @throws PLINTH_SECRET_MISSING (500) in production without it */
export function saltOf(app: App, { salt }: TokensConfig): string {
  return app.secrets.obtain({ name: "api-tokens.salt", configured: salt, variable: "API_TOKEN_SALT" });
}

/** What sessions of administrators are signed with. @throws PLINTH_SECRET_MISSING (500) in production without it */
export function adminSecretOf(app: App, { adminSecret }: TokensConfig): string {
  return app.secrets.obtain({
    name: "api-tokens.adminSecret",
    configured: adminSecret,
    variable: "ADMIN_JWT_SECRET",
  });
}
