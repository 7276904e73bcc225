import { implement } from "@plinth/core";
import type { UsersPermissionsConfig } from "../config.js";
import { type Auth, auth, jwt, mailer, sessions, users } from "../contract.js";
import { createAfterwards } from "./background-tasks.js";
import { type AuthTools, signIn } from "./auth-tools.js";
import { changePassword } from "./change-password.js";
import { confirmEmail, mailConfirmation, sendConfirmation, tellAddressChange } from "./email-confirmation.js";
import { login } from "./login.js";
import { register } from "./register.js";
import { forgotPassword, resetPassword } from "./reset-password.js";

const deps = { users, jwt, sessions, mailer };

/** Authentication, for REST and other transports. */
export const authImpl = implement<Auth, typeof deps, UsersPermissionsConfig>(auth, {
  deps,
  create: (services, { app, config }) => createAuth({ ...services, app, config, afterwards: createAfterwards(app) }),
});

function createAuth(tools: AuthTools): Auth {
  return {
    login: async (input, device) => signIn(tools, await login(tools, input), device),
    register: async (input, device) => {
      const account = await register(tools, input);
      if (account.confirmed) return signIn(tools, account, device);
      mailConfirmation(tools, account);
      return { user: await tools.users.describe(account.id) };
    },
    changePassword: async (account, input, device) =>
      signIn(tools, await changePassword(tools, account, input), device),
    forgotPassword: async (input) => forgotPassword(tools, input),
    resetPassword: async (input, device) => signIn(tools, await resetPassword(tools, input), device),
    sendConfirmation: (input) => sendConfirmation(tools, input),
    confirmEmail: (input) => confirmEmail(tools, input),
    addressChanged: (change) => tellAddressChange(tools, change),
    settle: () => tools.afterwards.settle(),
  };
}
