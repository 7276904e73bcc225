import { expect } from "chai";
import { eitherDatabase, type TestDatabase } from "../../../databases.js";
import { serveGraphql } from "../serve-graphql.js";

/** A database that has one connection, for which nobody waits long. */
function scarce(database: TestDatabase): TestDatabase {
  // The first caller waits until the embedded database is open, or the server has made a connection.
  const limits = database.kind === "pglite" ? { acquireTimeout: 15_000 } : { pool: { max: 1, acquireTimeout: 2_000 } };
  return { ...database, config: () => ({ ...database.config(), ...limits }) as ReturnType<TestDatabase["config"]> };
}

const ANSWER = "Too many requests are waiting for the database. Try again later.";

// There a caller need not wait for long: the embedded database takes seconds to open.
eitherDatabase("postgres", (database) => {
  describe("an app whose database cannot be asked", () => {
    const app = serveGraphql(scarce(database));

    /** Sends a request while a transaction holds the only connection. */
    const askInVain = <T>(ask: () => Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        app()
          .plinth.app.db.transaction(() => ask().then(resolve, reject))
          .catch(reject);
      });

    it("says over REST when to come back, and nothing of the database", async () => {
      for (const headers of [{}, { origin: "https://app.example.com" }] as const) {
        const {
          status,
          headers: sent,
          body,
        } = await askInVain(() => app().request("GET", "/api/articles", { headers }));
        expect(status).to.equal(503);
        expect(Number(sent.get("retry-after"))).to.be.within(1, 3);
        expect(body.error).to.deep.equal({
          status: 503,
          name: "ServiceUnavailableError",
          message: ANSWER,
          details: {},
          code: "PLINTH_DATABASE_BUSY",
        });
      }
    });

    it("says the same over GraphQL, with 200 as for every document that is valid", async () => {
      const body = { query: "{ articles { title } }" };
      const { status, headers, body: answer } = await askInVain(() => app().request("POST", "/graphql", { body }));
      expect(status).to.equal(200);
      expect(Number(headers.get("retry-after"))).to.be.within(1, 3);
      expect(answer.errors[0].message).to.equal(ANSWER);
      expect(answer.errors[0].extensions).to.deep.equal({
        code: "STRAPI_SERVICE_UNAVAILABLE_ERROR",
        error: { name: "ServiceUnavailableError", message: ANSWER, details: {}, code: "PLINTH_DATABASE_BUSY" },
      });
    });
  });
});
