import { existsSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { definePlugin } from "@plinth/core";
import { type Act, onAct } from "@plinth/core/access";
import { expect } from "chai";
import type { BuilderView, SchemaChange } from "#plugins/admin/src/wire/builder.js";
import { eitherDatabase } from "../../databases.js";
import { loadForTest, startForTest } from "../../projects.js";
import { type Attributes, BOOK, type BuilderApp, developBooks, plugins, WRITER, writeBooks } from "./builder-app.js";
import { requestJson } from "./serve-admin.js";
import { signIn } from "./sign-in.js";

const BOOKS = "api::book.book";
const WRITERS = "api::writer.writer";

const without = (attributes: Attributes, name: string): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([key]) => key !== name));

/** An attribute under another name, in its place. */
const renamed = (attributes: Attributes, from: string, to: string): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) =>
      name === from ? [to, { ...value, renamedFrom: from }] : [name, value],
    ),
  );

const NEW_TYPE = (uid: string, attributes: object = { name: { type: "string" } }): SchemaChange => ({
  uid,
  shape: "type",
  base: null,
  schema: {
    kind: "collectionType",
    collectionName: "shelves",
    info: { singularName: "shelf", pluralName: "shelves", displayName: "Shelf" },
    attributes,
  },
});

eitherDatabase(import.meta.url, (database) => {
  describe("the builder of content-types", () => {
    let app: BuilderApp;
    const acts: Act[] = [];
    const listener = definePlugin<object>({
      name: "act-listener",
      register: ({ on }) => on(onAct, (act) => void acts.push(act)),
    });
    before("serve a project", async () => {
      app = await developBooks({ database: database.config() }, [listener]);
    });
    after("stop it", () => app.stop());
    const books = () => app.app().documents(BOOKS);

    it("shows every schema with its file, whoever declared it", async () => {
      const { body } = await app.ask("GET", "");
      const { canChange, shapes, change } = body as BuilderView;
      expect([canChange, change]).to.deep.equal([true, null]);
      const book = await app.view(BOOKS);
      expect(book).to.deep.include({ shape: "type", path: BOOK, form: "whole", isChangeable: true, others: {} });
      expect(book.schema["x-owner"]).to.deep.equal({ team: "red" });
      const admin = await app.view("plugin::api-tokens.admin");
      expect(admin.form).to.equal("addition");
      expect(admin.path).to.equal("src/extensions/api-tokens/content-types/admin/schema.json");
      expect(Object.keys(admin.others)).to.include.members(["email", "role"]);
      expect(shapes.map(({ uid }) => uid)).to.include("shared.part");
    });

    it("plans files and tables, and writes nothing", async () => {
      const before = app.text(BOOK);
      const change = await app.change(BOOKS, (all) => ({ ...all, isbn: { type: "string", unique: true } }));
      const { files, steps, losses, problems, hash } = await app.plan(change);
      expect([problems, losses]).to.deep.equal([[], []]);
      expect(hash).to.be.a("string");
      expect(files).to.have.length(1);
      expect(files[0]).to.include({ path: BOOK, before });
      expect(files[0]?.after).to.include('"isbn": { "type": "string", "unique": true }');
      expect(steps[0]).to.deep.include({ kind: "add column", table: "books", column: "isbn", losesContent: false });
      expect(steps[0]?.sql).to.deep.equal(['alter table "books" add column "isbn" text']);
      expect(steps.map(({ phase }) => phase)).to.include("indexes");
      expect(app.text(BOOK)).to.equal(before);
    });

    it("says what is wrong at its place, in words, and leaves it at that", async () => {
      const change = await app.change(BOOKS, (all) => ({
        ...all,
        isbn: { type: "strnig" },
        writer: { ...all["writer"], inversedBy: "boks" },
      }));
      const schema = { ...change.schema, pluginOptions: { admin: { list: ["title", "nothing"] } } };
      const { problems, hash, steps } = await app.plan({ ...change, schema });
      expect([hash, steps]).to.deep.equal([null, []]);
      expect(problems.map(({ uid, path }) => [uid, path])).to.deep.include.members([[BOOKS, "attributes.isbn.type"]]);
      expect(problems[0]?.message).to.include("strnig");
      expect(problems[0]?.remedy).to.include("string");
      const ofPage = {
        ...(await app.change(BOOKS, () => undefined)),
        schema: { ...(await app.view(BOOKS)).schema, pluginOptions: { admin: { list: ["nothing"] } } },
      };
      const [problem] = (await app.plan(ofPage)).problems;
      expect(problem).to.deep.include({ uid: BOOKS, path: "pluginOptions.admin.list" });
      const malformed = { ...change, schema: { ...change.schema, attributes: [], info: "Book" } };
      expect((await app.plan(malformed as never)).problems.map(({ path }) => path)).to.deep.equal([
        "info",
        "attributes",
      ]);
      const refused = await app.ask("POST", "/apply", { changes: [change], hash: "x" });
      expect(refused.body.error).to.include({ code: "PLINTH_ADMIN_BUILDER_INVALID" });
    });

    it("renames with what is stored, in both files of a relation, and keeps the keys that it does not know", async () => {
      await books().create({ data: { title: "Loom", pages: 12, parts: [{ heading: "One", count: 1 }] } as never });
      const changes = [
        await app.change(BOOKS, (all) => renamed(renamed(all, "pages", "sheets"), "writer", "author")),
        await app.change(WRITERS, (all) => ({ ...all, books: { ...all["books"], mappedBy: "author" } })),
        await app.change("shared.part", (all) => renamed(all, "heading", "title")),
      ];
      const { steps } = await app.plan(...changes);
      expect(steps.filter(({ losesContent }) => losesContent)).to.deep.equal([]);
      expect(await app.apply(changes)).to.deep.include({ state: "ready", problems: [] });
      const [told, ...others] = acts.filter(({ action }) => action === "builder.apply");
      expect([told?.result, told?.details, others]).to.deep.equal([
        "accepted",
        { uids: [BOOKS, WRITERS, "shared.part"] },
        [],
      ]);
      expect(told?.origin.actor?.kind).to.equal("admin");
      expect(told?.origin.actor?.id).to.be.a("string");
      expect(await books().findFirst({ populate: ["parts"] } as never)).to.deep.include({ title: "Loom", sheets: 12 });
      const [part] = ((await books().findFirst({ populate: ["parts"] } as never)) as { parts?: object[] })?.parts ?? [];
      expect(part).to.deep.include({ title: "One", count: 1 });
      const text = app.text(BOOK);
      expect(text).to.include('"x-owner": { "team": "red" },').and.include('{ "shop": { "shelf": 3 } }');
      expect(text).to.include('    "sheets": { "type": "integer", "renamedFrom": "pages" },\n    "author": {');
      expect(text.endsWith("}\n")).to.equal(true);
    });

    it("refuses to lose content whose name was not typed in, and loses it where it was", async () => {
      const changes = [await app.change(BOOKS, (all) => without(all, "sheets"))];
      const { losses, hash, steps } = await app.plan(...changes);
      expect(losses).to.deep.equal([{ id: `${BOOKS}#sheets`, uid: BOOKS, attribute: "sheets", name: "sheets" }]);
      expect(steps.find(({ losesContent }) => losesContent)?.sql.join()).to.include('drop column "sheets"');
      for (const names of [{}, { [`${BOOKS}#sheets`]: "sheet" }]) {
        const { status, body } = await app.ask("POST", "/apply", { changes, hash, names });
        expect([status, body.error.code]).to.deep.equal([400, "PLINTH_ADMIN_BUILDER_LOSS"]);
      }
      expect(await books().findFirst({})).to.have.property("sheets", 12);
      expect(await app.apply(changes, { [`${BOOKS}#sheets`]: "sheets" })).to.include({ state: "ready" });
      expect(await books().findFirst({})).not.to.have.property("sheets");
    });

    it("names what components lose, and what goes with a change of kind", async () => {
      const part = await app.change("shared.part", (all) => without(all, "count"));
      expect((await app.plan(part)).losses.map(({ id }) => id)).to.deep.equal(["shared.part#count"]);
      const kind = await app.change(BOOKS, (all) => ({ ...all, title: { type: "integer" } }));
      expect((await app.plan(kind)).losses.map(({ id }) => id)).to.deep.equal([`${BOOKS}#title`]);
    });

    it("makes a type and a component, and takes a type away with its folder", async () => {
      const component: SchemaChange = {
        ...{ uid: "stock.label", shape: "component", base: null },
        schema: { info: { displayName: "Label" }, attributes: { text: { type: "string" } } },
      };
      const type = NEW_TYPE("api::shelf.shelf", {
        name: { type: "string" },
        label: { type: "component", component: "stock.label" },
      });
      expect(await app.apply([type, component])).to.include({ state: "ready" });
      const file = "src/api/shelf/content-types/shelf/schema.json";
      expect(app.text(file)).to.match(/^\{\n {2}"kind": "collectionType",[\s\S]*\}\n$/);
      expect(app.text("src/components/stock/label.json")).to.include("Label");
      await app
        .app()
        .documents("api::shelf.shelf")
        .create({ data: { name: "A", label: { text: "x" } } });
      const { shape, base } = await app.view("api::shelf.shelf");
      const gone: SchemaChange = { uid: "api::shelf.shelf", shape, base, schema: null };
      const { losses } = await app.plan(gone);
      expect(losses.map(({ id, name }) => [id, name])).to.deep.equal([["api::shelf.shelf", "shelf"]]);
      expect(await app.apply([gone], { "api::shelf.shelf": "shelf" })).to.include({ state: "ready" });
      expect(existsSync(join(app.root, "src/api/shelf"))).to.equal(false);
      expect(app.app().model.contentTypes.has("api::shelf.shelf")).to.equal(false);
    });

    it("adds attributes to a type of a plugin in a file of the app, and nothing else", async () => {
      const uid = "plugin::api-tokens.admin";
      const { shape, base } = await app.view(uid);
      const schema = { attributes: { phone: { type: "string" } } };
      const more = { uid, shape, base, schema: { ...schema, info: {} } };
      expect((await app.plan(more)).problems[0]?.message).to.include("only attributes can be added");
      expect(await app.apply([{ uid, shape, base, schema }])).to.include({ state: "ready" });
      expect(app.app().model.contentTypes.get(uid)?.attributes.has("phone")).to.equal(true);
      expect((await app.view(uid)).schema["attributes"]).to.deep.equal(schema.attributes);
    });

    it("refuses what was planned of files or a model that are others by now", async () => {
      const changes = [await app.change(BOOKS, (all) => ({ ...all, isbn: { type: "string" } }))];
      const { hash } = await app.plan(...changes);
      const before = app.text(BOOK);
      app.write(BOOK, before.replace('"Book"', '"Volume"'));
      for (const [path, body] of [
        ["/plan", { changes }],
        ["/apply", { changes, hash }],
      ] as const) {
        const { status, body: answer } = await app.ask("POST", path, body);
        expect([status, answer.error.code]).to.deep.equal([409, "PLINTH_ADMIN_BUILDER_STALE"]);
        expect(answer.error.details.files).to.deep.equal([BOOK]);
      }
      expect(app.text(BOOK)).to.include("Volume");
      app.write(BOOK, before);
      const other = await app.ask("POST", "/apply", { changes, hash: "of another plan" });
      expect([other.status, other.body.error.details.files]).to.deep.equal([409, []]);
    });

    it("loses nothing that the files of other types lack meanwhile, because the app does not run with them", async () => {
      const changes = [await app.change(BOOKS, (all) => ({ ...all, draft: { type: "string" } }))];
      expect(await app.apply(changes)).to.include({ state: "ready" });
      const writers = app.app().documents(WRITERS);
      const { documentId } = await writers.create({ data: { name: "Ada" } });
      const before = app.text(WRITER);
      app.write(WRITER, before.replace('"name": { "type": "string" },', ""));
      const refusal = await app.reload().catch((error: unknown) => error);
      expect(JSON.stringify(refusal, ["code", "cause"])).to.include("PLINTH_SCHEMA_DESTRUCTIVE");
      const lossy = [await app.change(BOOKS, (all) => without(all, "draft"))];
      const { hash } = await app.plan(...lossy);
      const names = { [`${BOOKS}#draft`]: "draft" };
      const { status, body } = await app.ask("POST", "/apply", { changes: lossy, hash, names });
      expect([status, body.error.code]).to.deep.equal([409, "PLINTH_ADMIN_BUILDER_UNSERVED"]);
      expect(body.error.details.files).to.deep.equal([WRITER]);
      expect(app.text(BOOK)).to.include('"draft"');
      app.write(WRITER, before);
      expect(await app.apply(lossy, names)).to.include({ state: "ready" });
      expect(await app.app().documents(WRITERS).findOne({ documentId })).to.include({ name: "Ada" });
    });

    it("puts the files back when the app does not start, and says why", async () => {
      const before = app.text(BOOK);
      const changes = [
        await app.change(BOOKS, (all) => ({ ...all, forbidden: { type: "string" } })),
        { uid: "stock.extra", shape: "component" as const, base: null, schema: { attributes: {} } },
      ];
      const change = await app.apply(changes);
      expect(change.state).to.equal("failed");
      expect(change.problems[0].message).to.include("no such thing here");
      expect(app.text(BOOK)).to.equal(before);
      expect(existsSync(join(app.root, "src/components/stock/extra.json"))).to.equal(false);
      expect(await books().findFirst({})).to.include({ title: "Loom" });
    });

    it("shows a file that is no JSON at the moment, and does not touch it", async () => {
      const before = app.text(BOOK);
      app.write(BOOK, `${before.trimEnd()},`);
      const view = await app.view(BOOKS);
      expect(view.isChangeable).to.equal(false);
      expect(Object.keys(view.schema["attributes"] as object)).to.include("title");
      const { problems } = await app.plan({ uid: BOOKS, shape: "type", base: view.base, schema: view.schema });
      expect(problems[0]?.message).to.include("not in a schema file that can be read");
      app.write(BOOK, before);
    });

    for (const uid of [
      "api::../../etc.passwd",
      "api::a/b.c",
      "../x.y",
      "plugin::x.y",
      "api::Shelf.shelf",
      "api::__proto__.x",
    ])
      it(`writes nothing for a type called ${uid}`, async () => {
        const { problems, files } = await app.plan(NEW_TYPE(uid));
        expect(files).to.deep.equal([]);
        expect(problems[0]).to.deep.include({ uid, path: "" });
      });

    it("follows no link that leads out of the project", async () => {
      const outside = mkdtempSync(join(tmpdir(), "plinth-outside-"));
      symlinkSync(outside, join(app.root, "src", "components", "linked"), "dir");
      const change: SchemaChange = { uid: "linked.x", shape: "component", base: null, schema: { attributes: {} } };
      const { hash } = await app.plan(change);
      const { status, body } = await app.ask("POST", "/apply", { changes: [change], hash });
      expect([status, body.error.code]).to.deep.equal([400, "PLINTH_SOURCES_OUTSIDE"]);
      expect(existsSync(join(outside, "x.json"))).to.equal(false);
    });

    it("checks the form of a request", async () => {
      const change = NEW_TYPE("api::shelf.shelf");
      for (const changes of [[], [change, change], [{ ...change, shape: "thing" }], [{ ...change, more: 1 }]])
        expect((await app.ask("POST", "/plan", { changes })).status).to.equal(400);
    });

    it("is for roles with its action only", async () => {
      const body = { changes: [NEW_TYPE("api::shelf.shelf")], hash: "x" };
      for (const [method, path] of [
        ["GET", ""],
        ["GET", "/change"],
        ["GET", "/export"],
        ["POST", "/plan"],
        ["POST", "/apply"],
      ] as const)
        expect((await app.ask(method, path, method === "POST" ? body : undefined, "editor")).status).to.equal(403);
    });
  });
});

describe("the builder of content-types where the app is not developed, as in production", () => {
  it("shows and exports, and changes nothing", async () => {
    const root = writeBooks();
    const setup = await loadForTest(root, { environment: "test" });
    const { plinth, url } = await startForTest({ ...setup, plugins });
    try {
      const ask = async (method: string, path: string, body?: unknown) =>
        await requestJson(`${url}/admin/api/builder${path}`, method, await signIn(plinth.app, "super"), body);
      const { canChange, shapes } = (await ask("GET", "")).body as BuilderView;
      expect([canChange, shapes.some(({ isChangeable }) => isChangeable)]).to.deep.equal([false, false]);
      const exported = await ask("GET", "/export");
      expect(exported.headers.get("content-disposition")).to.equal('attachment; filename="content-model.json"');
      expect(Object.keys(exported.body.files)).to.include.members([BOOK, "src/components/shared/part.json"]);
      expect(exported.body.files[BOOK]["x-owner"]).to.deep.equal({ team: "red" });
      const body = { changes: [NEW_TYPE("api::shelf.shelf")] };
      for (const [path, sent] of [
        ["/plan", body],
        ["/apply", { ...body, hash: "x" }],
      ] as const) {
        const { status, body: answer } = await ask("POST", path, sent);
        expect([status, answer.error.code]).to.deep.equal([409, "PLINTH_ADMIN_BUILDER_READ_ONLY"]);
      }
      expect(existsSync(join(root, "src/api/shelf"))).to.equal(false);
    } finally {
      await plinth.stop();
    }
  });
});
