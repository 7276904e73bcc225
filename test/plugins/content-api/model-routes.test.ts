import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { serveCorpusTypes } from "../../corpus-app.js";
import { copyTemplate, loadForTest, startForTest } from "../../projects.js";

const TYPES = "/api/content-type-builder/content-types";
const COMPONENTS = "/api/content-type-builder/components";

describe("the content model over REST", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveCorpusTypes(database);

    it("is closed to whoever it is not granted to", async () => {
      for (const path of [TYPES, `${TYPES}/api::article.article`, COMPONENTS, `${COMPONENTS}/shared.seo`]) {
        const { status, body } = await app().request("GET", path, { token: "" });
        expect({ status, name: body.error.name }).to.deep.equal({ status: 403, name: "ForbiddenError" });
      }
    });

    it("lists the app's own content-types and components", async () => {
      const types = await app().request("GET", TYPES);
      expect(types.body.data.map(({ apiID }: { apiID: string }) => apiID)).to.have.members([
        "article",
        "author",
        "category",
        "global",
        "homepage",
      ]);
      const components = await app().request("GET", COMPONENTS);
      expect(components.body.data.map(({ uid }: { uid: string }) => uid)).to.include("sections.hero");
    });

    it("tells of one what its schema file says", async () => {
      const { body } = await app().request("GET", `${TYPES}/api::article.article`);
      const { draftAndPublish, pluralName, attributes } = body.data.schema;
      expect({ draftAndPublish, pluralName }).to.deep.equal({ draftAndPublish: true, pluralName: "articles" });
      expect(attributes.title).to.deep.equal({ type: "string", required: true });
      expect(attributes.author).to.deep.include({
        type: "relation",
        relation: "manyToOne",
        target: "api::author.author",
      });
      expect(attributes.kind).to.deep.equal({ type: "enumeration", enum: ["news", "opinion", "tutorial"] });
      expect(attributes.links).to.deep.equal({ type: "component", component: "shared.link", repeatable: true });
      expect(attributes).not.to.have.property("localizations");
    });

    it("lists the types of plugins that relations lead to, so that a tool finds the schema of every target", async () => {
      const { plinth, url } = await startForTest(
        await loadForTest(
          copyTemplate({
            "src/api/note/content-types/note/schema.json": JSON.stringify({
              kind: "collectionType",
              info: { singularName: "note", pluralName: "notes" },
              attributes: {
                owner: { type: "relation", relation: "manyToOne", target: "plugin::users-permissions.user" },
              },
            }),
          }),
          { variables: { PLINTH_TOKEN: "all-of-it" } },
        ),
      );
      try {
        const response = await fetch(`${url}${TYPES}`, { headers: { authorization: "Bearer all-of-it" } });
        const { data } = (await response.json()) as { data: { uid: string; schema: { attributes: object } }[] };
        const uids = new Set(data.map(({ uid }) => uid));
        expect(uids).to.include("plugin::users-permissions.user").and.not.include("plugin::i18n.locale");
        const targets = data.flatMap(({ schema }) =>
          Object.values(schema.attributes).flatMap(({ type, target }) => (type === "relation" ? [target] : [])),
        );
        expect(targets.filter((target) => !uids.has(target))).to.deep.equal([]);
      } finally {
        await plinth.stop();
      }
    });

    it("has nothing at a uid that is none", async () => {
      expect((await app().request("GET", `${TYPES}/api::nope.nope`)).status).to.equal(404);
      expect((await app().request("GET", `${COMPONENTS}/nope`)).status).to.equal(404);
    });
  });
});

describe("labels in schema files", () => {
  eitherDatabase(import.meta.url, (database) => {
    const color = { type: "string", displayName: "Colour", customField: "plugin::color-picker.color" };
    const paint = {
      uid: "api::paint.paint",
      info: { singularName: "paint", pluralName: "paints", displayName: "Paint" },
      attributes: {
        color: { ...color, options: { format: "hex" } },
        box: { type: "component", component: "shared.box", displayName: "Box", hidden: true },
      },
    };
    const box = { uid: "shared.box", attributes: { size: { type: "integer", hidden: true, displayName: "Size" } } };
    const app = serveCorpusTypes(database, { schemas: { contentTypes: [paint], components: [box] } });

    it("start an app, mean nothing to its content, and are there for tools", async () => {
      const data = { color: "#fff", box: { size: 3 } };
      expect((await app().request("POST", "/api/paints", { body: { data } })).status).to.equal(201);
      const { body } = await app().request("GET", `${TYPES}/api::paint.paint`);
      expect(body.data.schema.attributes.color).to.deep.equal(color);
      expect(body.data.schema.attributes.box).to.include({ displayName: "Box", component: "shared.box" });
      const component = await app().request("GET", `${COMPONENTS}/shared.box`);
      expect(component.body.data.schema.attributes.size).to.deep.equal({ type: "integer", displayName: "Size" });
    });
  });
});
