import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { medianOf, timeOf } from "../../usual-time.js";
import { PASSWORD, serveAuthApp } from "./auth-app.js";

const AT_ONCE = 200;

describe("many logins at once", () => {
  eitherDatabase(import.meta.url, (database) => {
    const served = serveAuthApp(database, { setup: { plugins: [], passwordRounds: 10 } });
    const login = (identifier: string) => served().post("/api/auth/local", { identifier, password: "wrong-password" });

    it("are answered or told to come back, and do not hold up others", async () => {
      await served().register("ada");
      const usual = async (): Promise<number> => {
        const times: number[] = [];
        for (let n = 0; n < 5; n += 1) times.push(await timeOf(() => login("ada")));
        return medianOf(times);
      };
      const before = await usual();
      const times: number[] = [];
      let isOver = false;
      const watching = (async () => {
        while (!isOver) {
          times.push(await timeOf(() => served().ask("GET", "/_health")));
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      })();
      const logins = Array.from({ length: AT_ONCE }, (_, n) => login(n % 2 === 0 ? "ada" : "nobody"));
      const answers = await Promise.all(logins).finally(() => (isOver = true));
      await watching;
      const statuses = new Set(answers.map(({ status }) => status));
      expect([...statuses].sort()).to.deep.equal([400, 503]);
      for (const { status, body } of answers) {
        if (status === 503) expect(body.error.code).to.equal("PLINTH_PASSWORDS_BUSY");
      }
      // There were dozens of comparisons, and one login takes little but one of them.
      expect(medianOf(times)).to.be.lessThan(Math.max(before, await usual()));
      const right = await served().post("/api/auth/local", { identifier: "ada", password: PASSWORD });
      expect(right.status).to.equal(200);
    });
  });
});
