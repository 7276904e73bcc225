import { defineConfig } from "@plinth/core";

/** What every request passes, in order. Your own go in between: a name, `{ name, config }` or a function. */
export default defineConfig([
  "plinth::logger",
  "plinth::errors",
  "plinth::security",
  "plinth::cors",
  "plinth::query",
  "plinth::body",
  "plinth::router",
]);
