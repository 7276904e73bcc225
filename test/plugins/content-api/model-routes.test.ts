import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import type { PlinthApp } from "@plinth/core";
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
      const { attributes, ...schema } = body.data.schema;
      expect(schema).to.deep.include({
        ...{ kind: "collectionType", singularName: "article", pluralName: "articles", displayName: "Article" },
        ...{ description: "", collectionName: "articles", draftAndPublish: true },
        ...{ visible: true, restrictRelationsTo: null },
      });
      expect(schema.pluginOptions.i18n).to.deep.equal({ localized: true });
      expect(body.data).to.include({ uid: "api::article.article", apiID: "article" }).and.not.have.property("plugin");
      expect(attributes.title).to.deep.include({ type: "string", required: true });
      expect(attributes.author).to.deep.include({
        ...{ type: "relation", relation: "manyToOne", target: "api::author.author" },
        ...{ private: false, targetAttribute: attributes.author.inversedBy ?? null },
      });
      expect(attributes.cover).to.deep.include({ type: "media", multiple: false, required: false, private: false });
      expect(attributes.kind).to.deep.include({ type: "enumeration", enum: ["news", "opinion", "tutorial"] });
      expect(attributes.links).to.deep.include({ type: "component", component: "shared.link", repeatable: true });
      expect(attributes).not.to.have.any.keys("localizations", "createdBy", "createdAt", "locale");
    });

    it("tells of a component its name, its category and the name of its collection", async () => {
      const { data } = (await app().request("GET", `${COMPONENTS}/shared.seo`)).body;
      expect(data).to.include({ uid: "shared.seo", category: "shared", apiId: "seo" });
      expect(data.schema).to.include({ collectionName: "components_shared_seos", description: "" });
      expect(data.schema).not.to.have.property("kind");
    });

    it("lists one kind of content-types where the query asks for it, and refuses what is not a kind", async () => {
      const { body } = await app().request("GET", `${TYPES}?kind=singleType`);
      expect(body.data.map(({ apiID }: { apiID: string }) => apiID)).to.have.members(["global", "homepage"]);
      const refused = await app().request("GET", `${TYPES}?kind=component`);
      expect({ status: refused.status, code: refused.body.error.code }).to.deep.equal({
        status: 400,
        code: "PLINTH_REST_UNKNOWN_KIND",
      });
    });

    it("says what is not there as Strapi does", async () => {
      const type = await app().request("GET", `${TYPES}/api::nope.nope`);
      expect([type.status, type.body]).to.deep.equal([404, { error: "contentType.notFound" }]);
      const component = await app().request("GET", `${COMPONENTS}/nope`);
      expect([component.status, component.body]).to.deep.equal([404, { error: "component.notFound" }]);
    });
  });
});

/** A content-type as it is described. */
interface Described {
  readonly uid: string;
  readonly plugin?: string;
  readonly apiID: string;
  readonly schema: {
    readonly pluralName: string;
    readonly visible: boolean;
    readonly restrictRelationsTo: readonly string[] | null;
    readonly attributes: Readonly<Record<string, { readonly type: string; readonly target?: string }>>;
  };
}

describe("the content model of an app with all plugins", () => {
  const note = {
    kind: "collectionType",
    info: { singularName: "note", pluralName: "notes" },
    attributes: {
      owner: { type: "relation", relation: "manyToOne", target: "plugin::users-permissions.user" },
      reviewer: { type: "relation", relation: "manyToOne", target: "plugin::api-tokens.admin" },
      ...{ first: { type: "string" }, second: { type: "string", conditions: { visible: { "==": [1, 1] } } } },
    },
  };
  const authorization = "Bearer all-of-it";
  let plinth: PlinthApp;
  let url = "";
  let described: ReadonlyMap<string, Described>;

  before("start the app", async () => {
    const root = copyTemplate({ "src/api/note/content-types/note/schema.json": JSON.stringify(note) });
    ({ plinth, url } = await startForTest(await loadForTest(root, { variables: { PLINTH_TOKEN: "all-of-it" } })));
    const response = await fetch(`${url}${TYPES}`, { headers: { authorization } });
    const { data } = (await response.json()) as { data: readonly Described[] };
    described = new Map(data.map((type) => [type.uid, type]));
  });
  after("stop the app", () => plinth.stop());

  it("has the types of plugins that the content API serves, and no others of plugins", () => {
    expect([...described.keys()].filter((uid) => uid.startsWith("plugin::"))).to.have.members([
      "plugin::i18n.locale",
      "plugin::upload.file",
      "plugin::upload.folder",
      "plugin::users-permissions.permission",
      "plugin::users-permissions.role",
      "plugin::users-permissions.user",
    ]);
  });

  it("names the plugin of a type, which is the first part of its path", async () => {
    expect(described.get("api::note.note")).not.to.have.property("plugin");
    expect(described.get("plugin::users-permissions.user")).to.include({ plugin: "users-permissions", apiID: "user" });
    // Gatsby's source plugin asks for each type at these paths, users at the root.
    const query = "pagination[pageSize]=250&pagination[page]=1&populate=*";
    const statusOf = async (path: string) =>
      (await fetch(`${url}/api/${path}?${query}`, { headers: { authorization } })).status;
    for (const uid of ["plugin::upload.file", "plugin::users-permissions.role", "plugin::i18n.locale"]) {
      const { plugin, schema } = described.get(uid) as Described;
      expect([uid, await statusOf(`${plugin}/${schema.pluralName}`)]).to.deep.equal([uid, 200]);
    }
    expect(await statusOf("users")).to.equal(200);
  });

  it("says which types a builder of content-types shows", () => {
    const shownOf = (uid: string) => described.get(uid)?.schema.visible;
    expect([shownOf("plugin::users-permissions.user"), shownOf("api::note.note")]).to.deep.equal([true, true]);
    expect([shownOf("plugin::users-permissions.role"), shownOf("plugin::i18n.locale")]).to.deep.equal([false, false]);
    expect(described.get("plugin::upload.file")?.schema.restrictRelationsTo).to.deep.equal([]);
  });

  it("has the schema of every target, and leaves relations to other types out", () => {
    const targets = [...described.values()].flatMap(({ schema }) =>
      Object.values(schema.attributes).flatMap(({ target }) => (target === undefined ? [] : [target])),
    );
    expect(targets).to.include("plugin::users-permissions.user");
    expect(targets.filter((target) => !described.has(target))).to.deep.equal([]);
    expect(described.get("api::note.note")?.schema.attributes).to.have.all.keys("owner", "first", "second");
  });

  it("keeps conditions of attributes, marks private ones, and leaves out those that are hidden from tools", () => {
    expect(described.get("api::note.note")?.schema.attributes["second"]).to.deep.include(note.attributes.second);
    const { attributes } = described.get("plugin::users-permissions.user")?.schema ?? {};
    expect(attributes?.["password"]).to.deep.include({ type: "password", private: true });
    expect(attributes).not.to.have.any.keys("usernameKey", "emailKey", "sessionVersion");
  });

  it("answers 404 for a type that it does not list", async () => {
    for (const uid of ["plugin::api-tokens.token", "plugin::admin.session", "plugin::users-permissions.session"]) {
      const answer = await fetch(`${url}${TYPES}/${uid}`, { headers: { authorization } });
      expect([answer.status, await answer.json()]).to.deep.equal([404, { error: "contentType.notFound" }]);
    }
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
      expect(body.data.schema.attributes.color).to.deep.equal(paint.attributes.color);
      expect(body.data.schema.attributes.box).to.include({ displayName: "Box", component: "shared.box" });
      const component = await app().request("GET", `${COMPONENTS}/shared.box`);
      expect(component.body.data.schema.attributes.size).to.deep.equal(box.attributes.size);
    });
  });
});
