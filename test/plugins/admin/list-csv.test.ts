import { expect } from "chai";
import { csvCell } from "#plugins/admin/src/csv/csv-text.js";
import { cellText } from "#plugins/admin/src/csv/cell-text.js";
import { eitherDatabase } from "../../databases.js";
import { type ContentApp, serveContent } from "./content-app.js";
import { serveAdmin } from "./serve-admin.js";
import { signIn } from "./sign-in.js";

const ARTICLES = "/content/api::article.article";
const NOTES = "/admin/api/content/api::note.note";

/** The cells of a file, without quotes around them or line ends in them. */
const linesOf = (text: string): readonly (readonly string[])[] =>
  text
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(","));

describe("the cells of a CSV file", () => {
  it("are quoted where they have a separator, a quote or a line end, and only there", () => {
    expect(["a b", "a,b", 'a"b', "a\nb", "a;b", ""].map((text) => csvCell(text, ","))).to.deep.equal([
      ...["a b", '"a,b"', '"a""b"', '"a\nb"', "a;b", ""],
    ]);
    expect(csvCell("a;b", ";")).to.equal('"a;b"');
  });

  it("are no formulas: before what a spreadsheet would run stands an apostrophe, and numbers stay", () => {
    for (const text of ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\t=1", "-"])
      expect(csvCell(text, ","), text).to.equal(`'${text}`);
    expect(csvCell("\r=1", ",")).to.equal('"\'\r=1"');
    expect(csvCell('=HYPERLINK("x","y")', ",")).to.equal('"\'=HYPERLINK(""x"",""y"")"');
    for (const text of ["-5", "+5", "-0.25", "1e9", "a=1"]) expect(csvCell(text, ","), text).to.equal(text);
  });

  it("have the words of blocks, and JSON as it is", () => {
    const blocks = [
      {
        type: "heading",
        children: [
          { type: "text", text: "Of " },
          { type: "link", children: [{ type: "text", text: "numbers" }] },
        ],
      },
      { type: "paragraph", children: [{ type: "text", text: "Two" }] },
    ];
    expect(cellText("blocks", blocks)).to.equal("Of numbers\nTwo");
    expect(cellText("json", { a: [1] })).to.equal('{"a":[1]}');
    expect([cellText("boolean", false), cellText("string", null)]).to.deep.equal(["false", ""]);
  });
});

eitherDatabase("postgres", (database) => {
  describe("a list as a CSV file", () => {
    const served = serveContent(database);
    const ask: ContentApp["as"] = (...request) => served().as(...request);
    const file = async (role: string, query: string) => await ask(role, "GET", `${ARTICLES}/export?${query}`);
    before("write articles", async () => {
      const [ada, bob] = [
        await served().create("/content/api::author.author", { name: "Ada" }),
        await served().create("/content/api::author.author", { name: "Hidden" }),
      ];
      const tags = [
        await served().create("/content/api::tag.tag", { label: "red" }),
        await served().create("/content/api::tag.tag", { label: "blue" }),
      ];
      await served().create(ARTICLES, {
        title: 'First, "one"',
        rank: 1,
        author: ada,
        tags,
        steps: [{ text: "a" }, { text: "b" }],
        diary: "mine",
      });
      await served().create(ARTICLES, { title: "=Second", rank: 2, author: bob });
      await served().create(ARTICLES, { title: "Third", rank: 300 });
    });

    it("has the rows and columns of the view: conditions, sort and columns, relations by title, dates as ISO 8601", async () => {
      const answer = await file(
        "super",
        "fields=title,rank,author,tags,steps&sort=rank:asc&filters[rank][$lt]=100&name=Low ranks!",
      );
      expect(answer.status, answer.text).to.equal(200);
      expect(answer.headers.get("content-type")).to.equal("text/csv; charset=utf-8");
      const day = new Date(served().plinth.app.clock.now()).toISOString().slice(0, 10);
      expect(answer.headers.get("content-disposition")).to.include(`filename="articles-low-ranks-${day}.csv"`);
      const [head, first, second, ...rest] = answer.text.split("\r\n");
      expect(head).to.equal("documentId,Title,Rank,Author,Tags,Steps,state,locale,updatedAt");
      expect(first).to.match(/^[a-z0-9]{24},"First, ""one""",1,Ada,red; blue,2,draft,en,\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      expect(second).to.match(/^[a-z0-9]{24},'=Second,2,Hidden,,0,draft,en,/);
      expect(rest).to.deep.equal([""]);
    });

    it("is of one language, searched as the list, and named after it", async () => {
      const [article] = (await ask("super", "GET", `${ARTICLES}?_q=third`)).body.data;
      const french = { body: { data: { title: "Troisième" } }, headers: { "if-none-match": "*" } };
      await ask("super", "PUT", `${ARTICLES}/${article.documentId}?locale=fr`, french);
      const answer = await file("super", "fields=title&locale=fr&_q=trois&name=Été");
      expect(linesOf(answer.text).map((cells) => cells.slice(1, 4))).to.deep.equal([
        ["Title", "state", "locale"],
        ["Troisième", "draft", "fr"],
      ]);
      expect(answer.headers.get("content-disposition")).to.match(
        /filename="articles-_t_-fr-[\d-]+\.csv"; filename\*=UTF-8''articles-%C3%A9t%C3%A9-fr-/,
      );
    });

    it("has a byte order mark and semicolons for spreadsheets that want them", async () => {
      const headers = await signIn(served().plinth.app, "super");
      const response = await fetch(
        `${served().url}/admin/api${ARTICLES}/export?fields=title&bom=true&separator=semicolon`,
        { headers },
      );
      const bytes = Buffer.from(await response.arrayBuffer());
      expect([...bytes.subarray(0, 3)]).to.deep.equal([0xef, 0xbb, 0xbf]);
      expect(bytes.toString("utf8").split("\r\n")[0]).to.equal("﻿documentId;Title;state;locale;updatedAt");
    });

    it("has nothing that the caller may not read: rows, columns, targets of relations", async () => {
      const answer = await file("clerk", "fields=title,rank,author,tags,diary&sort=rank:asc");
      expect(answer.status, answer.text).to.equal(200);
      expect(answer.text).to.not.match(/mine|Third|red|Hidden|Diary|Tags/);
      expect(answer.text.split("\r\n")[0]).to.equal("documentId,Title,Rank,Author,state,locale,updatedAt");
      expect(linesOf(answer.text)).to.have.length(3);
      expect((await file("clerk", "filters[diary][$containsi]=m")).status).to.equal(400);
      expect((await file("clerk", "sort=diary")).status).to.equal(400);
      expect((await file("nobody", "")).status).to.equal(403);
      expect((await ask("super", "GET", "/content/api::vault.vault/export")).status).to.equal(404);
      expect((await file("super", "fields=title,pin")).text).to.not.match(/Pin/);
    });

    it("refuses what it does not understand before it begins", async () => {
      for (const query of ["fields=absent", "separator=tab", "bom=1", "filters[absent]=1", "sort=absent"])
        expect((await file("super", query)).status, query).to.equal(400);
    });
  });
});

eitherDatabase("postgres", (database) => {
  describe("a list of thousands of rows as a CSV file", () => {
    const ROWS = 6_000;
    const served = serveAdmin(database, {
      pluginConfigs: { "api-tokens": { loginLimit: 1000 }, admin: { csv: { maxRows: ROWS } } },
    });
    const insert = async (from: number, to: number) => {
      const { db, model } = served().plinth.app;
      const text = `insert into "${model.contentTypes.get("api::note.note")?.table}" (document_id, text, published_at)
        select 'note' || n, 'Note ' || n, now() from generate_series($1::int, $2::int) n`;
      await db.query({ text, values: [from, to] });
    };
    before("write notes", () => insert(1, ROWS));

    it("is read in batches, each after the reader has taken the one before, and has every row once", async () => {
      const { app } = served().plinth;
      const headers = await signIn(app, "super");
      const query = app.db.query.bind(app.db);
      let reads = 0;
      app.db.query = (statement) => {
        if (statement.text.includes("notes")) reads += 1;
        return query(statement);
      };
      const response = await fetch(`${served().url}${NOTES}/export?fields=text&sort=id:asc`, { headers });
      const chunks: string[] = [];
      for await (const chunk of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()))
        chunks.push(chunk);
      app.db.query = query;
      const lines = linesOf(chunks.join(""));
      expect(lines).to.have.length(ROWS + 1);
      expect(lines.slice(1).map(([id]) => id)).to.deep.equal(
        Array.from({ length: ROWS }, (_, index) => `note${index + 1}`),
      );
      expect(reads).to.be.at.least(ROWS / 50);
    });

    it("stops reading when its reader goes away", async () => {
      const { app } = served().plinth;
      const headers = await signIn(app, "super");
      const query = app.db.query.bind(app.db);
      let reads = 0;
      app.db.query = (statement) => {
        if (statement.text.includes("notes")) reads += 1;
        return query(statement);
      };
      const away = new AbortController();
      const response = await fetch(`${served().url}${NOTES}/export?fields=text`, { headers, signal: away.signal });
      await (response.body as ReadableStream<Uint8Array>).getReader().read();
      away.abort();
      await new Promise((resolve) => setTimeout(resolve, 500));
      const read = reads;
      await new Promise((resolve) => setTimeout(resolve, 300));
      app.db.query = query;
      expect(reads).to.equal(read);
    });

    it("is refused with a sentence above the most rows that the configuration lets it have", async () => {
      await insert(ROWS + 1, ROWS + 1);
      const headers = await signIn(served().plinth.app, "super");
      const { status, body } = await served().ask("GET", `${NOTES}/export?fields=text`, headers);
      expect([status, body.error.code]).to.deep.equal([413, "PLINTH_ADMIN_EXPORT_TOO_LARGE"]);
      expect(body.error.message).to.include(`more than ${ROWS} rows`);
      const narrowed = await served().ask("GET", `${NOTES}/export?fields=text&filters[text][$eq]=Note 7`, headers);
      expect(linesOf(narrowed.text)).to.have.length(2);
    });
  });
});
