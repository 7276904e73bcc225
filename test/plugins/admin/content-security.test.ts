import { expect } from "chai";
import { apiTokens } from "@plinth/plugin-api-tokens";
import { eitherDatabase } from "../../databases.js";
import { type ContentApp, type Sent, serveContent } from "./content-app.js";

const ARTICLES = "/content/api::article.article";
const AUTHORS = "/content/api::author.author";

/** An id that no document has. */
const ABSENT = "zzzzzzzzzzzzzzzzzzzzzzzz";

type Request = readonly [method: string, path: string, sent?: Sent];

/** Every endpoint, about one document. */
function requestsOn(id: string): readonly Request[] {
  const data = { title: "Intruded", rank: 1 };
  const headers = { "if-match": "*" };
  const ids = { documentIds: [id] };
  return [
    ["GET", ARTICLES],
    ["GET", `${ARTICLES}/count`],
    ["POST", ARTICLES, { body: { data } }],
    ["POST", `${ARTICLES}/check?mode=publish`, { body: { documentId: id, data } }],
    ["POST", `${ARTICLES}/check`, { body: { documentId: null, data } }],
    ...["publish", "unpublish", "discard-draft", "delete", "set"].map(
      (action): Request => ["POST", `${ARTICLES}/actions/${action}`, { body: { ...ids, data } }],
    ),
    ["GET", `${ARTICLES}/relations/author`],
    ["GET", `${ARTICLES}/relations/author?without=${id}`],
    ["GET", `${ARTICLES}/${id}`],
    ["PUT", `${ARTICLES}/${id}`, { body: { data }, headers }],
    ["PUT", `${ARTICLES}/${id}`, { body: { data, status: "published" }, headers }],
    ["PUT", `${ARTICLES}/${id}?locale=fr`, { body: { data }, headers: { "if-none-match": "*" } }],
    ["DELETE", `${ARTICLES}/${id}`],
    ...["publish", "unpublish", "discard-draft", "duplicate"].map(
      (action): Request => ["POST", `${ARTICLES}/${id}/actions/${action}`],
    ),
    ["GET", `${ARTICLES}/${id}/relations/author`],
    ["GET", `${ARTICLES}/${id}/uses`],
  ];
}

/** Those about what an administrator typed. */
function requestsOnCopies(id: string): readonly Request[] {
  const path = `/working-copies/api::article.article/${id}`;
  const copy = { body: { changes: { title: "Typed" }, device: "laptop" } };
  return [
    ["GET", path],
    ["PUT", path, copy],
    ["DELETE", path],
  ];
}

/** Those that write. */
const isWrite = ([method]: Request) => method !== "GET";

eitherDatabase(import.meta.url, (database) => {
  describe("who may do what with content on the admin page", () => {
    const served = serveContent(database);
    const ask: ContentApp["as"] = (...request) => served().as(...request);
    let article = "";

    before("write an article", async () => {
      const ada = await served().create(AUTHORS, { name: "Ada" });
      article = await served().create(ARTICLES, { title: "Of super", rank: 1, author: ada });
      await ask("super", "POST", `${ARTICLES}/${article}/actions/publish`);
      for (const role of ["author", "editor", "nobody"]) await ask(role, "GET", ARTICLES);
    });

    it("nobody and tokens of the content API do nothing, and an admin token has no content", async () => {
      const { app } = served().plinth;
      const full = await app.service(apiTokens).create({ name: "full", type: "full-access" });
      const admin = await app.service(apiTokens).create({ name: "admin", type: "admin" });
      const before = await served().rows();
      for (const [method, path, sent = {}] of [...requestsOn(article), ...requestsOnCopies(article)]) {
        const by = (key: string) => ({ ...sent, headers: { ...sent.headers, authorization: `Bearer ${key}` } });
        const name = `${method} ${path}`;
        expect((await ask("", method, path, sent)).status, name).to.equal(401);
        expect((await ask("", method, path, by(full.accessKey))).status, name).to.equal(401);
        expect((await ask("", method, path, by(admin.accessKey))).status, name).to.equal(403);
      }
      expect(await served().rows()).to.deep.equal(before);
    });

    it("a role without grants, and a page of another origin, do nothing", async () => {
      const before = await served().rows();
      const away = { "sec-fetch-site": "same-site" };
      for (const [method, path, sent = {}] of [...requestsOn(article), ...requestsOnCopies(article)]) {
        const name = `${method} ${path}`;
        expect((await ask("nobody", method, path, sent)).status, name).to.equal(403);
        const foreign = { ...sent, headers: { ...sent.headers, ...away } };
        expect((await ask("super", method, path, foreign)).status, name).to.equal(403);
      }
      expect((await ask("nobody", "GET", "/working-copies")).body.data).to.deep.equal([]);
      expect(await served().rows()).to.deep.equal(before);
    });

    it("a reader reads, and nothing else", async () => {
      const before = await served().rows();
      for (const request of requestsOn(article)) {
        const [method, path, sent] = request;
        const { status, text } = await ask("reader", method, path, sent);
        expect(status, `${method} ${path}: ${text}`).to.equal(isWrite(request) ? 403 : 200);
      }
      expect(await served().rows()).to.deep.equal(before);
    });

    it("an author reaches what they made, and publishes nothing", async () => {
      const before = await served().rows();
      for (const [method, path, sent] of requestsOn(article).filter(([, path]) => path.includes(article))) {
        const { status, text } = await ask("author", method, path, sent);
        expect(status, `${method} ${path}: ${text}`).to.be.oneOf([403, 404]);
        expect(text).to.not.include("Of super");
      }
      expect(await served().rows()).to.deep.equal(before);
      const made = await ask("author", "POST", ARTICLES, { body: { data: { title: "Own" } } });
      expect(made.status, made.text).to.equal(201);
      const own = `${ARTICLES}/${made.body.data.documentId}`;
      const list = await ask("author", "GET", ARTICLES);
      expect(list.body.data.map(({ title }: { title: string }) => title)).to.deep.equal(["Own"]);
      const tag = made.headers.get("etag") ?? "";
      const change = { body: { data: { title: "Own, changed" } }, headers: { "if-match": tag } };
      expect((await ask("author", "PUT", own, change)).body.data.title).to.equal("Own, changed");
      const kept = await served().rows();
      const published = { body: { data: { title: "x" }, status: "published" }, headers: { "if-match": "*" } };
      expect((await ask("author", "PUT", own, published)).status).to.equal(403);
      expect((await ask("author", "POST", ARTICLES, { body: published.body })).status).to.equal(403);
      expect((await ask("author", "POST", `${own}/actions/publish`)).status).to.equal(403);
      expect(await served().rows()).to.deep.equal(kept);
      expect((await ask("author", "DELETE", own)).status).to.equal(204);
    });

    it("an editor does everything with content", async () => {
      const id = await served().create(ARTICLES, { title: "For the editor" });
      for (const [method, path, sent] of requestsOn(id).filter(
        ([method, path]) => method === "GET" && path.includes(id),
      ))
        expect((await ask("editor", method, path, sent)).status, path).to.equal(200);
      expect((await ask("editor", "POST", `${ARTICLES}/${id}/actions/publish`)).status).to.equal(200);
      expect((await ask("editor", "DELETE", `${ARTICLES}/${id}`)).status).to.equal(204);
    });
  });

  describe("what the admin page does not tell", () => {
    const served = serveContent(database);
    const ask: ContentApp["as"] = (...request) => served().as(...request);
    let shown = "";
    let hidden = "";
    let hiddenAuthor = "";
    let shownAuthor = "";

    before("write what the clerk sees, and what they do not", async () => {
      shownAuthor = await served().create(AUTHORS, { name: "Ada" });
      hiddenAuthor = await served().create(AUTHORS, { name: "Hidden", email: "hidden@example.com" });
      const tag = await served().create("/content/api::tag.tag", { label: "hidden tag" });
      const links = { author: hiddenAuthor, tags: [tag], steps: [{ text: "one", by: hiddenAuthor }] };
      const about = [{ __type: "api::author.author", documentId: hiddenAuthor }];
      shown = await served().create(ARTICLES, { title: "Shown", rank: 1, diary: "Needle", ...links, about });
      hidden = await served().create(ARTICLES, { title: "Needle", rank: 100, author: shownAuthor });
      await ask("super", "POST", `${ARTICLES}/${hidden}/actions/publish`);
    });

    /** Two requests that differ in a hidden and an absent value are answered alike. */
    const expectAlike = async (method: string, path: (id: string) => string, body?: (id: string) => object) => {
      const answers: unknown[] = [];
      for (const id of [hidden, ABSENT]) {
        const sent = { headers: { "if-match": '"abc-0"' }, ...(body ? { body: body(id) } : {}) };
        const { status, text } = await ask("clerk", method, path(id), sent);
        expect(text).to.not.include("Needle");
        answers.push([status, withoutIds(text)]);
      }
      expect(answers[0], `${method} ${path("<id>")}`).to.deep.equal(answers[1]);
    };

    /** What differs between any two requests. */
    const withoutIds = (text: string) =>
      [hidden, hiddenAuthor, ABSENT]
        .reduce((left, id) => left.replaceAll(id, "<id>"), text)
        .replaceAll(/"requestId":"[^"]*"/g, "");

    it("a document that a rule leaves out is answered for like one that there is not, and is not changed", async () => {
      const before = await served().rows();
      const data = { title: "Intruded", rank: 1 };
      for (const path of ["", "?locale=fr", "/uses", "/relations/author"])
        await expectAlike("GET", (id) => `${ARTICLES}/${id}${path}`);
      await expectAlike(
        "PUT",
        (id) => `${ARTICLES}/${id}`,
        () => ({ data }),
      );
      await expectAlike(
        "PUT",
        (id) => `${ARTICLES}/${id}`,
        () => ({ data, status: "published" }),
      );
      await expectAlike("DELETE", (id) => `${ARTICLES}/${id}`);
      for (const action of ["publish", "duplicate"])
        await expectAlike("POST", (id) => `${ARTICLES}/${id}/actions/${action}`);
      for (const action of ["publish", "delete", "set"])
        await expectAlike(
          "POST",
          () => `${ARTICLES}/actions/${action}`,
          (id) => ({ documentIds: [id], data }),
        );
      await expectAlike(
        "POST",
        () => `${ARTICLES}/check`,
        (id) => ({ documentId: id, data }),
      );
      await expectAlike("GET", (id) => `${ARTICLES}/relations/author?without=${id}`);
      expect(await served().rows()).to.deep.equal(before);
    });

    it("a title that may not be seen stands in no list, relation, use or fact", async () => {
      const tag = (await ask("clerk", "GET", `${ARTICLES}/${shown}`)).headers.get("etag") ?? "";
      const answers = [
        await ask("clerk", "GET", ARTICLES),
        await ask("clerk", "GET", `${ARTICLES}?fields=title,author,steps`),
        await ask("clerk", "GET", `${ARTICLES}/${shown}`),
        await ask("clerk", "GET", `${ARTICLES}/${shown}/relations/author`),
        await ask("clerk", "GET", `${ARTICLES}/${shown}/relations/about`),
        await ask("clerk", "GET", `${ARTICLES}/${shown}/relations/steps.by`),
        await ask("clerk", "GET", `${ARTICLES}/relations/author`),
        await ask("clerk", "GET", `${ARTICLES}/relations/author?_q=hidden`),
        await ask("clerk", "GET", `${ARTICLES}/relations/author?_q=${hiddenAuthor}`),
        await ask("clerk", "GET", `${AUTHORS}/${shownAuthor}/uses`),
        await ask("clerk", "PUT", `${ARTICLES}/${shown}`, { body: { data: {} }, headers: { "if-match": tag } }),
        await ask("clerk", "PUT", `${ARTICLES}/${shown}`, { body: { data: {} }, headers: { "if-match": '"abc-0"' } }),
      ];
      for (const { status, text } of answers) {
        expect(status, text).to.be.oneOf([200, 412]);
        expect(text).to.not.match(/needle|hidden/i);
      }
      expect(answers[2]?.body.data.author).to.deep.equal({ total: 0, items: [] });
      expect(answers[2]?.body.data).to.not.have.any.keys("diary", "tags", "pin");
      expect(answers[9]?.body.data).to.deep.equal([]);
    });

    it("values that may not be seen are not found by filters, sorts and searches", async () => {
      const pairs = [
        ...["filters[diary]=", "filters[author][name]=", "filters[tags][label]=", "_q=", "filters[$or][0][diary]="].map(
          (query) => [`${query}Needle`, `${query}Absent`] as const,
        ),
        ["filters[author][name]=Hidden", "filters[author][name]=Absent"] as const,
        ["filters[createdBy][email]=super@example.com", "filters[createdBy][email]=absent@example.com"] as const,
        ["sort=diary:asc", "sort=diary:desc"] as const,
        ["fields=diary", "fields=tags"] as const,
      ];
      for (const [matching, other] of pairs)
        for (const path of ["", "/count"]) {
          const [one, two] = [
            await ask("clerk", "GET", `${ARTICLES}${path}?${matching}`),
            await ask("clerk", "GET", `${ARTICLES}${path}?${other}`),
          ];
          expect(one.status, matching).to.equal(two.status);
          if (one.status === 200) expect(one.text, matching).to.equal(two.text);
        }
      expect((await ask("clerk", "GET", `${ARTICLES}/relations/tags`)).status).to.equal(404);
      expect((await ask("clerk", "GET", "/content/api::tag.tag")).status).to.equal(403);
    });

    it("a locale that may not be seen is neither read nor told of, nor written", async () => {
      const id = await served().create(ARTICLES, { title: "Needle in English", rank: 2 });
      const french = { body: { data: { title: "Français" } }, headers: { "if-none-match": "*" } };
      await ask("super", "PUT", `${ARTICLES}/${id}?locale=fr`, french);
      expect((await ask("translator", "GET", `${ARTICLES}/${id}`)).status).to.equal(404);
      const list = await ask("translator", "GET", `${ARTICLES}?locale=*`);
      expect(list.body.data.map(({ title }: { title: string }) => title)).to.deep.equal(["Français"]);
      const { body, headers } = await ask("translator", "GET", `${ARTICLES}/${id}?locale=fr`);
      expect(body.data._facts.locales).to.deep.equal([{ locale: "fr", state: "draft" }]);
      const tag = headers.get("etag") ?? "";
      const before = await served().rows();
      const change = { body: { data: { title: "Intruded" } }, headers: { "if-match": tag } };
      expect((await ask("translator", "PUT", `${ARTICLES}/${id}`, change)).status).to.equal(404);
      expect(await served().rows()).to.deep.equal(before);
      expect((await ask("translator", "PUT", `${ARTICLES}/${id}?locale=fr`, change)).body.data.title).to.equal(
        "Intruded",
      );
    });

    it("what may not be seen cannot be linked, written or found out by a check", async () => {
      const before = await served().rows();
      for (const path of [ARTICLES, `${ARTICLES}/check`]) {
        const bodyOf = (author: string) => ({ body: { data: { title: "x", rank: 1, author } } });
        const one = await ask("clerk", "POST", path, bodyOf(hiddenAuthor));
        const two = await ask("clerk", "POST", path, bodyOf(ABSENT));
        expect([one.status, withoutIds(one.text)]).to.deep.equal([two.status, withoutIds(two.text)]);
      }
      const tag = (await ask("clerk", "GET", `${ARTICLES}/${shown}`)).headers.get("etag") ?? "";
      for (const data of [{ diary: "x" }, { tags: [] }, { rank: 100 }]) {
        const { status } = await ask("clerk", "PUT", `${ARTICLES}/${shown}`, {
          body: { data },
          headers: { "if-match": tag },
        });
        expect(status, JSON.stringify(data)).to.be.oneOf([400, 403]);
      }
      const body = { documentIds: [shown], data: { rank: 100 } };
      expect((await ask("clerk", "POST", `${ARTICLES}/actions/set`, { body })).status).to.equal(403);
      expect(await served().rows()).to.deep.equal(before);
    });

    it("a working copy of a document that may not be seen has its id for a title", async () => {
      const path = `/working-copies/api::article.article/${hidden}`;
      await ask("clerk", "PUT", path, { body: { changes: {}, device: "laptop" } });
      expect((await ask("clerk", "GET", "/working-copies")).body.data[0].title).to.equal(hidden);
    });
  });
});
