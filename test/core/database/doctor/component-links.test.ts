/** Tests of what plinth doctor finds of the link rows of components. */
import { expect } from "chai";
import { examineLinks, repairLinks } from "#core/database/doctor/component-links.js";
import type { Database } from "#core/database/driver/database.js";
import { readSnapshot } from "#core/database/sync/snapshot.js";
import type { SyncOptions } from "#core/database/sync/sync-database.js";
import { buildModel } from "#core/schema/build-model.js";
import type { RawComponent, RawContentType } from "#core/schema/raw.js";
import { eachDatabase } from "../../../databases.js";
import { type Attributes, component, type } from "../../schema/raw-schemas.js";
import { LOCALIZED, synced } from "../sync/synced.js";

const OWN = { pluginOptions: { i18n: { localized: true } } };
const SHARED = { pluginOptions: { i18n: { localized: false } } };
const to = (target: string) => ({ type: "relation", relation: "oneToOne", target: `api::${target}.${target}` });
const ref = component("shared.ref", { to: to("tag"), any: { type: "relation", relation: "morphToOne" } });
const card = component("shared.card", { ref: { type: "component", component: "shared.ref" } });
const refs = { type: "component", component: "shared.ref", repeatable: true, ...OWN };
const zone = { type: "dynamiczone", components: ["shared.ref", "shared.card"], ...OWN };
const tag = type("tag", { name: { type: "string" } });
const note = type("note", { name: { type: "string" } });
const other = type("other", { card: { type: "component", component: "shared.card" } });
const post = (attributes: Attributes) => type("post", { title: { type: "string", ...OWN }, ...attributes }, LOCALIZED);

describe("the links of components, as plinth doctor compares them", () => {
  eachDatabase(({ connect }) => {
    let db: Database;
    const { rows, sync, clear } = synced(() => db);
    let types: RawContentType[] = [];
    let components: RawComponent[] = [];
    const apply = async (next: RawContentType[], parts: RawComponent[] = [ref, card], options: SyncOptions = {}) => {
      [types, components] = [next, parts];
      await sync(types, components, { allowDataLoss: true, ...options });
    };
    const model = () =>
      buildModel({ contentTypes: types, components, defaultLocale: "en", locales: ["en", "fr", "de"] });
    const found = async () => (await examineLinks(db, model(), false)).map(({ kind, where }) => `${kind}: ${where}`);
    const links = async () => {
      const all = await rows(
        "select p.locale || ' ' || l.target as link from posts_links l join posts p on p.id = l.source order by 1",
      );
      return all.map(({ link }) => link);
    };
    before(async () => {
      db = await connect();
    });
    beforeEach("posts in two languages, each with its own links", async () => {
      await clear();
      await apply([tag, note, other, post({ refs, zone })]);
      await rows("insert into tags (document_id, published_at) select t, now() from unnest(array['u','v','x','y']) t");
      await rows(
        `insert into posts (document_id, locale, published_at, refs, zone) values
          ('a', 'en', now(), '[{"id":1,"to":"x","any":null}]',
            '[{"id":2,"__component":"shared.card","ref":{"id":3,"to":"y","any":{"documentId":"w","__type":"api::note.note"}}}]'),
          ('a', 'fr', now(), '[{"id":4,"to":"v"},{"id":5,"to":"gone"}]', null)`,
      );
      const text = "insert into posts_links (source, attribute, target, target_type, position)";
      const codes = await codesOf();
      await rows(
        `${text} select p.id, ${codes.to}, t, '', 0 from posts p cross join unnest(case locale when 'en' then array['x', 'y'] else array['v'] end) t`,
      );
      await rows(`${text} select p.id, ${codes.any}, 'w', 'api::note.note', 0 from posts p where locale = 'en'`);
      expect(await found()).to.deep.equal([]);
    });
    const codesOf = async () => {
      const codes = (await readSnapshot(db))?.snapshot.tables["posts"]?.codes ?? {};
      return { to: codes["shared.ref#to"], any: codes["shared.ref#any"] };
    };
    const ALL = ["en w", "en x", "en y", "fr v"];

    it("are repaired where rows are surplus or missing, and those of documents that are gone stay away", async () => {
      await rows("update posts_links set target = 'u' where target = 'v'");
      expect(await found()).to.deep.equal(["surplus links: api::post.post", "missing links: api::post.post"]);
      await repairLinks(db, model());
      expect(await links()).to.deep.equal(ALL);
      expect(await found()).to.deep.equal([]);
    });

    it("are compared in batches, every row once", async () => {
      await rows(
        `insert into posts (document_id, locale, published_at, refs)
          select 'many' || n, 'en', now(), '[{"id":9,"to":"u"}]' from generate_series(1, 2500) n`,
      );
      const [finding] = await examineLinks(db, model(), false);
      expect(finding?.what).to.include("(2500)");
      await repairLinks(db, model());
      expect((await links()).filter((link) => link === "en u")).to.have.length(2500);
      expect(await found()).to.deep.equal([]);
    });

    it("of an attribute that is removed are surplus, and those of another one with the same component are not", async () => {
      await apply([tag, note, other, post({ zone })]);
      expect(await found()).to.deep.equal(["surplus links: api::post.post"]);
      await repairLinks(db, model());
      expect(await links()).to.deep.equal(["en w", "en y"]);
    });

    it("stay while the removal of their attribute waits, whatever else is removed", async () => {
      await apply([tag, note, other, post({ zone })], [ref, card], { mode: "additive", allowDataLoss: false });
      expect(await found()).to.deep.equal(["not compared: api::post.post"]);
      await repairLinks(db, model());
      expect(await links()).to.deep.equal(ALL);
    });

    it("are not called surplus by writes either, while the removal of a nested attribute waits", async () => {
      const flat = component("shared.card", { text: { type: "string" } });
      const layout = await sync([tag, note, other, post({ refs, zone })], [ref, flat], { mode: "additive" });
      const codes = await codesOf();
      expect(layout.carried?.of("posts").embedded).to.have.members([codes.to, codes.any]);
      expect(layout.carried?.of("tags").embedded).to.equal(undefined);
    });

    it("are not compared where only a newer version knows what a component holds", async () => {
      const older = model();
      const newer = component("shared.card", {
        ...card.attributes,
        more: { type: "component", component: "shared.ref" },
      });
      await apply([tag, note, other, post({ refs, zone })], [ref, newer]);
      const findings = await examineLinks(db, older, false);
      expect(findings.map(({ kind, where }) => `${kind}: ${where}`)).to.deep.equal([
        "not compared: api::other.other, api::post.post",
      ]);
    });

    it("are not compared where the newest version has another component in the same attribute", async () => {
      const older = model();
      const other2 = component("shared.ref2", { to: to("tag") });
      const newer = component("shared.card", { ref: { type: "component", component: "shared.ref2" } });
      const all = [tag, note, other, post({ refs, zone })];
      await apply(all, [ref, card, other2]);
      const between = model();
      await apply(all, [ref, newer, other2]);
      for (const before of [older, between])
        expect((await examineLinks(db, before, false)).map(({ kind }) => kind)).to.deep.equal(["not compared"]);
    });

    it("stay where a zone lists their component no longer, whose content stays as well", async () => {
      await apply([tag, note, other, post({ refs, zone: { ...zone, components: ["shared.ref"] } })]);
      expect(await found()).to.deep.equal([]);
      await repairLinks(db, model());
      expect(await links()).to.deep.equal(ALL);
    });

    it("stay where the type of what they lead to has another uid by now", async () => {
      const memo = type("memo", { name: { type: "string" } }, { renamedFrom: "notes" } as never);
      await apply([tag, memo, other, post({ refs, zone })]);
      const [row] = await rows("select target_type from posts_links where target = 'w'");
      expect(row).to.deep.equal({ target_type: "api::memo.memo" });
      expect(await found()).to.deep.equal([]);
    });

    it("stay as they are where locales begin to share an attribute without components", async () => {
      const shared = type("post", { title: { type: "string", ...SHARED }, refs, zone }, LOCALIZED);
      await apply([tag, note, other, shared]);
      expect(await links()).to.deep.equal(ALL);
    });
  });
});
