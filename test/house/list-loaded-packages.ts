// A process of its own, on the packages as they are built: starts the sample app on the database of its argument, reads once,
// and prints the packages that this took, as JSON.
import { join } from "node:path";
import { createPlinth, type DatabaseConfig } from "@plinth/core";
import { loadForTest } from "../projects.js";
import { loadedPackages } from "./loaded-packages.mjs";

const PROJECT = join(import.meta.dirname, "..", "..", "app-template");

const setup = await loadForTest(PROJECT);
const { bootstrap: _sampleContent, ...app } = setup.app ?? {};
const database = JSON.parse(process.argv[2] ?? "") as DatabaseConfig;
const upload = { provider: "@plinth/upload-s3", providerOptions: { bucket: "pictures", region: "eu-central-1" } };
const plinth = createPlinth({
  ...setup,
  app,
  config: { ...setup.config, database },
  pluginConfigs: { ...setup.pluginConfigs, upload },
});
const url = await plinth.start();
const answer = await fetch(`${url}/api/articles?populate=*`);
if (!answer.ok) throw new TypeError(`The app answered ${answer.status}: ${await answer.text()}`);
process.stdout.write(JSON.stringify(loadedPackages()));
await plinth.stop();
