import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { DatabaseUnreachableError, TooManyConnectionsError } from "#core/database/errors.js";
import { openRoute, startServer, stopServers } from "./start-server.js";

describe("requests that fail because of the database", () => {
  after(stopServers);

  it("tell the public neither address nor reason, and are logged once a second for each kind, with a count", async () => {
    const details = { where: "10.0.0.7:5432/blog", reason: "password authentication failed" };
    const errors = [new DatabaseUnreachableError(details), new TooManyConnectionsError(details)];
    let count = 0;
    const { request, log } = await startServer({
      routes: [
        openRoute("GET", "/articles", () => {
          count += 1;
          throw errors[count % 2] as Error;
        }),
      ],
    });
    for (let i = 0; i < 20; i += 1) {
      const answer = await request("/api/articles");
      expect(answer.status).to.equal(503);
      expect(Number(answer.headers.get("retry-after"))).to.be.within(1, 3);
      expect(await answer.text()).to.not.match(/10\.0\.0\.7|password|5432/);
    }
    const failed = () => log.filter(({ level }) => level === 50);
    const told = () => failed().reduce((sum, { count }) => sum + Number(count ?? 1), 0);
    while (told() < 20) await sleep(20);
    const [one, other, ...counts] = failed();
    expect([one, other].map((line) => (line?.["err"] as { readonly code: string } | undefined)?.code)).to.have.members([
      "PLINTH_DATABASE_UNREACHABLE",
      "PLINTH_DATABASE_TOO_MANY_CONNECTIONS",
    ]);
    expect(JSON.stringify(one)).to.include(details.where).and.to.include(details.reason);
    expect(told()).to.equal(20);
    // One of each kind, however many seconds the requests took.
    expect(counts.filter((line) => line["count"] === undefined)).to.deep.equal([]);
    expect(counts.length).to.be.within(2, 9);
  });
});
