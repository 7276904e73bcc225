import { expect } from "chai";
import type { Database } from "#core/database/driver/database.js";
import { SchemaDestructiveError } from "#core/database/errors.js";
import { eachDatabase } from "../../../databases.js";
import { type Attributes, component, type } from "../../schema/raw-schemas.js";
import { failureOf, synced } from "./synced.js";

const post = type("post", {
  seo: { type: "component", component: "shared.seo" },
  cards: { type: "component", component: "shared.card", repeatable: true },
  zone: { type: "dynamiczone", components: ["shared.seo", "shared.card"] },
});
/** A card holds an seo, so that attributes of seo are found at two depths. */
const card = component("shared.card", {
  seo: { type: "component", component: "shared.seo" },
  text: { type: "string" },
});

const SEO = { id: 1, title: "T", views: 3 };
const CARD = { id: 2, text: "t", seo: SEO };

describe("changes inside components", () => {
  eachDatabase(({ connect }) => {
    let db: Database;
    const { rows, sync, clear } = synced(() => db);
    const seo = (attributes: Attributes) => [card, component("shared.seo", attributes)];
    const stored = async () => (await rows("select seo, cards, zone from posts order by id"))[0];
    before(async () => {
      db = await connect();
    });
    afterEach("leave no function", async () => {
      const text = "select proname::text as name from pg_proc where proname in ('plinth_rewrite', 'plinth_cast')";
      expect(await rows(text)).to.deep.equal([]);
    });
    beforeEach(async () => {
      await clear();
      await sync([post], seo({ title: { type: "string" }, views: { type: "integer" } }));
      const zone = [
        { __component: "shared.seo", ...SEO },
        { __component: "shared.card", ...CARD },
      ];
      await rows(
        "insert into posts (document_id, seo, cards, zone) values ('a', $1, $2, $3), ('b', null, null, null)",
        JSON.stringify(SEO),
        JSON.stringify([CARD]),
        JSON.stringify(zone),
      );
    });

    const expectSeo = async (expected: object) => {
      expect(await stored()).to.deep.equal({
        seo: expected,
        cards: [{ ...CARD, seo: expected }],
        zone: [
          { __component: "shared.seo", ...expected },
          { __component: "shared.card", ...CARD, seo: expected },
        ],
      });
    };

    it("a renamed attribute keeps its values wherever the component is stored", async () => {
      await sync([post], seo({ heading: { type: "string", renamedFrom: "title" }, views: { type: "integer" } }));
      await expectSeo({ id: 1, heading: "T", views: 3 });
    });

    it("a removed attribute is refused, and its values go when data loss is allowed", async () => {
      const without = seo({ views: { type: "integer" } });
      const failure = await failureOf(sync([post], without));
      expect(failure).to.satisfy(SchemaDestructiveError.is);
      expect(failure).to.have.property("message").that.includes("shared.seo.title");
      await expectSeo(SEO);
      await sync([post], without, { allowDataLoss: true });
      await expectSeo({ id: 1, views: 3 });
    });

    it("a number that becomes a text is written as one", async () => {
      await sync([post], seo({ title: { type: "string" }, views: { type: "string" } }));
      await expectSeo({ id: 1, title: "T", views: "3" });
    });

    it("a new attribute changes nothing that is stored", async () => {
      await sync([post], seo({ title: { type: "string" }, views: { type: "integer" }, more: { type: "string" } }));
      await expectSeo(SEO);
    });

    it("a component that becomes repeatable is a list of one", async () => {
      const repeatable = {
        ...post,
        attributes: { ...post.attributes, seo: { type: "component", component: "shared.seo", repeatable: true } },
      };
      const cards = component("shared.card", {
        seo: { type: "component", component: "shared.seo", repeatable: true },
        text: { type: "string" },
      });
      await sync(
        [repeatable],
        [cards, component("shared.seo", { title: { type: "string" }, views: { type: "integer" } })],
      );
      const nested = { ...CARD, seo: [SEO] };
      expect(await stored()).to.deep.equal({
        seo: [SEO],
        cards: [nested],
        zone: [
          { __component: "shared.seo", ...SEO },
          { __component: "shared.card", ...nested },
        ],
      });
    });

    it("a link from inside a component keeps its code when its attribute is renamed", async () => {
      const to = { type: "relation", relation: "oneToOne", target: "api::post.post" };
      const base = { title: { type: "string" }, views: { type: "integer" } };
      const before = await sync([post], seo({ ...base, to }));
      const after = await sync([post], seo({ ...base, target: { ...to, renamedFrom: "to" } }));
      const code = before.tables.get("api::post.post")?.codes.get("shared.seo#to");
      expect(code).to.be.a("number");
      expect(after.tables.get("api::post.post")?.codes.get("shared.seo#target")).to.equal(code);
    });
  });
});
