import { expect } from "chai";
import { eitherDatabase } from "../databases.js";
import { type Answered, type Bastion, OWNER, serveBastion } from "./bastion/bastion-app.js";

const READER = "reads-no-drafts";
const WRITER = "writes-no-drafts";

/** Conditions on pages, that drafts alone fulfil. */
const CONDITIONS = [
  "[pages][title]=Zdraft",
  "[pages][title][$ne]=P",
  "[$not][pages][title]=P",
  "[pages][title][$gt]=Q",
  "[pages][publishedAt][$null]=true",
  "[pages][seat][name]=free",
  "[pages][$null]=true",
  "[pages][tags][name][$notNull]=true",
];

const paths = ({ made }: Bastion): readonly string[] => [
  ...["pages", "topics", "sections", "tags", "seats"].flatMap((list) =>
    ["", "?populate=*", "?_q=Zdraft", "?locale=fr&populate=*", "?locale=*&populate=*", "?fields=id&sort=id:desc"].map(
      (query) => `/api/${list}${query}`,
    ),
  ),
  ...["sections", "tags", "topics"].flatMap((list) =>
    CONDITIONS.map((condition) => `/api/${list}?filters${condition}`),
  ),
  ...CONDITIONS.map((condition) => `/api/pages?filters[section]${condition}`),
  ...["sections", "tags", "topics"].flatMap((list) => [
    ...["asc", "desc"].map((order) => `/api/${list}?sort=pages.title:${order}&sort=id`),
    `/api/${list}?populate[pages][count]=true`,
    `/api/${list}?populate[pages][filters][title]=Zdraft`,
    `/api/${list}?populate[pages][populate]=*`,
    `/api/${list}?status=draft`,
    `/api/${list}?status=draft&populate=*`,
    `/api/${list}?status=draft&filters[pages][title]=Zdraft`,
    `/api/${list}?status=draft&sort=pages.title`,
  ]),
  "/api/seats?filters[page][title]=Zdraft",
  "/api/seats?status=draft&populate[page][populate]=*",
  "/api/seats?sort=page.title",
  "/api/pages?filters[title]=Zdraft",
  ...["modified", "unmodified", "published-with-draft", "published-without-draft"].map(
    (filter) => `/api/pages?publicationFilter=${filter}`,
  ),
  ...["never-published", "never-published-document", "has-published-version"].map(
    (filter) => `/api/pages?publicationFilter=${filter}`,
  ),
  ...["true", "false"].map((has) => `/api/pages?hasPublishedVersion=${has}`),
  "/api/pages?status=draft",
  "/api/pages?status=draft&hasPublishedVersion=false",
  `/api/pages/${made["pages"]?.linked.documentId}`,
  `/api/pages/${made["pages"]?.linked.documentId}?status=draft`,
  `/api/topics/${made["topics"]?.linked.documentId}?populate=*`,
];

const QUERIES = [
  "{ pages { documentId title } }",
  "{ pages(status: DRAFT) { documentId title } }",
  "{ sections { name pages { title } } }",
  '{ sections(filters: { pages: { title: { eq: "Zdraft" } } }) { documentId } }',
  "{ sections(status: DRAFT) { name pages { title } pages_connection { pageInfo { total } } } }",
  "{ topics { name chaired { title } pages_connection { pageInfo { total } } } }",
  "{ pages_connection(status: DRAFT) { pageInfo { total } } }",
];

async function readAll(bastion: Bastion): Promise<ReadonlyMap<string, Answered>> {
  const answers = new Map<string, Answered>();
  for (const path of paths(bastion)) answers.set(path, await bastion.ask(READER, { method: "GET", path }));
  for (const query of QUERIES)
    answers.set(query, await bastion.ask(READER, { method: "POST", path: "/graphql", body: { query } }));
  return answers;
}

/** Drafts of documents that are published, drafts alone, and links that lead from and to them. */
async function changeDrafts({ ask, made }: Bastion): Promise<void> {
  const id = (plural: string, which: "linked" | "free") => made[plural]?.[which].documentId ?? "";
  const put = async (method: string, path: string, data: object) => {
    const { status, body } = await ask(OWNER, { method, path: `/api/${path}`, body: { data } });
    expect(status, JSON.stringify(body)).to.be.below(300);
  };
  const links = { section: id("sections", "free"), tags: [id("tags", "free")], seat: id("seats", "free") };
  const topical = { topic: id("topics", "free"), themes: [id("topics", "free")] };
  await put("PUT", `pages/${id("pages", "linked")}?status=draft`, { title: "Zdraft", ...links, ...topical });
  await put("PUT", `pages/${id("pages", "linked")}?status=draft&locale=fr`, { title: "Zdraft" });
  await put("POST", "pages?status=draft", { title: "Zdraft", section: id("sections", "linked") });
  await put("POST", "pages?status=draft&locale=fr", { title: "Zdraft", tags: [id("tags", "linked")] });
  await put("PUT", `topics/${id("topics", "linked")}?status=draft`, { name: "Zdraft" });
  await put("POST", "topics?status=draft", { name: "Zdraft", pages: [id("pages", "linked")] });
}

eitherDatabase(import.meta.url, (database) => {
  describe("Drafts", () => {
    const served = serveBastion(database);

    it("change no answer to who may not read them, ETags included", async () => {
      const before = await readAll(served());
      await changeDrafts(served());
      const after = await readAll(served());
      for (const [question, answer] of before) expect(after.get(question), question).to.deep.equal(answer);
      const text = JSON.stringify([...after.values()]);
      expect(text).not.to.contain("Zdraft");
    });

    it("that were never published are not shown by relations of components, and match no filter", async () => {
      const { ask } = served();
      const page = await ask(OWNER, {
        method: "POST",
        path: "/api/pages?status=draft",
        body: { data: { title: "Zpart" } },
      });
      const { documentId } = page.body.data;
      const data = { name: "Parted", part: { page: documentId }, pages: [documentId] };
      const made = await ask(OWNER, { method: "POST", path: "/api/sections", body: { data } });
      const path = `/api/sections/${made.body.data.documentId}?populate[part][populate]=page&populate[pages]=true`;
      const shown = (await ask(READER, { method: "GET", path })).body.data;
      expect([shown.part.page, shown.pages]).to.deep.equal([null, []]);
      const conditions = ["[part][page][title]=Zpart", "[part][page][$notNull]=true", "[pages][title]=Zpart"];
      for (const condition of conditions) {
        const list = await ask(READER, {
          method: "GET",
          path: `/api/sections?filters[name]=Parted&filters${condition}`,
        });
        expect(list.body.data, condition).to.deep.equal([]);
        const all = await ask(OWNER, { method: "GET", path: `/api/sections?filters[name]=Parted&filters${condition}` });
        expect(all.body.data, condition).to.have.length(1);
      }
    });

    it("are refused by 403 where they are asked for", async () => {
      const { ask, made } = served();
      const status = async (path: string, token = READER) => (await ask(token, { method: "GET", path })).status;
      const path = `/api/pages/${made["pages"]?.linked.documentId}?status=draft`;
      expect([await status("/api/pages?status=draft"), await status(path)]).to.deep.equal([403, 403]);
      expect([await status("/api/pages?status=draft", OWNER), await status(path, OWNER)]).to.deep.equal([200, 200]);
      expect(await status("/api/pages?publicationFilter=modified")).to.equal(403);
      expect(await status("/api/pages?hasPublishedVersion=true")).to.equal(200);
    });

    it("are written by who may not read them, who gets their ids", async () => {
      const { ask } = served();
      const body = { data: { title: "Unread" } };
      const made = await ask(WRITER, { method: "POST", path: "/api/pages?status=draft", body });
      expect(made.body.data).to.have.all.keys("id", "documentId");
      const path = `/api/pages/${made.body.data.documentId}`;
      const changed = await ask(WRITER, { method: "PUT", path: `${path}?status=draft&populate=*`, body });
      expect(changed.body.data).to.deep.equal(made.body.data);
      const published = await ask(WRITER, { method: "POST", path: `${path}/actions/publish` });
      expect(published.body.data.title).to.equal("Unread");
      for (const action of ["discard-draft", "unpublish"]) {
        const { status, body: answer } = await ask(WRITER, { method: "POST", path: `${path}/actions/${action}` });
        expect([status, Object.keys(answer.data)], JSON.stringify(answer)).to.deep.equal([200, ["id", "documentId"]]);
      }
    });

    it("are read as far as a rule on reading them says", async () => {
      const { ask } = served();
      for (const title of ["Mine", "Theirs"])
        await ask(OWNER, { method: "POST", path: "/api/pages?status=draft", body: { data: { title } } });
      const { body } = await ask("reads-own-drafts", { method: "GET", path: "/api/pages?status=draft" });
      expect(body.data.map(({ title }: { title: string }) => title)).to.deep.equal(["Mine"]);
      const tested = await ask("reads-own-drafts", {
        ...{ method: "GET", path: "/api/pages?status=draft&filters[title]=Theirs" },
      });
      expect(tested.body.data).to.deep.equal([]);
      for (const [query, expected] of [
        ["publicationFilter=modified", 403],
        ["publicationFilter=unmodified", 403],
        ["publicationFilter=modified&status=draft", 200],
        ["publicationFilter=has-published-version", 200],
      ] as const) {
        const { status } = await ask("reads-own-drafts", { method: "GET", path: `/api/pages?${query}` });
        expect(status, query).to.equal(expected);
      }
    });
  });
});
