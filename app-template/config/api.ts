import { defineConfig } from "@plinth/core";

export default defineConfig({
  rest: { prefix: "/api", defaultLimit: 25, maxLimit: 100 },
});
