import type { PlinthApp } from "@plinth/core";
import { audit } from "@plinth/plugin-audit";
import { expect } from "chai";
import { eachDatabase } from "../databases.js";
import { makeAuditedApp } from "./audited-app.js";
import { lastingConfig } from "./fleet.js";
import { type FleetProcess, startServing } from "./fleet-process.js";

const ROUNDS = 3;
const PASSWORD = "Analytical-Engine-1";

describe("a sign-in whose process is killed once it is acknowledged", () => {
  eachDatabase((database) => {
    const config = lastingConfig(database);
    let serving: FleetProcess | undefined;
    let plinth: PlinthApp | undefined;
    after("stop all", async () => {
      await serving?.kill();
      await plinth?.stop();
    });

    it("is in the audit log", async () => {
      for (let round = 1; round <= ROUNDS; round += 1) {
        const { url, ...process } = await startServing(config, "serve-audited.ts");
        serving = process;
        const post = (path: string, body: object) =>
          fetch(`${url}/api/auth/${path}`, {
            ...{ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
          });
        const name = `ada${round}`;
        const registered = { username: name, email: `${name}@example.com`, password: PASSWORD };
        expect((await post("local/register", registered)).status).to.equal(200);
        const { status } = await post("local", { identifier: name, password: PASSWORD });
        await process.kill();
        expect(status).to.equal(200);
      }
      plinth = makeAuditedApp(config);
      await plinth.start({ listen: false });
      const { entries } = await plinth.app.service(audit).list({ action: "auth.*" });
      expect(entries.map(({ action }) => action).toReversed()).to.deep.equal(
        Array.from({ length: ROUNDS }, () => ["auth.register", "auth.sign-in"]).flat(),
      );
      expect(new Set(entries.map(({ documentId }) => documentId))).to.have.property("size", ROUNDS);
    });
  });
});
