// A process of its own that serves the sample app with much content: its arguments are the DatabaseConfig and the ContentSize as JSON.
import { createPlinth, type DatabaseConfig, defineApp } from "@plinth/core";
import { copyTemplate, loadForTest } from "../projects.js";
import { type ContentSize, writeContent } from "./sample-content.js";

const [database, size] = process.argv.slice(2).map((text) => JSON.parse(text) as unknown);
const variables = { JWT_SECRET: "a".repeat(40), API_TOKEN_SALT: "b".repeat(40), ADMIN_JWT_SECRET: "c".repeat(40) };
const setup = await loadForTest(copyTemplate(), { variables, environment: "production" });
const fill = defineApp({ bootstrap: ({ app }) => writeContent(app, size as ContentSize) });
const plinth = createPlinth({
  ...setup,
  app: { ...setup.app, ...fill },
  config: { ...setup.config, database: database as DatabaseConfig },
});
process.once("disconnect", () => void plinth.stop());
process.send?.({ url: await plinth.start() });
