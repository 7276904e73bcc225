/** Tests of the link rows of components that a change of the content model takes away. */
import { expect } from "chai";
import type { Database } from "#core/database/driver/database.js";
import { eachDatabase } from "../../../databases.js";
import { type Attributes, component, type } from "../../schema/raw-schemas.js";
import { LOCALIZED, synced } from "./synced.js";

const OWN = { pluginOptions: { i18n: { localized: true } } };
const relation = { type: "relation", relation: "oneToOne", target: "api::post.post" };
const refs = { type: "component", component: "shared.ref", repeatable: true, ...OWN };
const zone = { type: "dynamiczone", components: ["shared.ref"], ...OWN };
const post = (attributes: Attributes) => type("post", { title: { type: "string", ...OWN }, ...attributes }, LOCALIZED);

describe("links of components that a change of the content-types takes away", () => {
  eachDatabase(({ connect }) => {
    let db: Database;
    const { rows, sync, clear } = synced(() => db);
    const components = (attributes: Attributes = { to: relation }) => [component("shared.ref", attributes)];
    before(async () => {
      db = await connect();
    });
    beforeEach("two locales, each with its own links", async () => {
      await clear();
      await sync([post({ refs, zone })], components());
      await rows(
        `insert into posts (document_id, locale, published_at, refs, zone) values
          ('a', 'en', now(), '[{"id":1,"to":"x"}]', '[{"id":2,"__component":"shared.ref","to":"y"}]'),
          ('a', 'fr', now(), '[{"id":3,"to":"v"}]', null)`,
      );
      await rows(
        `insert into posts_links (source, attribute, target, position)
          select p.id, 1, t, 0 from posts p cross join unnest(case locale when 'en' then array['x', 'y'] else array['v'] end) t`,
      );
      expect(await links()).to.deep.equal(["en x", "en y", "fr v"]);
    });
    const links = async () => {
      const found = await rows(
        "select p.locale || ' ' || l.target as link from posts_links l join posts p on p.id = l.source order by 1",
      );
      return found.map(({ link }) => link);
    };

    it("go with an attribute, and those of another attribute with the same component stay", async () => {
      await sync([post({ zone })], components(), { allowDataLoss: true });
      expect(await links()).to.deep.equal(["en y"]);
    });

    it("go with the last attribute that has components", async () => {
      await sync([post({ related: { ...relation, relation: "oneToMany" } })], components(), { allowDataLoss: true });
      expect(await links()).to.deep.equal([]);
    });

    it("go with a relation of the component", async () => {
      await sync([post({ refs, zone })], components({ text: { type: "string" }, other: relation }), {
        allowDataLoss: true,
      });
      expect(await links()).to.deep.equal([]);
    });

    it("stay where a relation of the component is renamed", async () => {
      await sync([post({ refs, zone })], components({ target: { ...relation, renamedFrom: "to" } }));
      expect(await links()).to.deep.equal(["en x", "en y", "fr v"]);
    });

    it("go from a locale that gets the components of another one", async () => {
      const { pluginOptions: _own, ...sharedRefs } = refs;
      await sync(
        [post({ refs: { ...sharedRefs, pluginOptions: { i18n: { localized: false } } }, zone })],
        components(),
        {
          allowDataLoss: true,
        },
      );
      expect((await links()).filter((link) => String(link).startsWith("fr"))).to.deep.equal(["fr x"]);
    });

    it("wait with the attribute, where a removal waits", async () => {
      await sync([post({ zone })], components(), { mode: "additive" });
      expect(await links()).to.deep.equal(["en x", "en y", "fr v"]);
      await sync([post({ zone })], components(), { allowDataLoss: true });
      expect(await links()).to.deep.equal(["en y"]);
    });
  });
});
