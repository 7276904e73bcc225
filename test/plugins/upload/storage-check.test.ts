import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { serveUploads } from "./serve-uploads.js";
import { askHealth, doctorOn, untilHealth } from "./ask-health.js";

describe("the health of a storage on this machine", () => {
  eitherDatabase("pglite", (database) => {
    // One will do: it waits for 15 s, twice.
    if (database.kind === "postgres") return;
    const uploads = serveUploads(database, { server: { management: 0 } });
    const tooLarge = serveUploads(database, { server: { management: 0 }, upload: { sizeLimit: 1e15 } });

    it("is ok before the first file", async () => {
      const { plinth } = uploads();
      expect((await askHealth(plinth, "storage")).found).to.include({ status: "ok" });
      expect(await doctorOn(plinth, "storage")).to.equal(undefined);
    });

    it("is degraded where nothing can be written, which keeps the process ready, and else says what room there is", async () => {
      const { plinth, directory, url } = uploads();
      rmSync(directory, { recursive: true, force: true });
      mkdirSync(dirname(directory), { recursive: true });
      // Whoever runs the tests could write to a folder that is read-only.
      writeFileSync(directory, "not a folder");
      const late = await untilHealth(plinth, "storage", "degraded");
      const { code, status, found } = await askHealth(plinth, "storage");
      expect([code, status]).to.deep.equal([200, "degraded"]);
      expect(found?.reason).to.include("ENOTDIR");
      expect((await fetch(`${url}/health/ready`)).status).to.equal(200);
      expect(await doctorOn(plinth, "storage")).to.include({ weight: "error", what: found?.reason });
      rmSync(directory);
      const back = await untilHealth(plinth, "storage", "ok");
      expect((await askHealth(plinth, "storage")).found).to.have.keys("status", "provider", "free");
      console.log(
        `[fleet] storage of this machine: degraded ${late.toFixed(1)} s after it is gone, ok ${back.toFixed(1)} s after it is back`,
      );
      expect(Math.max(late, back), "it looks every 15 s").to.be.lessThan(20);
    });

    it("is degraded where there is no room for one file", async () => {
      const { plinth } = tooLarge();
      await untilHealth(plinth, "storage", "degraded");
      expect((await askHealth(plinth, "storage")).found?.reason).to.match(
        /^there is room for \d+ bytes, and one file may have 1000000000000000 /,
      );
      expect(await doctorOn(plinth, "storage")).to.include({ weight: "warning" });
    });
  });
});
