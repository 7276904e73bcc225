/** The public entry of the api-tokens plugin: the plugin itself, and its contract. */
import { definePlugin, implement, resolveActor, writeHooks } from "@plinth/core";
import { adminCommands } from "./commands/admin.js";
import { tokenCommands } from "./commands/token.js";
import { adminSecretsOf, parseTokensConfig, saltsOf, type TokensConfig } from "./config.js";
import { administratorType, extendSchema, graphql, TOKEN_TYPE, tokenType } from "./content-types.js";
import { administrators, apiTokens } from "./contract.js";
import { ADMINISTRATORS_ONLY, adminRoutes, createAdministratorPolicy } from "./routes.js";
import { createAdministrators } from "./services/administrators.js";
import { CHANNEL } from "./services/known-tokens.js";
import { createTokenAuthenticator, tokenAuthenticator } from "./services/token-authenticator.js";
import { createApiTokens } from "./services/tokens.js";

export type { TokensConfig } from "./config.js";
export * from "./contract.js";
export { adminSecretsOf } from "./config.js";
export { LoginRefusedError } from "./errors.js";
export type { AdministratorAct } from "./services/tell-administrator.js";
export { tellAdministrator } from "./services/tell-administrator.js";

/** API tokens, and the small REST for the administrators who give them out. */
export const apiTokensPlugin = definePlugin<TokensConfig>({
  name: "api-tokens",
  config: parseTokensConfig,
  contentTypes: { token: tokenType, admin: administratorType },
  commands: { ...tokenCommands, ...adminCommands },
  services: [
    implement(apiTokens, { create: (_deps, { app, config }) => createApiTokens(app, saltsOf(app, config)[0]) }),
    implement(tokenAuthenticator, { create: (_deps, { app, config }) => createTokenAuthenticator(app, config) }),
    implement(administrators, {
      create: (_deps, { app, config }) => createAdministrators(app, adminSecretsOf(app, config), config),
    }),
  ],
  register({ app, extension, has, on, policy, route, strategy }) {
    if (has("graphql")) extendSchema(extension(graphql));
    strategy("token", { name: "token", authenticate: (key) => app.service(tokenAuthenticator).authenticate(key) });
    on(resolveActor, ({ kind, id }) =>
      kind === "token" && id !== undefined ? app.service(tokenAuthenticator).recall(id) : undefined,
    );
    policy(ADMINISTRATORS_ONLY, createAdministratorPolicy(app));
    route("admin", adminRoutes);
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
