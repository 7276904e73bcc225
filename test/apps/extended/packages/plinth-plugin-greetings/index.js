import { definePlugin, implement, serviceRef } from "@plinth/core";

/** Greets by name. */
export const greetings = serviceRef("plugin::greetings.greetings");

/** A plugin as npm has it: JavaScript. */
export default definePlugin({
  name: "greetings",
  services: [implement(greetings, { create: () => ({ greet: (name) => `Hello, ${name}` }) })],
  controllers: {
    greetings: ({ app }) => ({ greet: ({ params }) => ({ data: app.service(greetings).greet(params.name) }) }),
  },
  routes: [{ method: "GET", path: "/:name", handler: "greetings.greet", config: { auth: false } }],
});
