/** The public entry of the api-tokens plugin: the plugin itself, and its contract. */
import { definePlugin, implement, writeHooks } from "@plinth/core";
import { adminCommands } from "./commands/admin.js";
import { tokenCommands } from "./commands/token.js";
import { parseTokensConfig, type TokensConfig } from "./config.js";
import { administratorType } from "./content-types/administrator.js";
import { TOKEN_TYPE, tokenType } from "./content-types/token.js";
import { administrators, apiTokens } from "./contract.js";
import { extendSchema, graphql } from "./graphql.js";
import { ADMINISTRATORS_ONLY, createAdministratorPolicy, createAdminRoutes } from "./routes.js";
import { createAdministrators } from "./services/administrators.js";
import { CHANNEL } from "./services/known-tokens.js";
import { adminSecretOf, saltOf } from "./services/secrets.js";
import { createTokenAuthenticator, tokenAuthenticator } from "./services/token-authenticator.js";
import { createApiTokens } from "./services/tokens.js";

export type { TokensConfig } from "./config.js";
export type {
  Administrator,
  Administrators,
  ApiToken,
  ApiTokens,
  IssuedToken,
  NewToken,
  TokenPermissions,
  TokenType,
} from "./contract.js";
export { administrators, apiTokens } from "./contract.js";

/** API tokens, and the small REST for the administrators who give them out. */
export const apiTokensPlugin = definePlugin<TokensConfig>({
  name: "api-tokens",
  config: parseTokensConfig,
  contentTypes: { token: tokenType, admin: administratorType },
  commands: { ...tokenCommands, ...adminCommands },
  services: [
    implement(apiTokens, { create: (_deps, { app, config }) => createApiTokens(app, saltOf(app, config)) }),
    implement(tokenAuthenticator, { create: (_deps, { app, config }) => createTokenAuthenticator(app, config) }),
    implement(administrators, {
      create: (_deps, { app, config }) => createAdministrators(app, adminSecretOf(app, config), config.sessionLife),
    }),
  ],
  register({ app, config, extension, has, on, policy, route, strategy }) {
    if (has("graphql")) extendSchema(extension(graphql));
    strategy("token", { name: "token", authenticate: (key) => app.service(tokenAuthenticator).authenticate(key) });
    policy(ADMINISTRATORS_ONLY, createAdministratorPolicy(app));
    route("admin", createAdminRoutes(config));
    for (const { after } of [writeHooks.create, writeHooks.update, writeHooks.delete])
      on(after, () => app.db.messages.publish(CHANNEL, "changed"), { about: [TOKEN_TYPE] });
  },
  bootstrap({ service }) {
    service(administrators);
    service(apiTokens);
    service(tokenAuthenticator).open();
  },
  destroy: ({ service }) => service(tokenAuthenticator).close(),
});

export default apiTokensPlugin;
