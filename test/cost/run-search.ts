// Searches for the most expensive request for some time: `npm run test:cost [-- --seconds 60 --seed 1]`.
import { parseArgs } from "node:util";
import { KNOWN } from "./known-requests.js";
import { Meter } from "./meter.js";
import { ARTICLES } from "./sample-content.js";
import { startSample } from "./sample-server.js";
import { describeFound, searchWorst } from "./search-worst.js";

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "60" }, seed: { type: "string", default: "1" } },
});
const connection = process.env["TEST_DATABASE_URL"] ?? "";
const server = await startSample({ client: "postgres", connection }, ARTICLES);
const meter = await Meter.open(server);
try {
  const options = { seconds: Number(values.seconds), seed: Number(values.seed), known: KNOWN };
  const { worst, sent } = await searchWorst(meter, options);
  console.log(`${sent} requests, seed ${options.seed}; the worst:`);
  for (const found of worst) console.log(describeFound(found));
  if (worst.some(({ score }) => score > 1)) process.exitCode = 1;
} finally {
  await meter.close();
  await server.end();
}
