// Loaded first by processes of tests that run what is built: it imports the packages before TypeScript is understood.
// From then on node asks a loader in another thread for every file, which doubles the processor time of a start.
import { register } from "tsx/esm/api";

await import("@plinth/core");
await import("@plinth/plugin-content-api");
register();
