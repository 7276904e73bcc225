import { expect } from "chai";
import { serveCorpusApp } from "../../corpus-app.js";
import { seedCorpusApp, type Written } from "../../corpus-content.js";
import { eachDatabase } from "../../databases.js";

const READERS = 60;
const CHANGES = 30;

eachDatabase((database) => {
  describe(`A page that many ask for at once, on ${database.kind}`, () => {
    const app = serveCorpusApp(database);
    const content = seedCorpusApp(app);
    const path = "/api/articles?populate=author&sort=title";

    it("is the same for everybody, and is read fewer times than it is asked for", async () => {
      const { db } = app().plinth.app;
      const alone = await app().request("GET", path);
      const before = db.statementCount;
      const answers = await Promise.all(Array.from({ length: READERS }, () => app().request("GET", path)));
      for (const { status, body } of answers) expect({ status, body }).to.deep.equal({ status: 200, body: alone.body });
      // PGlite runs in this very thread: each statement is answered before the next request is read.
      expect(db.statementCount - before).to.be.within(1, database.kind === "postgres" ? READERS / 2 : READERS);
    });

    it("shows a change to whoever asks after it was answered, while others keep asking", async () => {
      const [{ documentId }] = Object.values(content().articles) as [Written];
      const one = `/api/articles/${documentId}`;
      let isOver = false;
      const crowd = Array.from({ length: 8 }, async () => {
        while (!isOver) await Promise.all([app().request("GET", one), app().request("GET", path)]);
      });
      for (let turn = 0; turn < CHANGES; turn += 1) {
        const title = `Changed ${turn} times`;
        expect((await app().request("PUT", one, { body: { data: { title } } })).status).to.equal(200);
        expect((await app().request("GET", one)).body.data.title).to.equal(title);
        const listed = (await app().request("GET", path)).body.data as { documentId: string; title: string }[];
        expect(listed.find((article) => article.documentId === documentId)?.title).to.equal(title);
      }
      isOver = true;
      await Promise.all(crowd);
    });
  });
});
