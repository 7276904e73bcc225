import type { PlinthApp } from "@plinth/core";
import type { TestDatabase } from "../databases.js";
import { copyTemplate, loadForTest, startForTest } from "../projects.js";

/** Whoever bears it may do everything. */
export const TOKEN = "a-token-for-clients";

/** Who registers may write articles and files; else it is the sample app as it comes. */
const PERMISSIONS = `import { defineConfig } from "@plinth/core";

const reading = ["api::*.find", "api::*.findOne", "plugin::upload.content-api.find*"];

export default defineConfig({
  public: reading,
  authenticated: [
    ...reading,
    "plugin::users-permissions.user.me",
    "plugin::users-permissions.auth.changePassword",
    ...["create", "update", "delete"].map((action) => \`api::article.article.\${action}\`),
    "plugin::upload.content-api.upload",
  ],
});
`;

/** A running sample app. */
export interface SampleApp {
  readonly plinth: PlinthApp;
  /** Such as `http://127.0.0.1:4711`. */
  readonly url: string;
}

/** Starts a copy of the sample app, with its content; stopped after the suite. */
export function serveSampleApp(database: TestDatabase): () => SampleApp {
  let served: SampleApp | undefined;
  before("start the sample app", async () => {
    const root = copyTemplate({ "config/permissions.ts": PERMISSIONS });
    const setup = await loadForTest(root, { variables: { PLINTH_TOKEN: TOKEN } });
    served = await startForTest({ ...setup, config: { ...setup.config, database: database.config() } });
  });
  after("stop the sample app", () => served?.plinth.stop());
  return () => {
    if (!served) throw new TypeError("The sample app has not started.");
    return served;
  };
}

/** The start of a picture, of one pixel. */
export const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
