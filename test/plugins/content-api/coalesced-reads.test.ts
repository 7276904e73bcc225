import { expect } from "chai";
import { serveCorpusApp } from "../../corpus-app.js";
import { seedCorpusApp, type Written } from "../../corpus-content.js";
import { eitherDatabase } from "../../databases.js";

const READERS = 60;
const CHANGES = 30;

eitherDatabase(import.meta.url, (database) => {
  describe(`A page that many ask for at once, on ${database.kind}`, () => {
    const app = serveCorpusApp(database);
    const content = seedCorpusApp(app);
    const path = "/api/articles?populate=author&sort=title";

    it("is the same for everybody, and is read three times at most: by two who ask first, and for all who ask meanwhile", async () => {
      const { auth, db } = app().plinth.app;
      const alone = await app().request("GET", path);
      const { authenticate } = auth;
      const { query } = db;
      let asking = 0;
      let sent = 0;
      let letGo: () => void = () => undefined;
      const allAsk = new Promise<void>((done) => {
        letGo = done;
      });
      Object.assign(auth, {
        authenticate: (authorization: string | undefined) => {
          asking += 1;
          if (asking === READERS) setTimeout(letGo, 50);
          return authenticate(authorization);
        },
      });
      db.query = async (statement) => {
        sent += 1;
        await allAsk;
        return (await query.call(db, statement)) as never;
      };
      const answers = await Promise.all(Array.from({ length: READERS }, () => app().request("GET", path)));
      Object.assign(auth, { authenticate });
      db.query = query;
      for (const { status, body } of answers) expect({ status, body }).to.deep.equal({ status: 200, body: alone.body });
      expect(sent).to.equal(3);
    });

    it("shows a change to every request that starts after it was answered, while others continue", async () => {
      const [{ documentId }] = Object.values(content().articles) as [Written];
      const one = `/api/articles/${documentId}`;
      let isOver = false;
      const crowd = Array.from({ length: 8 }, async () => {
        while (!isOver) await Promise.all([app().request("GET", one), app().request("GET", path)]);
      });
      try {
        for (let turn = 0; turn < CHANGES; turn += 1) {
          const title = `Changed ${turn} times`;
          expect((await app().request("PUT", one, { body: { data: { title } } })).status).to.equal(200);
          expect((await app().request("GET", one)).body.data.title).to.equal(title);
          const listed = (await app().request("GET", path)).body.data as { documentId: string; title: string }[];
          expect(listed.find((article) => article.documentId === documentId)?.title).to.equal(title);
        }
      } finally {
        isOver = true;
      }
      await Promise.all(crowd);
    });
  });
});
