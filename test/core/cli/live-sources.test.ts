import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isPlinthError } from "@plinth/core";
import type { SourceFile } from "@plinth/core/schema";
import { expect } from "chai";
import { LiveSources } from "#core/cli/develop/live-sources.js";
import { writeSources } from "#core/cli/develop/write-sources.js";
import { eitherDatabase } from "../../databases.js";
import { type Developed, developInProcess } from "../../develop-in-process.js";
import { writeProject } from "../../projects.js";

const BOOK = "src/api/book/content-types/book/schema.json";
const book = (attributes: object) =>
  JSON.stringify({
    kind: "collectionType",
    info: { singularName: "book", pluralName: "books", displayName: "Book" },
    attributes: { title: { type: "string" }, ...attributes },
  });

const PAGES = { pages: { type: "integer" } };

/** The app refuses content-types with this attribute, after its tables have been changed. */
const INDEX = `export default {
  bootstrap({ app }) {
    if (app.model.contentTypes.get("api::book.book").attributes.has("forbidden")) throw new Error("not this one");
  },
};`;

const codeOf = (error: unknown) => (isPlinthError(error) ? error.code : String(error));
const failure = (work: Promise<unknown>) => work.then(() => "nothing", codeOf);

eitherDatabase(import.meta.url, (database) => {
  describe("the sources of an app that is developed", () => {
    let root = "";
    let developed: Developed;
    const read = () => readFileSync(join(root, BOOK), "utf8");
    const change = async (attributes: object, options = {}) => {
      const files = [{ path: BOOK, before: read(), after: book(attributes) }];
      await developed.sources.change(files, options);
      expect(developed.sources.last?.state).to.equal("restarting");
      await developed.settled();
      return developed.sources.last;
    };
    const columns = async () => Object.keys((await developed.app().db.knex("books").first()) ?? {});
    const books = () => developed.app().documents("api::book.book");

    before("serve a project with books", async () => {
      root = writeProject({ [BOOK]: book(PAGES), "config/api.ts": "export default {};", "src/index.ts": INDEX });
      developed = await developInProcess(root, { config: { database: database.config() } });
    });
    after("stop it", () => developed.stop());
    beforeEach("write a book", async () => {
      if (read() !== book(PAGES)) await change(PAGES, { allowDataLoss: true });
      await developed.app().db.query({ text: "delete from books", values: [] });
      await books().create({ data: { title: "Loom", pages: 12 } });
    });

    it("are served as they were written, with what is stored", async () => {
      const before = developed.served();
      expect(await change({ sheets: { type: "integer", renamedFrom: "pages" } })).to.include({ state: "ready" });
      expect(await books().findFirst({})).to.deep.include({ title: "Loom", sheets: 12 });
      expect(developed.served()).to.equal(before + 1);
    });

    it("are put back when the app does not start with them, and so are the tables", async () => {
      const before = read();
      const last = await change({ ...PAGES, forbidden: { type: "string" } });
      expect(last).to.include({ state: "failed" });
      expect(codeOf(last?.failure)).to.equal("PLINTH_PLUGIN_PHASE");
      expect(read()).to.equal(before);
      expect(await columns())
        .to.include("pages")
        .and.not.include("forbidden");
      expect(await books().findFirst({})).to.deep.include({ pages: 12 });
    });

    it("lose nothing unless that is allowed", async () => {
      const before = read();
      const last = await change({});
      expect(codeOf(last?.failure)).to.equal("PLINTH_SCHEMA_DESTRUCTIVE");
      expect(read()).to.equal(before);
      expect(await change({}, { allowDataLoss: true })).to.include({ state: "ready" });
      expect(await columns()).not.to.include("pages");
    });

    it("keep what was to be lost when the app does not start without it", async () => {
      const before = read();
      expect(await change({ forbidden: { type: "string" } }, { allowDataLoss: true })).to.include({ state: "failed" });
      expect(read()).to.equal(before);
      expect(await books().findFirst({})).to.deep.include({ pages: 12 });
    });

    it("may change a kind where the loss is allowed, and serve on as before when that does not start", async () => {
      const text = { pages: { type: "date" } };
      const last = await change({ ...text, forbidden: { type: "string" } }, { allowDataLoss: true });
      expect(last).to.include({ state: "failed" });
      await books().create({ data: { title: "Card", pages: 7 } });
      expect(await books().findFirst({ filters: { title: "Card" } })).to.deep.include({ pages: 7 });
      expect(await change(text, { allowDataLoss: true })).to.include({ state: "ready" });
      expect(await books().findFirst({})).to.deep.include({ pages: null });
    });

    it("leave a file that somebody else changed while it was put back, and say so", async () => {
      const sources = new LiveSources({
        root,
        enqueue: (task) => {
          done = task();
        },
        serve: async () => {
          writeFileSync(join(root, BOOK), "{}");
          throw new TypeError("no");
        },
        report: () => undefined,
      });
      let done: Promise<void> | undefined;
      await sources.change([{ path: BOOK, before: read(), after: book({}) }]);
      await done;
      expect(sources.last).to.deep.include({ state: "failed", left: [BOOK] });
      expect(read()).to.equal("{}");
      writeFileSync(join(root, BOOK), book(PAGES));
    });
  });
});

describe("writing into the folder of a project", () => {
  let root = "";
  let outside = "";
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const text = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : null);
  const fresh = (path: string, after = "new"): SourceFile => ({ path, before: null, after });
  beforeEach("make one", () => {
    root = mkdtempSync(join(tmpdir(), "plinth-sources-"));
    outside = mkdtempSync(join(tmpdir(), "plinth-outside-"));
    write("src/a.json", "a");
  });
  afterEach("remove it", () => {
    for (const folder of [root, outside]) rmSync(folder, { recursive: true, force: true });
  });

  it("makes folders, replaces, and removes with the folders that are empty then", async () => {
    write("src/api/old/content-types/old/schema.json", "old");
    await writeSources(root, [
      fresh("src/components/shared/seo.json"),
      { path: "src/a.json", before: "a", after: "b" },
      { path: "src/api/old/content-types/old/schema.json", before: "old", after: null },
    ]);
    expect([text("src/components/shared/seo.json"), text("src/a.json")]).to.deep.equal(["new", "b"]);
    expect(existsSync(join(root, "src/api/old"))).to.equal(false);
    expect(existsSync(join(root, "src/api"))).to.equal(true);
  });

  for (const path of ["../x.json", "/etc/x.json", "src/../../x.json", "src//x.json", "src\\x.json", "./x.json", "a\0b"])
    it(`refuses ${JSON.stringify(path)}, and writes nothing`, async () => {
      expect(await failure(writeSources(root, [fresh("src/b.json"), fresh(path)]))).to.equal("PLINTH_SOURCES_OUTSIDE");
      expect(text("src/b.json")).to.equal(null);
    });

  it("follows no link out of the project, and replaces none", async () => {
    symlinkSync(outside, join(root, "src", "out"), "dir");
    writeFileSync(join(outside, "x.json"), "x");
    symlinkSync(join(outside, "x.json"), join(root, "src", "x.json"));
    for (const path of ["src/out/y.json", "src/out/deep/y.json"])
      expect(await failure(writeSources(root, [fresh(path)]))).to.equal("PLINTH_SOURCES_OUTSIDE");
    const linked = { path: "src/x.json", before: "x", after: "y" };
    expect(await failure(writeSources(root, [linked]))).to.equal("PLINTH_SOURCES_OUTSIDE");
    expect(readFileSync(join(outside, "x.json"), "utf8")).to.equal("x");
  });

  it("refuses a file that is not as it was read, and one that is there already", async () => {
    for (const file of [fresh("src/a.json"), { path: "src/a.json", before: "other", after: "b" }])
      expect(await failure(writeSources(root, [fresh("src/b.json"), file]))).to.equal("PLINTH_SOURCES_CHANGED");
    expect([text("src/a.json"), text("src/b.json")]).to.deep.equal(["a", null]);
  });

  it("writes none where one cannot be written", async () => {
    write("src/file", "no folder");
    const files = [{ path: "src/a.json", before: "a", after: "b" }, fresh("src/new/b.json"), fresh("src/file/c.json")];
    expect(await failure(writeSources(root, files))).to.equal("PLINTH_SOURCES_NOT_WRITTEN");
    expect([text("src/a.json"), text("src/new/b.json")]).to.deep.equal(["a", null]);
    expect(existsSync(join(root, "src/new"))).to.equal(false);
  });

  it("takes one change at a time, and knows what it wrote itself from what others did", async () => {
    const tasks: (() => Promise<void>)[] = [];
    const serve = () => Promise.resolve();
    const sources = new LiveSources({ root, serve, enqueue: (task) => void tasks.push(task), report: () => undefined });
    await sources.change([fresh("src/x/b.json")]);
    expect(await failure(sources.change([fresh("src/c.json")]))).to.equal("PLINTH_SOURCES_BUSY");
    await tasks[0]?.();
    expect(sources.last?.state).to.equal("ready");
    expect(await sources.areServed(["src/x", "src/x/b.json", "src/x/.b.json.12.plinth-new"])).to.equal(true);
    expect(await sources.areServed(["src/x/b.json", "src/a.json"])).to.equal(false);
    write("src/x/b.json", "by hand");
    expect(await sources.areServed(["src/x/b.json"])).to.equal(false);
    sources.forget();
    write("src/x/b.json", "new");
    expect(await sources.areServed(["src/x/b.json"])).to.equal(false);
  });
});
