import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { hashAccessKey } from "#plugins/api-tokens/src/services/access-key.js";
import { KnownTokens } from "#plugins/api-tokens/src/services/known-tokens.js";
import { eitherDatabase } from "../../databases.js";
import { SALT, serveTokens } from "./serve-tokens.js";

eitherDatabase(import.meta.url, (database) => {
  describe("API tokens that were read", () => {
    const served = serveTokens(database);

    it("are kept as far as their bytes allow, and those that were not used for longest go first", async () => {
      const { app } = served().plinth;
      while (!app.db.messages.isListening) await sleep(10);
      const rule = { action: "api::note.note.find", where: { title: { $in: Array(100).fill("a long title") } } };
      const issued = [1, 2, 3].map((i) =>
        served().tokens.create({ name: `kept ${i}`, type: "custom", permissions: [rule] }),
      );
      const hashes = (await Promise.all(issued)).map(({ accessKey }) => hashAccessKey(SALT, accessKey));
      const statementsFor = async (known: KnownTokens, ...places: readonly number[]) => {
        const before = app.db.statementCount;
        for (const place of places) await known.find(hashes[place] ?? "");
        return app.db.statementCount - before;
      };
      const all = new KnownTokens(app);
      expect(await statementsFor(all, 0, 1, 2)).to.equal(3);
      expect(await statementsFor(all, 0, 1, 2)).to.equal(0);
      // One takes 500 bytes and four for each character of its rule, of which there are some 1,500.
      const two = new KnownTokens(app, 15_000);
      expect(await statementsFor(two, 0, 1, 2)).to.equal(3);
      expect(await statementsFor(two, 1, 2)).to.equal(0);
      expect(await statementsFor(two, 0)).to.equal(1);
    });
  });
});
