import { connectDatabase, createPlinth, isPlinthError } from "@plinth/core";
import { expect } from "chai";
import { eachDatabase } from "../databases.js";
import { fetchData, lastingConfig, loadFleet } from "./fleet.js";
import { startProcess, startServing } from "./fleet-process.js";

describe("two processes on one database", () => {
  eachDatabase((database) => {
    const config = lastingConfig(database);

    if (database.kind === "postgres") {
      it("that is empty may start at once: both come up and see each other's content", async () => {
        const [one, other] = await Promise.all([startServing(config), startServing(config)]);
        try {
          const car = await fetchData(one.url, "POST", "/api/cars", { plate: "B 1" });
          const seen = await fetchData(other.url, "GET", `/api/cars/${car.documentId}`);
          expect(seen).to.deep.include({ plate: "B 1" });
        } finally {
          await Promise.all([one.end(), other.end()]);
        }
      });

      it("may make its schema at once: all connections come up", async () => {
        const rounds = Array.from({ length: 10 }, (_, round) => ({ ...config, schema: `made_at_once_${round}` }));
        for (const round of rounds) {
          const opened = await Promise.all(Array.from({ length: 6 }, () => connectDatabase(round)));
          await Promise.all(opened.map((db) => db.close()));
        }
      });
      return;
    }

    it("of the embedded kind: the second is refused, until the first has ended or was killed", async () => {
      const first = await startServing(config);
      const car = await fetchData(first.url, "POST", "/api/cars", { plate: "B 1" });
      const second = await startProcess(config);
      expect(second.said).to.deep.equal({ failed: "PLINTH_DATABASE_LOCKED" });
      await second.end();
      expect((await fetchData(first.url, "GET", `/api/cars/${car.documentId}`))["plate"]).to.equal("B 1");
      await first.kill();
      const third = await startServing(config);
      expect((await fetchData(third.url, "GET", `/api/cars/${car.documentId}`))["plate"]).to.equal("B 1");
      await third.end();
    });

    it("of the embedded kind: a second app in the same process is refused as well", async () => {
      const first = createPlinth(await loadFleet(config));
      await first.start();
      const refused = await createPlinth(await loadFleet(config))
        .start()
        .then(
          () => undefined,
          (error: unknown) => error,
        );
      expect(isPlinthError(refused) && refused.code).to.equal("PLINTH_DATABASE_LOCKED");
      await first.stop();
      const next = createPlinth(await loadFleet(config));
      await next.start();
      await next.stop();
    });
  });
});
