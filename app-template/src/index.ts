import { defineApp } from "@plinth/core";
import { writeSampleContent } from "./sample-content.js";

export default defineApp({
  async bootstrap({ app }) {
    await writeSampleContent(app);
  },
});
