import { expect } from "chai";
import { eachDatabase } from "../databases.js";
import { KNOWN } from "./known-requests.js";
import { Meter } from "./meter.js";
import { ARTICLES } from "./sample-content.js";
import { type SampleServer, startSample } from "./sample-server.js";
import { describeFound, searchWorst } from "./search-worst.js";

const SEED = 14;
const SECONDS = 5;
/** Other tests run at the same time, and processor caches are theirs too. */
const TOLERANCE = 1.5;

describe("The most expensive anonymous request that a search finds", () => {
  eachDatabase((database) => {
    // The embedded database is a part of node's process, and several times as slow: its limits are tested elsewhere.
    if (database.kind === "pglite") return;
    let server: SampleServer;
    before("start the sample app", async () => {
      server = await startSample(database.config(), ARTICLES);
    });
    after("stop it", () => server?.end());

    it("takes at most 1 second of processor, 64 MB of node and 256 MB of PostgreSQL, and node lives", async () => {
      const meter = await Meter.open(server);
      const { worst, sent } = await searchWorst(meter, { seed: SEED, seconds: SECONDS, known: KNOWN });
      await meter.close();
      expect(sent).to.be.at.least(KNOWN.length);
      const tooMuch = worst.filter(({ score }) => score > TOLERANCE);
      expect(tooMuch.map(describeFound)).to.deep.equal([]);
      expect(server.isAlive()).to.equal(true);
    });
  });
});
