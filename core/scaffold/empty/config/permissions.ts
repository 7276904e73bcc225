import { defineConfig } from "@plinth/core";

/**
 * What roles may do, in git. `public` is everybody, `authenticated` everybody who is signed in; further roles by their
 * type. An item is an action such as `api::article.article.find`, a pattern such as `api::*.find`, or a rule:
 * `{ action, where: { author: { id: "{{user.id}}" } }, fields: ["title"] }`. `plinth permissions` lists the result.
 */
export default defineConfig({
  public: [],
  authenticated: ["plugin::users-permissions.user.me"],
});
