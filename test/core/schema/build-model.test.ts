import { expect } from "chai";
import { buildModel } from "#core/schema/build-model.js";
import { SchemaInvalidError } from "#core/schema/errors.js";
import { findField, isClosedName } from "#core/schema/find-field.js";
import type { Attribute, ContentModel } from "#core/schema/model.js";
import type { RawAttribute, RawContentType } from "#core/schema/raw.js";
import { withAuthors } from "#core/schema/with-authors.js";
import { corpusModel, readCorpusSchemas } from "./corpus-model.js";
import { type Attributes, complaints, component, modelOf, problemsOf, type } from "./raw-schemas.js";

describe("the content model of the corpus app", () => {
  const model = corpusModel();
  const article = model.contentTypes.get("api::article.article");
  const attribute = (name: string): Attribute | undefined => article?.attributes.get(name);

  it("has every content-type and component of the schema files", () => {
    expect([...model.contentTypes.keys()]).to.have.members([
      "api::article.article",
      "api::author.author",
      "api::category.category",
      "api::global.global",
      "api::homepage.homepage",
    ]);
    expect([...model.components.keys()]).to.include.members(["shared.seo", "sections.hero", "sections.gallery"]);
    expect(model.locales).to.deep.equal(["en", "fr"]);
  });

  it("keeps the attributes in the order of the file, and adds localizations", () => {
    const names = [...(article?.attributes.keys() ?? [])];
    expect(names.slice(0, 3)).to.deep.equal(["title", "slug", "summary"]);
    expect(names.at(-1)).to.equal("localizations");
    expect(attribute("localizations")).to.include({ storage: "locales", isMany: true, isWritable: false });
  });

  it("makes relations and uids per locale, and other attributes only where the schema says so", () => {
    const shared = [...(article?.attributes.values() ?? [])]
      .filter((item) => !item.isLocalized)
      .map((item) => item.name);
    expect(shared).to.include.members(["rating", "views", "secret", "cover", "gallery"]);
    expect(shared).to.not.include.members(["title", "slug", "author", "categories", "seo", "sections"]);
  });

  it("names columns in snake case", () => {
    expect(attribute("pubDate")).to.include({ column: "pub_date" });
    expect(article).to.include({ table: "articles", hasDrafts: true, isLocalized: true });
  });

  it("treats every uid as unique", () => {
    expect(attribute("slug")).to.include({ unique: true, targetField: "title", autoGenerate: false });
  });

  it("makes attributes private by their own option or by the list of the type", () => {
    const listed = modelOf([type("post", { a: { type: "string" } }, { options: { privateAttributes: ["a"] } })]);
    expect(listed.contentTypes.get("api::post.post")?.attributes.get("a")).to.include({
      isPrivate: true,
      isWritable: true,
    });
    expect(attribute("privateNote")).to.include({ isPrivate: true });
  });

  it("finds attributes and system fields by name, and nothing else", () => {
    if (!article) throw new TypeError("no article");
    expect(findField(article, "documentId")).to.include({ column: "document_id" });
    expect(findField(article, "locale")).to.include({ kind: "string" });
    expect(findField(article, "title")).to.equal(attribute("title"));
    for (const name of ["nope", "createdBy", "constructor", "__proto__", "Title"]) {
      expect(findField(article, name), name).to.equal(undefined);
    }
    expect(isClosedName(article, "createdBy")).to.equal(true);
    expect(isClosedName(article, "nope")).to.equal(false);
  });

  it("gives no locale to types that are not localised", () => {
    const author = model.contentTypes.get("api::author.author");
    if (!author) throw new TypeError("no author");
    expect(findField(author, "locale")).to.equal(undefined);
    expect(author.attributes.has("localizations")).to.equal(false);
  });

  it("knows the id of components, and their relations as part of the component", () => {
    const link = model.components.get("shared.link");
    if (!link) throw new TypeError("no link");
    expect(findField(link, "id")).to.include({ kind: "id" });
    expect(findField(link, "documentId")).to.equal(undefined);
    expect(link.attributes.get("category")).to.include({ storage: "embedded", column: undefined });
  });
});

describe("the authors of content", () => {
  const post = type("post", { title: { type: "string" } });
  const person = type("person", { name: { type: "string" } }, { authors: { fields: ["name"] } });

  it("are in no type of an app without a content-type of authors", () => {
    const model = modelOf([post]);
    expect([model.authorType, model.contentTypes.get("api::post.post")?.authors.size]).to.deep.equal([undefined, 0]);
  });

  it("are attributes for administrators alone, in the same model otherwise", () => {
    const model = modelOf([post, person]);
    const seen = withAuthors(model);
    const namesOf = (from: ContentModel) => [...(from.contentTypes.get("api::post.post")?.attributes.keys() ?? [])];
    expect(namesOf(model)).to.deep.equal(["title"]);
    expect(namesOf(seen)).to.deep.equal(["title", "createdBy", "updatedBy"]);
    expect(withAuthors(model)).to.equal(seen);
    model.useLocales({ defaultLocale: "fr", locales: ["fr"] });
    expect([seen.defaultLocale, seen.authorType]).to.deep.equal(["fr", "api::person.person"]);
  });
});

describe("schemas with mistakes", () => {
  it("are reported all at once, each with file, path and remedy", () => {
    const schemas = readCorpusSchemas();
    const article = schemas.contentTypes.find(({ uid }) => uid === "api::article.article");
    Object.assign(article?.attributes?.["title"] ?? {}, { type: "sting" });
    Object.assign(article?.attributes?.["score"] ?? {}, { min: 5, max: 1 });
    const seo = schemas.components.find(({ uid }) => uid === "shared.seo");
    Object.assign(seo?.attributes?.["meta"] ?? {}, { component: "shared.mata" });
    const error = catchError(() => buildModel(schemas));
    if (!SchemaInvalidError.is(error)) throw error;
    expect(error.details.problems.map(({ file, path }) => `${file} ${path}`)).to.have.members([
      "src/components/shared/seo.json attributes.meta.component",
      "src/api/article/content-types/article/schema.json attributes.title.type",
      "src/api/article/content-types/article/schema.json attributes.slug.targetField",
      "src/api/article/content-types/article/schema.json attributes.score.min",
    ]);
    expect(error.message.split("\n")).to.have.lengthOf(5);
    expect(error.message).to.contain('Did you mean "string"?').and.to.contain('Did you mean "shared.meta"?');
    expect(error.code).to.equal("PLINTH_SCHEMA_INVALID");
  });

  it("are refused for unknown options, but not for those of the admin panel nor for options that are off", () => {
    expect(complaints({ a: { type: "string", maxlenght: 5 } })).to.deep.equal([
      'attributes.a.maxlenght: The type string has no option "maxlenght".',
    ]);
    expect(complaints({ a: { type: "boolean", unique: true } })[0]).to.contain('no option "unique"');
    const panel = {
      configurable: false,
      visible: false,
      conditions: {},
      column: {},
      searchable: false,
      pluginOptions: {},
    };
    expect(complaints({ a: { type: "boolean", unique: false, ...panel } })).to.deep.equal([]);
  });

  it("are refused for reserved or malformed attribute names", () => {
    for (const name of [
      "id",
      "documentId",
      "createdAt",
      "locale",
      "localizations",
      "status",
      "createdBy",
      "constructor",
    ]) {
      expect(complaints({ [name]: { type: "string" } }).join(), name).to.contain("is the server's own");
    }
    for (const name of ["2nd", "a-b", "a.b", "$a", "_a"]) {
      expect(complaints({ [name]: { type: "string" } }).join(), name).to.contain("is not a name for an attribute");
    }
    expect(complaints(JSON.parse('{"__proto__": {"type": "string"}}')).join()).to.contain("__proto__");
  });

  it("are refused when two attributes share a column", () => {
    expect(complaints({ fooBar: { type: "string" }, foo_bar: { type: "text" } })).to.deep.equal([
      'attributes.foo_bar: Its column "foo_bar" is taken by the attribute "fooBar".',
    ]);
    expect(complaints({ of: { type: "relation", relation: "morphToOne" }, ofType: { type: "string" } })[0]).to.contain(
      '"of_type"',
    );
    expect(complaints({ created_at: { type: "string" } })[0]).to.contain("taken by the server itself");
  });

  it("are refused when a name is too long for PostgreSQL", () => {
    expect(complaints({ ["a".repeat(64)]: { type: "string" } })[0]).to.contain("64 bytes");
    expect(problemsOf([type("post", {}, { collectionName: "t".repeat(60) })])[0]?.message).to.contain("66 bytes");
  });

  it("are refused when two types share a name or a table", () => {
    const twin = { ...type("post", {}, { collectionName: "other" }), uid: "api::blog.post" };
    expect(problemsOf([type("post", {}), twin]).map(({ path }) => path)).to.deep.equal([
      "info.singularName",
      "info.pluralName",
    ]);
    expect(problemsOf([type("post", {}), type("page", {}, { collectionName: "posts" })])[0]?.message).to.contain(
      '"posts"',
    );
    expect(problemsOf([type("post", {}), type("page", {}, { collectionName: "posts_links" })])[0]?.message).to.contain(
      "posts_links",
    );
    expect(problemsOf([type("post", {}), type("post", {})])[0]?.message).to.contain("two schemas");
  });

  it("let a plugin name its types as the app does", () => {
    const user = { ...type("user", {}, { collectionName: "up_users" }), uid: "plugin::users.user" };
    expect(problemsOf([type("user", {}), user])).to.deep.equal([]);
  });

  it("are refused for missing or malformed names of the type", () => {
    const bad = type("post", {}, { info: { singularName: "Blog Post", displayName: "x" } });
    expect(problemsOf([bad]).map(({ path }) => path)).to.include.members(["info.singularName", "info.pluralName"]);
    const same = type("post", {}, { info: { singularName: "news", pluralName: "news" } });
    expect(problemsOf([same])[0]?.message).to.equal('Singular and plural are both "news".');
  });

  it("are refused for enumerations without values, with one twice, or with one that is not a string", () => {
    expect(complaints({ a: { type: "enumeration" } })[0]).to.contain("no values");
    expect(complaints({ a: { type: "enumeration", enum: ["x", "x"] } })[0]).to.contain('"x" is listed twice');
    expect(complaints({ a: { type: "enumeration", enum: ["x", 1, ""] } })).to.have.lengthOf(2);
    expect(complaints({ a: { type: "enumeration", enum: ["x"], enumName: "two words" } })[0]).to.contain(
      "is not a name for",
    );
  });

  it("are refused for bounds that contradict each other or are no numbers", () => {
    expect(complaints({ a: { type: "integer", min: 3, max: 2 } })[0]).to.contain("3 is greater than the max of 2");
    expect(
      complaints({ a: { type: "biginteger", min: "9007199254740993", max: "9007199254740992" } }),
    ).to.have.lengthOf(1);
    expect(complaints({ a: { type: "string", minLength: 3, maxLength: 2 } })).to.have.lengthOf(1);
    expect(complaints({ a: { type: "integer", min: "3" } })).to.have.lengthOf(1);
    expect(complaints({ a: { type: "string", maxLength: -1 } })).to.have.lengthOf(1);
  });

  it("are refused for expressions that do not compile", () => {
    expect(complaints({ a: { type: "string", regex: "(" } })[0]).to.contain(
      "attributes.a.regex: Invalid regular expression",
    );
  });

  it("are refused for defaults that their own rules refuse", () => {
    expect(complaints({ a: { type: "integer", default: "x" } })[0]).to.contain(
      "attributes.a.default: The default does not fit",
    );
    expect(complaints({ a: { type: "enumeration", enum: ["x"], default: "y" } })).to.have.lengthOf(1);
    expect(complaints({ a: { type: "string", maxLength: 2, default: "abc" } })).to.have.lengthOf(1);
    expect(complaints({ a: { type: "date", default: "2024-02-30" } })).to.have.lengthOf(1);
    expect(
      complaints({ a: { type: "boolean", default: false }, b: { type: "json", default: { x: [1] } } }),
    ).to.deep.equal([]);
  });

  it("are refused for a uid made from an attribute that is not there or holds no text", () => {
    expect(complaints({ slug: { type: "uid", targetField: "title" } })[0]).to.contain('There is no attribute "title"');
    expect(complaints({ slug: { type: "uid", targetField: "n" }, n: { type: "integer" } })[0]).to.contain(
      "is of type integer",
    );
  });

  it("are refused for indexes of unknown, repeated and unbounded attributes, and of those without a column", () => {
    const attributes: Attributes = {
      tenant: { type: "enumeration", enum: ["a", "b"] },
      title: { type: "string", maxLength: 400 },
      subtitle: { type: "string", maxLength: 400 },
      body: { type: "text" },
      views: { type: "integer" },
      extra: { type: "json" },
      owner: { type: "relation", relation: "manyToOne", target: "api::post.post" },
      tags: { type: "relation", relation: "manyToMany", target: "api::post.post" },
    };
    const told = (indexes: unknown) =>
      problemsOf([type("post", attributes, { indexes })]).map(({ path, message }) => `${path}: ${message}`);
    expect(
      told([
        ["tenant", "title"],
        ["owner", "views", "createdAt"],
      ]),
    ).to.deep.equal([]);
    expect(told("title")).to.deep.equal(["indexes: This is not a list of indexes."]);
    expect(told([["title"], ["views", "views"], "title", ["views", 1]])).to.have.lengthOf(4);
    expect(told([["tenant", "titel"]])).to.deep.equal(['indexes.0: There is no attribute "titel".']);
    expect(told([["tenant", "body"]])).to.deep.equal([
      'indexes.0: "body" may hold a text that is too long for an index.',
    ]);
    expect(told([["title", "subtitle"]])[0]).to.contain("800 characters together");
    for (const name of ["extra", "tags", "id", "documentId"])
      expect(told([["tenant", name]]), name).to.have.lengthOf(1);
  });

  it("are refused for a rename from what still exists", () => {
    expect(complaints({ a: { type: "string", renamedFrom: "b" }, b: { type: "string" } })[0]).to.contain(
      "still exists",
    );
    const pages = type("page", {}, { renamedFrom: "posts" });
    expect(problemsOf([type("post", {}), pages])[0]?.message).to.contain("belongs to api::post.post");
  });

  it("are refused for components and zones that name unknown components", () => {
    expect(complaints({ a: { type: "component", component: "shared.nope" } })[0]).to.contain("shared.nope");
    expect(complaints({ a: { type: "dynamiczone", components: ["x.y"] } })[0]).to.contain("x.y");
    expect(complaints({ a: { type: "component" }, b: { type: "dynamiczone" } })).to.have.lengthOf(2);
    expect(
      problemsOf([], [component("a.b", { z: { type: "dynamiczone", components: ["a.b"] } })])[0]?.message,
    ).to.contain("cannot hold");
  });

  it("are refused for authors that are more than one row each, or hide who they are", () => {
    const person = { name: { type: "string" }, key: { type: "string", private: true }, secret: { type: "password" } };
    const authors = { fields: ["name", "key", "secret", "nope"] };
    const options = { draftAndPublish: true };
    const localized = { i18n: { localized: true } };
    const people = type("person", person, { authors, options, pluginOptions: localized });
    const others = type("writer", { name: { type: "string" } }, { authors: { fields: ["name"] } });
    expect(problemsOf([people, others]).map(({ path, message }) => `${path}: ${message}`)).to.deep.equal([
      "authors: api::person.person holds the authors of this app already.",
      "options.draftAndPublish: Authors have no drafts.",
      "pluginOptions.i18n: Authors have no locales.",
      ...["key", "secret", "nope"].map(
        (name) => `authors.fields: "${name}" is not an attribute with one public value.`,
      ),
    ]);
  });

  it("are refused when a component needs itself without end", () => {
    const needs = (uid: string, more: object = {}) => ({
      c: { type: "component", component: uid, required: true, ...more },
    });
    const circle = problemsOf(
      [],
      [component("a.a", needs("a.b")), component("a.b", needs("a.c")), component("a.c", needs("a.a"))],
    );
    expect(circle.map(({ message }) => message)).to.deep.equal([
      "It needs itself without end: a.a -> a.b -> a.c -> a.a.",
    ]);
    expect(problemsOf([], [component("a.a", needs("a.a", { repeatable: true }))])).to.deep.equal([]);
    expect(problemsOf([], [component("a.a", needs("a.a", { repeatable: true, min: 1 }))])).to.have.lengthOf(1);
    expect(problemsOf([], [component("a.a", needs("a.a", { required: false }))])).to.deep.equal([]);
  });

  it("are refused, not crashed on, when a part has the wrong shape altogether", () => {
    const odd = { uid: "nonsense", info: "x", attributes: [1], kind: "list", options: 5, collectionName: 7 };
    const problems = problemsOf([odd as unknown as RawContentType]);
    expect(problems.map(({ path }) => path)).to.include.members([
      "uid",
      "info.singularName",
      "attributes",
      "kind",
      "collectionName",
    ]);
    expect(complaints({ a: "string" as unknown as RawAttribute })[0]).to.contain("is not an object");
  });
});

function catchError(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
