// Plays 2,000 random sequences of writes against the model of test/model: `npm run test:model`. Ten times those of `npm test`.
process.env.PLINTH_MODEL_RUNS ??= "2000";
process.argv.push("test/model");
await import("./test.mjs");
