import { defineConfig } from "@plinth/core";

/** The locales that the first start makes; afterwards administrators change them. What is not in French comes in English. */
export default defineConfig({
  defaultLocale: "en",
  locales: ["en", { code: "fr", fallback: ["en"] }],
});
