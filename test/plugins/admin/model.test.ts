import { expect } from "chai";
import type { Model, TypeView } from "#plugins/admin/src/wire/model.js";
import type { AttributeView } from "@plinth/plugin-admin";
import { eitherDatabase } from "../../databases.js";
import { serveAdmin, startAdminApp } from "./serve-admin.js";
import { signIn } from "./sign-in.js";

const info = (name: string, displayName: string) => ({ singularName: name, pluralName: `${name}s`, displayName });

const CONTENT = {
  contentTypes: {
    "api::book.book": {
      kind: "collectionType" as const,
      info: { ...info("book", "Book"), description: "What was printed" },
      options: { draftAndPublish: true },
      pluginOptions: {
        i18n: { localized: true },
        admin: { group: "Library", icon: "book", layout: [["isbn", "pages"]] },
      },
      attributes: {
        isbn: { type: "string", unique: true, regex: "^\\d+$", description: "Thirteen digits" },
        name: { type: "string", required: true, maxLength: 80, index: true, displayName: "Name of the book" },
        pages: { type: "integer", min: 1, pluginOptions: { admin: { label: "Number of pages", width: 3 } } },
        pubDate: { type: "date", index: true },
        kind: { type: "enumeration", enum: ["novel", "poems"], default: "novel" },
        isRare: { type: "boolean" },
        note: { type: "text", visible: false },
        summary: { type: "richtext", editable: false },
        price: { type: "decimal", conditions: { visible: { "==": [{ var: "isRare" }, true] } } },
        writer: { type: "relation", relation: "manyToOne", target: "api::writer.writer" },
        about: { type: "relation", relation: "morphToMany" },
        parts: { type: "component", component: "shared.part", repeatable: true, max: 3 },
        colour: { type: "string", customField: "plugin::colours.colour", options: { format: "hex" } },
      },
    },
    "api::writer.writer": {
      kind: "collectionType" as const,
      info: info("writer", "Writer"),
      attributes: { born: { type: "date" }, contact: { type: "email", private: true } },
    },
    "api::secret.secret": {
      kind: "collectionType" as const,
      info: info("secret", "Secret"),
      pluginOptions: { "content-manager": { visible: false } },
      attributes: { text: { type: "string" } },
    },
  },
  components: {
    "shared.part": {
      info: { displayName: "Part", icon: "layers" },
      attributes: {
        count: { type: "integer" },
        heading: { type: "string" },
        seal: { type: "component", component: "shared.seal" },
      },
    },
    "shared.seal": { attributes: { mark: { type: "json" } } },
    "shared.unused": { attributes: { text: { type: "string" } } },
  },
};

const NAMES_ONLY = ["api::book.book.findDrafts", { action: "api::book.book.find", fields: ["name", "isbn"] }] as const;
const roles = {
  reader: NAMES_ONLY,
  pricer: ["api::book.book.find", { action: "api::book.book.update", fields: ["price"] }],
};

eitherDatabase(import.meta.url, (database) => {
  describe("what the admin page knows of the content", () => {
    const served = serveAdmin(database, {
      app: CONTENT,
      pluginConfigs: { "api-tokens": { loginLimit: 1000 }, admin: { roles } },
    });
    const modelOf = async (role: string): Promise<Model> =>
      (await served().ask("GET", "/admin/api/model", await signIn(served().plinth.app, role))).body;
    const bookOf = async (role: string): Promise<TypeView> =>
      (await modelOf(role)).types.find(({ uid }) => uid === "api::book.book") as TypeView;
    const attribute = async (name: string): Promise<AttributeView> =>
      (await bookOf("super")).attributes[name] as AttributeView;

    it("has the types of the app but for those that their schema hides", async () => {
      const { types, components } = await modelOf("super");
      expect(types.map(({ uid }) => uid)).to.deep.equal(["api::book.book", "api::writer.writer"]);
      expect(components.map(({ uid, label, title, icon }) => [uid, label, title, icon])).to.deep.equal([
        ["shared.part", "Part", "heading", "layers"],
        ["shared.seal", "Seal", null, null],
      ]);
    });

    it("is as the schema says, and chosen by kind and name where it says nothing", async () => {
      const book = await bookOf("super");
      expect(book).to.deep.include({
        ...{ kind: "collectionType", label: "Book", description: "What was printed", group: "Library", icon: "book" },
        ...{ title: "name", hasDrafts: true, isLocalized: true, sortable: ["id", "name", "pubDate"] },
        list: ["name", "isbn", "pages", "pubDate", "kind"],
        layout: [
          ["isbn", "pages"],
          ["name", "pubDate"],
          ["kind", "isRare"],
          ...[["summary"], ["price", "writer"], ["about"], ["parts"], ["colour"]],
        ],
      });
      // A private attribute names nothing where the schema does not say so.
      expect((await modelOf("super")).types[1]).to.deep.include({
        title: "documentId",
        icon: null,
        group: null,
        description: null,
      });
    });

    it("has labels, hints, widths, limits and conditions of attributes", async () => {
      const common = {
        placeholder: null,
        isEditable: true,
        isVisible: true,
        isRequired: false,
        isLocalized: false,
        isUnique: false,
      };
      expect(await attribute("isbn")).to.deep.equal({
        ...{
          ...common,
          kind: "string",
          label: "Isbn",
          hint: "Thirteen digits",
          width: 6,
          isUnique: true,
          regex: "^\\d+$",
        },
      });
      expect(await attribute("name")).to.include({ label: "Name of the book", isRequired: true, maxLength: 80 });
      expect(await attribute("pages")).to.include({ label: "Number of pages", width: 3, min: 1 });
      expect(await attribute("pubDate")).to.include({ label: "Pub date", width: 4 });
      expect(await attribute("kind")).to.deep.include({ values: ["novel", "poems"], default: "novel" });
      expect(await attribute("note")).to.include({ isVisible: false, width: 12 });
      expect(await attribute("summary")).to.include({ isEditable: false });
      expect((await attribute("price")).condition).to.deep.equal({ "==": [{ var: "isRare" }, true] });
      expect(await attribute("writer")).to.include({
        kind: "relation",
        target: "api::writer.writer",
        isMultiple: false,
      });
      expect(await attribute("about")).to.deep.include({
        target: null,
        targets: ["api::book.book", "api::writer.writer"],
      });
      expect(await attribute("parts")).to.deep.include({ component: "shared.part", isMultiple: true, max: 3 });
      expect(await attribute("colour")).to.deep.include({
        field: "plugin::colours.colour",
        options: { format: "hex" },
      });
    });

    it("leaves out what a role may not find, and says what it may not change", async () => {
      const { types, components } = await modelOf("reader");
      expect(types.map(({ uid }) => uid)).to.deep.equal(["api::book.book"]);
      expect(components).to.deep.equal([]);
      const [book] = types;
      expect(Object.keys(book?.attributes ?? {})).to.deep.equal(["isbn", "name"]);
      expect([book?.list, book?.layout]).to.deep.equal([
        ["name", "isbn"],
        [["isbn"], ["name"]],
      ]);
      expect(book?.attributes["name"]?.isEditable).to.equal(false);
      const priced = await bookOf("pricer");
      expect([priced.attributes["price"]?.isEditable, priced.attributes["name"]?.isEditable]).to.deep.equal([
        true,
        false,
      ]);
      expect(await modelOf("nothing")).to.deep.equal({ types: [], components: [] });
    });

    it("is sent once to a browser that has it", async () => {
      const headers = await signIn(served().plinth.app, "super");
      const first = await served().ask("GET", "/admin/api/model", headers);
      const etag = first.headers.get("etag") ?? "";
      expect(first.headers.get("cache-control")).to.equal("private, no-cache");
      const second = await served().ask("GET", "/admin/api/model", { ...headers, "if-none-match": etag });
      expect([second.status, second.text]).to.deep.equal([304, ""]);
      const others = await signIn(served().plinth.app, "reader");
      expect((await served().ask("GET", "/admin/api/model", { ...others, "if-none-match": etag })).status).to.equal(
        200,
      );
    });

    it("starts with who is signed in and what they may do", async () => {
      const ask = async (role: string) =>
        (await served().ask("GET", "/admin/api/boot", await signIn(served().plinth.app, role))).body;
      const boot = await ask("super");
      expect(boot.user).to.include({ email: "super@example.com", role: "super" });
      expect(boot.may["api::book.book"]).to.include.members(["find", "create", "publish"]);
      expect(boot.may["api::writer.writer"]).to.include("delete").and.not.to.include("publish");
      expect(boot.actions).to.include.members(["plugin::admin.accounts", "plugin::admin.builder"]);
      expect(boot.locales).to.deep.equal([{ code: "en", name: "English", isDefault: true }]);
      expect(boot.plugins).to.include.members(["admin", "api-tokens"]).and.not.to.include("i18n");
      expect(boot.environment).to.equal("development");
      expect(boot.modelVersion).to.match(/^[\w-]{16}$/);
      const reader = await ask("reader");
      expect([reader.may, reader.actions]).to.deep.equal([{ "api::book.book": ["find", "findDrafts"] }, []]);
      const author = await ask("author");
      expect(author.may["api::book.book"]).to.include.members(["find", "create", "update", "delete", "discardDraft"]);
      expect(author.may["api::book.book"]).not.to.include("publish").and.not.to.include("unpublish");
    });
  });

  describe("a schema that the admin page does not understand", () => {
    it("stops the start, with all that is wrong", async () => {
      const pluginOptions = { admin: { list: ["texts"], layout: [["text", "other"]] } };
      const text = { type: "string", pluginOptions: { admin: { width: 5, titel: "Text" } } };
      const contentTypes = {
        "api::odd.odd": {
          kind: "collectionType" as const,
          info: info("odd", "Odd"),
          pluginOptions,
          attributes: { text },
        },
      };
      const failure = await startAdminApp(database, { app: { contentTypes } }).catch((error: Error) => error);
      const problems = (failure as Error).message + String((failure as { cause?: Error }).cause?.message);
      expect(problems).to.include("Schemas say what the admin page does not understand");
      for (const part of ["titel", 'names "texts"', 'names "other"', "width must be"])
        expect(problems).to.include(part);
    });
  });
});
