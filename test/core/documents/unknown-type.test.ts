import { createPlinth } from "@plinth/core";
import { expect } from "chai";
import { pino } from "pino";
import { thrownBy } from "../kernel/thrown-by.js";

describe("documents of a content-type that does not exist", () => {
  it("are refused with the uid that was meant", async () => {
    const plinth = createPlinth({
      root: "/",
      plugins: [],
      log: pino({ level: "silent" }),
      config: { database: { client: "pglite", directory: ":memory:" } },
      app: {
        contentTypes: {
          "api::article.article": {
            kind: "collectionType",
            info: { singularName: "article", pluralName: "articles", displayName: "Article" },
            attributes: { title: { type: "string" } },
          },
        },
      },
    });
    await plinth.start({ listen: false });
    try {
      const error = await thrownBy(() => plinth.app.documents("api::articel.article"));
      expect(error.code).to.equal("PLINTH_DOCUMENT_UNKNOWN_TYPE");
      expect(error.message).to.contain(
        'There is no content-type "api::articel.article". Did you mean "api::article.article"?',
      );
    } finally {
      await plinth.stop();
    }
  });
});
