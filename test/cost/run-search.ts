// Searches for the most expensive request for some time: `npm run test:cost [-- --seconds 60 --seed 1]`, or in a large table for
// requests that leave no room for others: `npm run test:cost -- --rows 1000000`.
import { parseArgs } from "node:util";
import { askBeside, type Beside } from "./crowd.js";
import { growContent } from "./grow-content.js";
import { KNOWN } from "./known-requests.js";
import { Meter } from "./meter.js";
import { randomOf } from "./random.js";
import { ARTICLES } from "./sample-content.js";
import { type SampleServer, startSample } from "./sample-server.js";
import { describeFound, searchWorst } from "./search-worst.js";
import { randomSimple, SIMPLE } from "./simple-requests.js";

/** Seconds of each crowd. */
const CROWD = 10;
/** The part of the others' requests that may be refused, and how many times as long as alone half of them may take. */
const MOST_REFUSED = 0.1;
const MOST_LATE = 30;

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
    rows: { type: "string", default: "0" },
  },
});
const [seconds, seed, rows] = [Number(values.seconds), Number(values.seed), Number(values.rows)];

async function searchDearest(server: SampleServer): Promise<boolean> {
  const meter = await Meter.open(server);
  try {
    const { worst, sent } = await searchWorst(meter, { seed, seconds, known: KNOWN });
    console.log(`${sent} requests, seed ${seed}; the worst:`);
    for (const found of worst) console.log(describeFound(found));
    return worst.every(({ score }) => score <= 1);
  } finally {
    await meter.close();
  }
}

async function searchCrowds(server: SampleServer): Promise<boolean> {
  await growContent(connection, rows);
  const random = randomOf(seed);
  const { data } = (await (await fetch(`${server.url}/api/articles`)).json()) as { data: { documentId: string }[] };
  const document = `/api/articles/${data[0]?.documentId}`;
  const alone = await askBeside({ url: server.url, document, clients: 0 }, CROWD);
  console.log(`half of the requests alone in ${alone.median.toFixed(1)} ms`);
  const end = performance.now() + seconds * 1000;
  let leavesRoom = true;
  for (let count = 0; count < SIMPLE.length || performance.now() < end; count += 1) {
    const simple = SIMPLE[count] ?? randomSimple(random);
    const requests = (number: number) =>
      `/api/articles?${simple}&pagination[limit]=${1 + (number % 100)}&filters[id][$ne]=${number}`;
    const found = await askBeside({ url: server.url, document, requests }, CROWD);
    console.log(describeBeside(simple, found));
    const isLate = found.median > MOST_LATE * alone.median;
    leavesRoom &&= found.answered > 0 && !isLate && found.refused / found.asked <= MOST_REFUSED;
  }
  return leavesRoom;
}

const describeBeside = (simple: string, { asked, refused, median, crowd }: Beside): string =>
  `${refused} of ${asked} refused, half of the others in ${median.toFixed(0)} ms, beside ${simple} ${JSON.stringify(crowd)}`;

const connection = process.env["TEST_DATABASE_URL"] ?? "";
const server = await startSample({ client: "postgres", connection }, ARTICLES);
try {
  if (!(await (rows > 0 ? searchCrowds(server) : searchDearest(server)))) process.exitCode = 1;
} finally {
  await server.end();
}
