import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { PASSWORD, serveAuthApp } from "./auth-app.js";

const AT_ONCE = 200;

const median = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[times.length >> 1] ?? 0;

describe("many logins at once", () => {
  eitherDatabase(import.meta.url, (database) => {
    const served = serveAuthApp(database, { setup: { plugins: [], passwordRounds: 10 } });
    const login = (identifier: string) => served().post("/api/auth/local", { identifier, password: "wrong-password" });

    it("are answered or told to come back, and do not hold up others", async () => {
      await served().register("ada");
      const times: number[] = [];
      let isOver = false;
      const watching = (async () => {
        while (!isOver) {
          const start = performance.now();
          await served().ask("GET", "/_health");
          times.push(performance.now() - start);
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
      // A comparison takes 60 ms at the least, and there were dozens.
      expect(median(times)).to.be.lessThan(60);
      const right = await served().post("/api/auth/local", { identifier: "ada", password: PASSWORD });
      expect(right.status).to.equal(200);
    });
  });
});
