import type { NewReleaseAction } from "@plinth/plugin-schedule";
import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { type Answered, ARTICLE, later, serveNewsroom } from "./newsroom-app.js";

const READING = ["api::*.find", "api::*.findOne", "api::*.findDrafts", "plugin::schedule.*"];
const PATH = "/api/schedule/releases";
const saysOf = ({ status, body }: Answered) => [status, body?.error?.code];
const FORBIDDEN = [403, "PLINTH_ACCESS_FORBIDDEN"];
const CHANGED = [412, "PLINTH_RELEASE_CHANGED"];

describe("releases of several people", () => {
  eitherDatabase(import.meta.url, (database) => {
    const room = serveNewsroom(database);
    const publish = (documentId: string): NewReleaseAction => ({
      ...{ type: ARTICLE, documentId, locale: "en" },
      action: "publish",
    });
    const unpublish = (documentId: string): NewReleaseAction => ({ ...publish(documentId), action: "unpublish" });
    const make = async (who: string, ...actions: readonly NewReleaseAction[]) =>
      await room().ask(who, "POST", PATH, { name: "Spring", actions });
    /** An open release of the chief, with one document. */
    const ofChief = async () => {
      const documentId = await room().draft();
      const { data } = (await make("chief", publish(documentId))).body;
      return { documentId, path: `${PATH}/${data.id}`, version: data.version as string };
    };

    describe("hold nothing that who adds it may not do", () => {
      before("make people", () => {
        const { people } = room();
        people["reader"] = READING;
        people["taker"] = [...READING, `${ARTICLE}.unpublish`];
        const where = { desk: { $eq: "sports" } };
        people["sports"] = [...READING, { action: `${ARTICLE}.publish`, where }];
      });

      it("when they are made, added to and changed", async () => {
        const [{ documentId, path }, other] = [await ofChief(), await room().draft()];
        const amend = (who: string, ...add: readonly NewReleaseAction[]) =>
          room().ask(who, "POST", `${path}/documents`, { add });
        const change = (who: string, ...actions: readonly NewReleaseAction[]) =>
          room().ask(who, "PUT", path, { actions });
        for (const who of ["reader", "taker"]) {
          expect(saysOf(await make(who, publish(other))), who).to.deep.equal(FORBIDDEN);
          expect(saysOf(await amend(who, publish(other))), who).to.deep.equal(FORBIDDEN);
          expect(saysOf(await change(who, publish(documentId), publish(other))), who).to.deep.equal(FORBIDDEN);
        }
        // What is done with a document that is there is another thing as well.
        expect(saysOf(await amend("reader", unpublish(documentId)))).to.deep.equal(FORBIDDEN);
        const held = (await room().ask("chief", "GET", path)).body.data.actions;
        expect(held.map((action: NewReleaseAction) => action.documentId)).to.deep.equal([documentId]);
        expect((await make("taker", unpublish(other))).status).to.equal(201);
        expect((await amend("taker", unpublish(other))).status).to.equal(200);
      });

      it("by the rules on rows of the action, and nothing is asked of what is there already", async () => {
        const [mine, others] = [await room().draft({ title: "Goal", desk: "sports" }), await room().draft()];
        expect(saysOf(await make("sports", publish(mine), publish(others)))).to.deep.equal(FORBIDDEN);
        expect((await make("sports", publish(mine))).status).to.equal(201);
        const { documentId, path } = await ofChief();
        const actions = [publish(documentId), publish(mine)];
        expect((await room().ask("sports", "PUT", path, { actions })).status).to.equal(200);
        expect((await room().ask("reader", "PUT", path, { actions, name: "Sports" })).status).to.equal(200);
        const remove = [{ type: ARTICLE, documentId, locale: "en" }];
        expect((await room().ask("reader", "POST", `${path}/documents`, { remove })).status).to.equal(200);
      });
    });

    describe("go out as who runs or schedules them looked at them", () => {
      it("and not after a document was added meanwhile", async () => {
        const { documentId, path, version } = await ofChief();
        expect(version).to.match(/^"[\w-]{16}"$/);
        const late = await room().draft({ title: "Embargoed" });
        await room().ask("chief", "POST", `${path}/documents`, { add: [publish(late)] });
        const at = later(room(), 60_000).toISOString();
        expect(saysOf(await room().askIf(version, "chief", `${path}/run`))).to.deep.equal(CHANGED);
        expect(saysOf(await room().askIf(version, "chief", `${path}/schedule`, { at }))).to.deep.equal(CHANGED);
        const now = (await room().ask("chief", "GET", path)).body.data;
        expect(now).to.include({ state: "open", at: null }).and.not.include({ version });
        expect([await room().published(documentId), await room().published(late)]).to.deep.equal([
          undefined,
          undefined,
        ]);
        const again = `"other", ${now.version}`;
        const scheduled = await room().askIf(again, "chief", `${path}/schedule`, { at });
        expect(scheduled.body.data.state).to.equal("scheduled");
        expect((await room().askIf(again, "chief", `${path}/run`)).body.data.state).to.equal("done");
        expect(await room().published(late)).to.equal("Embargoed");
      });

      it("whatever they are called and came to, and as they are where nothing is said", async () => {
        const { path, version } = await ofChief();
        const broken = await room().draft({ slug: "untitled" });
        const versionNow = async () => (await room().ask("chief", "GET", path)).body.data.version;
        await room().ask("chief", "PUT", path, { name: "Summer" });
        expect(await versionNow()).to.equal(version);
        await room().ask("chief", "POST", `${path}/documents`, { add: [publish(broken)] });
        const before = await versionNow();
        const failed = await room().askIf(before, "chief", `${path}/run`);
        expect(failed.body.data).to.include({ state: "failed", version: before });
        await room().ask("chief", "PUT", path, { transaction: false });
        expect(await versionNow()).not.to.equal(before);
        expect((await room().askIf("*", "chief", `${path}/run`)).status).to.equal(200);
        const other = await ofChief();
        expect((await room().ask("chief", "POST", `${other.path}/run`)).status).to.equal(200);
      });
    });
  });
});
