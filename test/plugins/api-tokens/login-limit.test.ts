import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { ADMIN_SECRET, SALT, startTokenApp, type TokenApp } from "./serve-tokens.js";

const LIMIT = 6;

eitherDatabase("postgres", (database) => {
  if (database.kind !== "postgres") return;

  describe("sign-ins of administrators in two processes", () => {
    const apps: TokenApp[] = [];
    before("start both", async () => {
      const config = { salt: SALT, adminSecret: ADMIN_SECRET, loginLimit: LIMIT };
      for (let n = 0; n < 2; n++) apps.push(await startTokenApp(database, { pluginConfigs: { "api-tokens": config } }));
    });
    after("stop both", () => Promise.all(apps.map(({ plinth }) => plinth.stop())));

    it("count together: each process lets through what the other has left", async () => {
      const statuses: number[] = [];
      for (let n = 0; n < LIMIT + 4; n++) {
        const body = { email: `nobody-${n}@example.com`, password: "a wrong password" };
        const answer = await apps[n % 2]?.ask("POST", "/admin/login", "", body);
        statuses.push(Number(answer?.status));
      }
      expect(statuses.filter((status) => status === 429)).to.have.length(4);
      expect(statuses.slice(LIMIT)).to.deep.equal([429, 429, 429, 429]);
    });
  });
});
