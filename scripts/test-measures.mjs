// Runs what measures memory and speed of this machine, without other tests beside it: `npm run test:measures [-- file ... --grep text]`.
const MEASURES = "test/**/*.measure.ts";
const hasFile = process.argv.slice(2).some((arg) => arg.endsWith(".ts"));
if (!hasFile) process.argv.splice(2, 0, MEASURES);
await import("./test.mjs");
