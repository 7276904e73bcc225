import { expect } from "chai";
import { type GraphQLInputObjectType, validateSchema } from "graphql";
import type { RawContentType } from "#core/schema/raw.js";
import { component, type } from "../../../core/schema/raw-schemas.js";
import { fieldsOf, schemaOf, sdlOf } from "./schema-of.js";

const localized = { pluginOptions: { i18n: { localized: true } } };
const writer = type("writer", { name: { type: "string", required: true } });
const hero = component("parts.hero", { title: { type: "string", required: true }, views: { type: "biginteger" } });
const note = component("parts.note", {
  writer: { type: "relation", relation: "oneToOne", target: "api::writer.writer" },
});

const post = type(
  "post",
  {
    title: { type: "string", required: true, ...localized },
    kind: { type: "enumeration", enum: ["news", "2nd hand", "true"] },
    at: { type: "time" },
    hidden: { type: "string", private: true },
    secret: { type: "password" },
    fixed: { type: "string", writable: false },
    writer: { type: "relation", relation: "manyToOne", target: "api::writer.writer" },
    writers: { type: "relation", relation: "manyToMany", target: "api::writer.writer" },
    anything: { type: "relation", relation: "morphToMany" },
    notes: { type: "component", component: "parts.note", repeatable: true },
    parts: { type: "dynamiczone", components: ["parts.hero", "parts.note"] },
  },
  { ...localized, options: { draftAndPublish: true } },
);

const file: RawContentType = {
  uid: "plugin::upload.file",
  file: "file.json",
  info: { singularName: "file", pluralName: "files", displayName: "File" },
  files: { mime: "mime" },
  attributes: { name: { type: "string", required: true }, mime: { type: "string", private: true } },
};

describe("The generated schema", () => {
  const schema = schemaOf([post, writer, file], [hero, note]);

  it("is valid", () => {
    expect(validateSchema(schema)).to.deep.equal([]);
  });

  it("shows a content-type's readable attributes, lists with their arguments and as connections", () => {
    expect(sdlOf(schema, "Post")).to.equal(`type Post implements DeleteMutationResponse {
  anything: [GenericMorph]
  at: Time
  createdAt: DateTime
  documentId: ID!
  fixed: String
  kind: ENUM_POST_KIND
  locale: String
  localizations(filters: PostFiltersInput, pagination: PaginationArg = {}, sort: [String] = []): [Post]!
  localizations_connection(filters: PostFiltersInput, pagination: PaginationArg = {}, sort: [String] = []): PostRelationResponseCollection
  notes(filters: ComponentPartsNoteFiltersInput, pagination: PaginationArg = {}, sort: [String] = []): [ComponentPartsNote]
  parts: [PostPartsDynamicZone]
  publishedAt: DateTime
  title: String
  updatedAt: DateTime
  writer: Writer
  writers(filters: WriterFiltersInput, pagination: PaginationArg = {}, sort: [String] = []): [Writer]!
  writers_connection(filters: WriterFiltersInput, pagination: PaginationArg = {}, sort: [String] = []): WriterRelationResponseCollection
}`);
  });

  it("promises required values where there are no drafts, which may lack them", () => {
    expect(sdlOf(schema, "Writer")).to.include("name: String!");
    expect(sdlOf(schema, "ComponentPartsHero")).to.include("title: String\n");
    expect(sdlOf(schema, "UploadFile")).to.include("name: String!");
  });

  it("takes what can be written, private attributes and passwords among it", () => {
    expect(sdlOf(schema, "PostInput")).to.equal(`input PostInput {
  anything: [GenericMorphInput]
  at: Time
  hidden: String
  kind: ENUM_POST_KIND
  notes: [ComponentPartsNoteInput]
  parts: [PostPartsDynamicZoneInput!]
  publishedAt: DateTime
  secret: String
  title: String
  writer: ID
  writers: [ID]
}`);
  });

  it("filters by what can be read, but not by zones and relations without a type", () => {
    expect(fieldsOf(schema, "PostFiltersInput")).to.deep.equal(
      [
        ...["and", "at", "createdAt", "documentId", "every", "fixed", "kind", "locale", "localizations", "none", "not"],
        ...["notes", "or", "publishedAt", "some", "title", "updatedAt", "writer", "writers"],
      ].sort(),
    );
  });

  it("asks what some, none or every entry fulfils where entries of a type are in lists, and no attribute is called so", () => {
    const size = component("parts.size", { width: { type: "integer" } });
    const sizes = { type: "component", component: "parts.size" };
    const every = { type: "string" };
    const shop = (attributes: object) => schemaOf([type("shop", { every, ...attributes })], [size]);
    const offered = (attributes: object, name: string) =>
      fieldsOf(shop(attributes), name)?.filter((field) => ["every", "none", "some"].includes(field));
    expect(offered({ sizes }, "ComponentPartsSizeFiltersInput")).to.deep.equal([]);
    expect(offered({ sizes }, "ShopFiltersInput")).to.deep.equal(["every"]);
    const repeatable = { sizes: { ...sizes, repeatable: true } };
    expect(offered(repeatable, "ComponentPartsSizeFiltersInput")).to.deep.equal(["every", "none", "some"]);
    const others = { others: { type: "relation", relation: "manyToMany", target: "api::shop.shop" } };
    const filters = shop(others).getType("ShopFiltersInput") as GraphQLInputObjectType;
    expect(Object.values(filters.getFields()).map(({ name, type: of }) => [name, String(of)])).to.deep.include.members([
      ["every", "StringFilterInput"],
      ["none", "ShopFiltersInput"],
      ["some", "ShopFiltersInput"],
    ]);
  });

  it("has every operator of filters, the case-insensitive ones too", () => {
    expect(fieldsOf(schema, "StringFilterInput")).to.deep.equal(
      [
        ...["and", "between", "contains", "containsi", "endsWith", "endsWithi", "eq", "eqi", "gt", "gte", "in", "lt"],
        ...["lte", "ne", "nei", "not", "notContains", "notContainsi", "notIn", "notNull", "null", "or", "startsWith"],
        "startsWithi",
      ].sort(),
    );
  });

  it("asks for a locale where a type is localised, and never with another", () => {
    const query = schema.getQueryType()?.getFields() ?? {};
    const argumentsOf = (field: string) => query[field]?.args.map(({ name }) => name);
    expect(argumentsOf("post")).to.include("locale");
    expect(argumentsOf("writers")).to.not.include("locale");
  });

  it("prefixes the names of a plugin's types", () => {
    expect(fieldsOf(schema, "Query")).to.include.members(["uploadFile", "uploadFiles", "uploadFiles_connection"]);
    expect(fieldsOf(schema, "UploadFile")).to.include("name");
  });

  it("shows media as links to files, and takes ids for them, but does not filter by them", () => {
    const cover = { type: "media" };
    const gallery = { type: "media", multiple: true };
    const album = schemaOf([type("album", { cover, gallery }), file]);
    expect(sdlOf(album, "Album")).to.include("\n  cover: UploadFile\n").and.include("[UploadFile]!");
    expect(fieldsOf(album, "Album")).to.include("gallery_connection");
    expect(sdlOf(album, "AlbumInput")).to.include("cover: ID\n  gallery: [ID]\n");
    expect(fieldsOf(album, "AlbumFiltersInput")).to.not.include.members(["cover", "gallery"]);
  });

  it("gives values that are no names a name, and takes and shows them as they are", () => {
    const values = sdlOf(schema, "ENUM_POST_KIND");
    expect(values).to.equal("enum ENUM_POST_KIND {\n  _2nd_hand\n  _true\n  news\n}");
    const kinds = schema.getType("ENUM_POST_KIND") as unknown as { serialize(value: string): string };
    expect(kinds.serialize("2nd hand")).to.equal("_2nd_hand");
  });

  it("calls an enumeration as its schema file does; several of one name and the same values are one type", () => {
    const named = (name: string, values: string[]) =>
      type(name, { kind: { type: "enumeration", enum: values, enumName: "Kind" } });
    const shared = schemaOf([named("one", ["a", "b"]), named("two", ["a", "b"])]);
    for (const name of ["One", "Two"]) expect(sdlOf(shared, name)).to.include("kind: Kind");
    expect(() => schemaOf([named("one", ["a"]), named("two", ["b"])])).to.throw('"Kind" would be the name of');
  });

  it("has no list, no creation and no documentId of single types", () => {
    const home = type("home", { heading: { type: "string" } }, { kind: "singleType" });
    const single = schemaOf([home]);
    expect(fieldsOf(single, "Query")).to.deep.equal(["home"]);
    expect(fieldsOf(single, "Mutation")).to.deep.equal(["deleteHome", "updateHome"]);
    expect(single.getMutationType()?.getFields()["deleteHome"]?.args).to.deep.equal([]);
  });
});

describe("What is switched off in the schema", () => {
  const types = [post, writer];
  const components = [hero, note];

  it("is gone with everything that only led to it", () => {
    const schema = schemaOf(types, components, (extension) => extension.shadowCRUD("api::writer.writer").disable());
    const names = Object.keys(schema.getTypeMap()).filter((name) => name.includes("Writer"));
    expect(names).to.deep.equal([]);
    expect(fieldsOf(schema, "Post")).to.not.include.members(["writer", "writers", "writers_connection"]);
    expect(fieldsOf(schema, "PostFiltersInput")).to.not.include("writer");
    expect(fieldsOf(schema, "PostInput")).to.not.include("writer");
  });

  it("leaves the rest of a content-type when it is an action", () => {
    const schema = schemaOf(types, components, (extension) =>
      extension.shadowCRUD("api::writer.writer").disableActions(["find", "delete"]),
    );
    expect(fieldsOf(schema, "Query")).to.include("writer").and.not.include.members(["writers", "writers_connection"]);
    expect(fieldsOf(schema, "Mutation")).to.include("createWriter").and.not.include("deleteWriter");
    expect(schema.getType("WriterEntityResponseCollection")).to.equal(undefined);
  });

  it("takes inputs along when nothing can be written", () => {
    const schema = schemaOf(types, components, (extension) =>
      extension.shadowCRUD("api::post.post").disableMutations(),
    );
    expect(schema.getType("PostInput")).to.equal(undefined);
    expect(schema.getType("ComponentPartsHeroInput")).to.equal(undefined);
    expect(fieldsOf(schema, "Query")).to.include("post");
  });

  it("is one side of an attribute, or all of it", () => {
    const schema = schemaOf(types, components, (extension) => {
      const shadow = extension.shadowCRUD("api::post.post");
      shadow.field("title").disableOutput();
      shadow.field("at").disableInput();
      shadow.field("fixed").disableFilters();
      shadow.field("kind").disable();
    });
    const sides = ["Post", "PostInput", "PostFiltersInput"].map((name) => fieldsOf(schema, name) ?? []);
    const shows = (field: string) => sides.map((fields) => fields.includes(field));
    expect(shows("title")).to.deep.equal([false, true, true]);
    expect(shows("at")).to.deep.equal([true, false, true]);
    expect(shows("fixed")).to.deep.equal([true, false, false]);
    expect(shows("kind")).to.deep.equal([false, false, false]);
    expect(schema.getType("ENUM_POST_KIND")).to.equal(undefined);
  });
});

describe("Names of the schema", () => {
  it("stop the start when two things would have the same, all of them at once", () => {
    const pagination = type("pagination", { and: { type: "string" } });
    const twice = type("twice", {
      writers: { type: "relation", relation: "oneToMany", target: "api::writer.writer" },
      writers_connection: { type: "string" },
    });
    expect(() => schemaOf([pagination, twice, writer]))
      .to.throw()
      .with.property("details")
      .that.deep.equals({
        problems: [
          '"Pagination" would be the name of api::pagination.pagination and of a type of the server',
          '"PaginationFiltersInput.and" would be the name of its attribute and and of an operator',
          '"api::twice.twice.writers_connection" would be the name of its attribute writers_connection and of its attribute writers',
        ],
      });
  });
});

describe("A schema of 500 content-types", () => {
  it("costs ten times as much as one of 50, not a hundred times", () => {
    // What is done for the first time costs more.
    processorOf(50);
    expect(processorOf(500)).to.be.below(30 * processorOf(50));
  });
});

/** Microseconds of processor for the schema of as many content-types, each with links to two others. */
function processorOf(count: number): number {
  const types = Array.from({ length: count }, (_, index) =>
    type(`thing-${index}`, {
      name: { type: "string" },
      next: { type: "relation", relation: "manyToOne", target: uidOf((index + 1) % count) },
      others: { type: "relation", relation: "manyToMany", target: uidOf((index + 7) % count) },
    }),
  );
  const start = process.cpuUsage();
  schemaOf(types);
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

const uidOf = (index: number): string => `api::thing-${index}.thing-${index}`;
