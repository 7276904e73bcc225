import { events, eventsPlugin } from "@plinth/plugin-events";
import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { ARTICLE, later, serveNewsroom, soon } from "./newsroom-app.js";

describe("failures of schedules and releases, where there are events", () => {
  eitherDatabase(import.meta.url, (database) => {
    const room = serveNewsroom(database, { plugins: [eventsPlugin] });

    it("are events about their document, so that only those hear of them who see it", async () => {
      const documentId = await room().draft({ title: "Complete" });
      const place = { type: ARTICLE, documentId };
      const log = room().app.service(events);
      const after = await log.latest();
      const { id } = await room().releases.create({ name: "Night", actions: [{ ...place, action: "publish" }] });
      await room().schedules.plan(place, { publishAt: later(room(), 2_000) });
      await room()
        .app.documents(ARTICLE)
        .update({ documentId, data: { title: null } });
      expect((await room().releases.run(id)).state).to.equal("failed");
      await soon(async () => {
        const found = (await log.read(after, { types: ["schedule.*", "release.*"] })).events;
        const about = { uid: ARTICLE, documentId, locales: ["en"] };
        expect(
          found.map(({ type, data, uid, documentId, locales }) => ({ type, data, uid, documentId, locales })),
        ).to.deep.equal([
          { type: "release.failed", data: { action: "publish", code: "PLINTH_INPUT_INVALID", release: id }, ...about },
          { type: "schedule.failed", data: { action: "publish", code: "PLINTH_INPUT_INVALID" }, ...about },
        ]);
      });
    });
  });
});
