import type { NewReleaseAction, Release } from "@plinth/plugin-schedule";
import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { ARTICLE, codeOf, later, serveNewsroom } from "./newsroom-app.js";

describe("releases as they are given", () => {
  eitherDatabase(import.meta.url, (database) => {
    const room = serveNewsroom(database);
    const publish = (documentId: string): NewReleaseAction => ({
      ...{ type: ARTICLE, documentId, locale: "en", action: "publish" },
    });
    const make = (...actions: readonly NewReleaseAction[]) => room().releases.create({ name: "Spring", actions });
    const codesOf = ({ actions }: Release) =>
      actions.map(({ state, problems }) => [state, ...problems.map(({ code }) => code)].join(" "));

    it("are checked where code makes them as where requests do", async () => {
      const documentId = await room().draft();
      const { releases, schedules } = room();
      const create = (given: object) =>
        codeOf(releases.create({ name: "R", actions: [publish(documentId)], ...given }));
      for (const wrong of [
        ...[{ name: "n".repeat(300) }, { name: "a\0" }, { name: 1 }, { actions: undefined }, { transaction: "yes" }],
        { actions: [{ ...publish(documentId), action: "explode" }] },
        { actions: [{ ...publish(documentId), documentId: "a\0" }] },
      ])
        expect(await create(wrong), JSON.stringify(wrong)).to.equal("PLINTH_SCHEDULE_INVALID");
      const { id } = await make(publish(documentId));
      expect(await codeOf(releases.change(id, { name: "a\0" }))).to.equal("PLINTH_SCHEDULE_INVALID");
      for (const at of [
        "2100-01-01T00:00:00Z",
        new Date(8.64e15),
        new Date(Number.NaN),
        1,
      ] as unknown as readonly Date[]) {
        expect(await codeOf(schedules.plan({ type: ARTICLE, documentId }, { publishAt: at }))).to.equal(
          "PLINTH_SCHEDULE_INVALID",
        );
        expect(await codeOf(releases.schedule(id, at))).to.equal("PLINTH_SCHEDULE_INVALID");
      }
      const far = { at: "9999-12-31T23:59:59-23:59" };
      expect((await room().ask("chief", "POST", `/api/schedule/releases/${id}/schedule`, far)).status).to.equal(400);
    });

    it("say at which place of a request something is wrong", async () => {
      const { id } = await make(publish(await room().draft()));
      const path = `/api/schedule/releases/${id}`;
      const errorsOf = async (end: string, body: object) => {
        const { status, body: answer } = await room().ask("chief", "POST", `${path}${end}`, body);
        expect(status, JSON.stringify(answer)).to.equal(400);
        return answer.error.details.errors.map((each: { path: string }) => each.path);
      };
      expect(await errorsOf("/documents", { add: [publish(await room().draft()), publish("absent")] })).to.deep.equal([
        "add[1].documentId",
      ]);
      expect(await errorsOf("/documents", { add: [publish(await room().draft()), publish("a\0")] })).to.deep.equal([
        "add[1].documentId",
      ]);
      const at = later(room(), 3_600_000);
      expect(await errorsOf("/schedule", { data: { at }, name: "Beside" })).to.deep.equal(["name"]);
      for (const query of ["?type=a%00&documentId=b", "?type=a&documentId=%00", "?state=%00"]) {
        const { status, body } = await room().ask("chief", "GET", `/api/schedule/releases${query}`);
        expect([status, body.error.code], query).to.deep.equal([400, "PLINTH_SCHEDULE_INVALID"]);
      }
    });

    it("that failed are waiting again, without their problems, when they get a new time", async () => {
      const documentId = await room().draft({ slug: "late" });
      const { id } = await make(publish(documentId));
      expect((await room().releases.run(id)).state).to.equal("failed");
      await room()
        .app.documents(ARTICLE)
        .update({ documentId, data: { title: "Late" } });
      const scheduled = await room().releases.schedule(id, later(room(), 3_600_000));
      expect([scheduled.state, ...codesOf(scheduled)]).to.deep.equal(["scheduled", "waiting"]);
    });
  });
});
