import { definePlugin, serviceRef } from "@plinth/core";
import { users } from "@plinth/plugin-users-permissions";

interface Greetings {
  greet(name: string): string;
}

/** A service is known by its uid, wherever the plugin that makes it comes from. */
const greetings = serviceRef<Greetings>("plugin::greetings.greetings");

/** New users get a motto, and greetings are louder, for everybody who uses these services. */
export default definePlugin({
  name: "wraps-services",
  dependsOn: ["users-permissions", "greetings", "adds-attributes"],
  register({ wrap }) {
    wrap(users, (inner) => ({
      ...inner,
      create: (values) => inner.create({ motto: "New here", ...values }),
    }));
    wrap(greetings, (inner) => ({ greet: (name) => `${inner.greet(name)}!!` }));
  },
});
