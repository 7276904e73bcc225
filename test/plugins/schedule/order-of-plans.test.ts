// When a document is published, and when it is taken back: in which order and how far apart.
import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { ARTICLE, later, serveNewsroom } from "./newsroom-app.js";

describe("plans of one document", () => {
  eitherDatabase(import.meta.url, (database) => {
    const room = serveNewsroom(database);
    const path = (documentId: string) => `/api/articles/${documentId}/actions/schedule`;
    const inAnHour = () => later(room(), 3_600_000);

    it("publish a document at another time than they take it back, also where that is asked for one by one", async () => {
      const documentId = await room().draft();
      const at = inAnHour();
      const ask = (body: object) => room().ask("chief", "POST", path(documentId), body);
      expect((await ask({ publishAt: at })).status).to.equal(200);
      const refused = await ask({ unpublishAt: at });
      expect([refused.status, refused.body.error?.details.errors[0].path]).to.deep.equal([400, "unpublishAt"]);
      expect(await room().schedules.of({ type: ARTICLE, documentId })).to.have.length(1);
      const both = { publishAt: at, unpublishAt: later(room(), 7_200_000) };
      expect((await ask(both)).status).to.equal(200);
      expect((await ask({ publishAt: both.unpublishAt })).status).to.equal(400);
    });

    it("take a document back before they publish it only where it is published now", async () => {
      const documentId = await room().draft();
      const ask = (body: object) => room().ask("chief", "POST", path(documentId), body);
      const [first, second] = [inAnHour(), later(room(), 7_200_000)];
      const refused = await ask({ publishAt: second, unpublishAt: first });
      expect([refused.status, refused.body.error?.details]).to.deep.equal([
        400,
        {
          errors: [{ path: "unpublishAt", message: "must be later than publishAt: the document is not published now" }],
        },
      ]);
      expect(await room().schedules.of({ type: ARTICLE, documentId })).to.deep.equal([]);
      expect((await ask({ unpublishAt: first })).status, "alone: it may be published by hand").to.equal(200);
      const after = await ask({ publishAt: second });
      expect([after.status, after.body.error?.details.errors[0].path]).to.deep.equal([400, "publishAt"]);
      await room().app.documents(ARTICLE).publish({ documentId });
      expect((await ask({ publishAt: second })).status).to.equal(200);
      await room()
        .app.documents(ARTICLE)
        .update({ documentId, locale: "de", data: { title: "Entwurf" } });
      const german = { publishAt: second, unpublishAt: first, locale: "de" };
      expect((await ask(german)).status, "another language is").to.equal(400);
    });
  });
});
