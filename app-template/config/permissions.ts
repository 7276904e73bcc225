import { defineConfig } from "@plinth/core";

/**
 * What roles may do, in git. `public` is every request, `authenticated` every signed-in user; further roles by their type.
 * An item is an action, a pattern, or a rule: `{ action, where: { author: { id: "{{user.id}}" } }, fields: ["title"] }`.
 * `plinth permissions` lists the outcome.
 */
const reading = ["api::*.find", "api::*.findOne"];

export default defineConfig({
  public: reading,
  authenticated: [...reading, "plugin::users-permissions.user.me"],
});
