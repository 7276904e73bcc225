// A process of its own that does what is planned: its one argument is the DatabaseConfig as JSON.
import { createPlinth, type DatabaseConfig } from "@plinth/core";
import { faultSetup } from "./fault-app.js";

const plinth = createPlinth(faultSetup(JSON.parse(process.argv[2] ?? "") as DatabaseConfig));
process.once("disconnect", () => void plinth.stop());
await plinth.start({ listen: false, works: true });
process.send?.("works");
