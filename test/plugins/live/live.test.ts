import { EventEmitter, once } from "node:events";
import { implement, type RegisterContext, serviceRef, transformOutput, UnauthenticatedError } from "@plinth/core";
import { type Act, createAbility, currentCaller, onAct, unlimited } from "@plinth/core/access";
import { livePlugin } from "@plinth/plugin-live";
import { type Caller, createCoreRouter, createCoreService, type Params } from "@plinth/plugin-content-api";
import { expect } from "chai";
import { parseConfig } from "#plugins/live/src/config.js";
import { type CorpusRequest, serveCorpusTypes, tokens } from "../../corpus-app.js";
import { eventually } from "../../core/database/driver/note-app.js";
import { eitherDatabase } from "../../databases.js";
import { type EventRequest, type OpenedEvents, openEvents, type ReadEvent } from "./open-events.js";

const LIST = "/api/articles?populate=author&sort=title&fields=title";

const HOME = "api::homepage.homepage";
const homepage = createCoreService(HOME, () => ({
  async find(params: Params, caller: Caller) {
    return await super.find(params, caller);
  },
}));

const dataOf = ({ data }: ReadEvent) => JSON.parse(data);
const titlesIn = (event: ReadEvent) => dataOf(event).data.map(({ title }: { title: string }) => title);

describe("Reads that stay open", () => {
  eitherDatabase(import.meta.url, (database) => {
    const granted: Record<string, boolean> = { fickle: true };
    let ability = unlimited;
    let identifying: (() => Promise<unknown>) | undefined;
    let isBroken = false;
    let tellsCaller = false;
    let failures = 0;
    const acts: Act[] = [];
    const app = serveCorpusTypes(database, {
      plugins: [livePlugin],
      pluginConfig: { live: { interval: 50, heartbeat: 1_000, maxStreams: 40, maxPerCaller: 40 } },
      users: {
        ada: [{ action: "api::article.article.find", where: { title: { $startsWith: "A" } } }],
        own: [{ action: "api::article.article.find", where: { title: "{{user.documentId}}" } }],
      },
      app: {
        strategies: {
          fickle: {
            name: "fickle",
            authenticate: async (bearer: string) => {
              if (granted[bearer] === false) throw new UnauthenticatedError({});
              if (!granted[bearer]) return undefined;
              await identifying?.();
              return { kind: "user", ability };
            },
          },
        },
        register({ on }: RegisterContext<object>) {
          on(onAct, (act) => void acts.push(act));
          on(transformOutput("api::category.category"), (row) => {
            if (isBroken) {
              failures += 1;
              throw new TypeError("a hook that is broken");
            }
            const by = tellsCaller ? { by: currentCaller().ability.key } : {};
            return { ...row, name: `${row["name"]}!`, ...by };
          });
        },
        services: [implement(serviceRef<object>(HOME), { create: (_deps, tools) => homepage(tools) })],
        policies: { "api::author.nobody": () => true },
        routes: {
          "api::author.author": createCoreRouter("api::author.author", { config: { find: { policies: ["nobody"] } } }),
        },
      } as never,
    });
    const streams: OpenedEvents[] = [];
    const open = async (path: string, { token = tokens.full, ...asked }: EventRequest & { token?: string } = {}) => {
      const headers = { ...(token ? { authorization: `Bearer ${token}` } : {}), ...asked.headers };
      const stream = await openEvents(`${app().url}${path}`, { ...asked, headers });
      streams.push(stream);
      return stream;
    };
    const write = async (method: string, path: string, data?: object, options: CorpusRequest = {}) => {
      const { status, body } = await app().request(method, path, { ...options, ...(data ? { body: { data } } : {}) });
      expect(status, JSON.stringify(body)).to.be.lessThan(300);
      return body?.data?.documentId as string;
    };
    let article: string;
    beforeEach("write an article", async () => {
      article = await write("POST", "/api/articles", { title: "Apples" });
    });
    afterEach("close streams, delete articles", async () => {
      for (const stream of streams.splice(0)) stream.close();
      const { documents } = app().plinth.app;
      const all = await documents("api::article.article").findMany({ fields: ["title"] });
      for (const { documentId } of all) await write("DELETE", `/api/articles/${documentId}`);
      await eventually(async () => expect(app().plinth.app.streams.count).to.equal(0));
    });

    it("give the answer, and again each time that it is another one", async () => {
      const stream = await open(LIST);
      expect([stream.status, stream.headers["content-type"], stream.headers["cache-control"]]).to.deep.equal([
        200,
        "text/event-stream; charset=utf-8",
        "no-store",
      ]);
      const plain = await app().request("GET", LIST);
      const first = await stream.next();
      expect(dataOf(first)).to.deep.equal(plain.body);
      expect(plain.headers.get("etag")).to.equal(`W/"${first.id}"`);
      const author = await write("POST", "/api/authors", { name: "Ada" });
      await write("PUT", `/api/articles/${article}`, { author });
      expect(dataOf(await stream.next()).data[0].author.name).to.equal("Ada");
      await write("PUT", `/api/authors/${author}`, { name: "Ada L." });
      expect(dataOf(await stream.next()).data[0].author.name).to.equal("Ada L.");
      await write("POST", "/api/articles", { title: "Bread" });
      expect(titlesIn(await stream.next())).to.deep.equal(["Apples", "Bread"]);
    });

    it("of one document as well, until it is gone", async () => {
      const stream = await open(`/api/articles/${article}?fields=title`);
      expect(dataOf(await stream.next()).data.title).to.equal("Apples");
      await write("PUT", `/api/articles/${article}`, { title: "Apricots" });
      expect(dataOf(await stream.next()).data.title).to.equal("Apricots");
      await write("DELETE", `/api/articles/${article}`);
      const last = await stream.next();
      expect([last.event, dataOf(last).error.status]).to.deep.equal(["end", 404]);
      await stream.ended;
      expect((await open(`/api/articles/${article}`)).status).to.equal(404);
    });

    it("say nothing of what the client does not see", async () => {
      const stream = await open("/api/articles?fields=title", { token: "ada" });
      const other = await open("/api/articles?fields=title");
      await stream.next();
      await other.next();
      await write("POST", "/api/articles", { title: "Bread" });
      await write("PUT", `/api/articles/${article}`, { summary: "Unseen" });
      await write("PUT", `/api/articles/${article}?status=draft`, { title: "A draft", summary: "Unseen" });
      expect(titlesIn(await other.next())).to.include("Bread");
      await write("POST", "/api/articles", { title: "Almonds" });
      expect(titlesIn(await stream.next())).to.include("Almonds");
      expect(stream.events).to.have.length(2);
    });

    it("go on where a client left them", async () => {
      const first = await (await open(LIST)).next();
      const same = await open(LIST, { headers: { "last-event-id": first.id ?? "" } });
      await write("POST", "/api/articles", { title: "Zucchini" });
      expect(titlesIn(await same.next())).to.include("Zucchini");
      const again = await open(LIST, { headers: { "last-event-id": first.id ?? "" } });
      expect(titlesIn(await again.next())).to.include("Zucchini");
    });

    it("are read once for all who ask the same and may see the same", async () => {
      const many = await Promise.all(Array.from({ length: 20 }, () => open(LIST)));
      await Promise.all(many.map((stream) => stream.next()));
      const { db } = app().plinth.app;
      const before = db.statementCount;
      await app()
        .plinth.app.documents("api::article.article")
        .create({ data: { title: "Shared" }, status: "published" });
      for (const stream of many) expect(titlesIn(await stream.next())).to.include("Shared");
      expect(db.statementCount - before).to.be.lessThan(20);
    });

    it("are each caller's own where rules name the caller", async () => {
      await write("POST", "/api/articles", { title: "Mine" });
      const streams = await Promise.all(
        ["Mine", "Apples"].map((title) => open(LIST.replace("populate=author&", ""), { token: `own/1/${title}` })),
      );
      expect(await Promise.all(streams.map(async (stream) => titlesIn(await stream.next())))).to.deep.equal([
        ["Mine"],
        ["Apples"],
      ]);
    });

    it("end when the caller may not see them any more", async () => {
      const stream = await open(LIST, { token: "fickle" });
      await stream.next();
      granted["fickle"] = false;
      const last = await stream.next();
      expect([last.event, dataOf(last).error.status]).to.deep.equal(["end", 401]);
      await stream.ended;
      granted["fickle"] = true;
    });

    it("that end because the caller may not see them any more leave a refusal", async () => {
      const told = (from: number) =>
        acts
          .slice(from)
          .map(({ action, result, details }) => [action, result, details?.["status"], details?.["asked"]]);
      const endOf = async (takeAway: () => void) => {
        const stream = await open(LIST, { token: "fickle" });
        await stream.next();
        const from = acts.length;
        takeAway();
        await stream.ended;
        return told(from);
      };
      try {
        const asked = "api::article.article.find";
        expect(await endOf(() => (granted["fickle"] = false))).to.deep.equal([
          ["access.refuse", "refused", 401, asked],
        ]);
        granted["fickle"] = true;
        expect(await endOf(() => (ability = createAbility("none")))).to.deep.equal([
          ["access.refuse", "refused", 403, asked],
        ]);
      } finally {
        granted["fickle"] = true;
        ability = unlimited;
      }
    });

    it("are for who prefers them to an answer that ends", async () => {
      const typeOf = async (accept: string, path = LIST) =>
        (await open(path, { headers: { accept } })).headers["content-type"]?.split(";")[0];
      expect(await typeOf("application/json;q=0.5, text/event-stream")).to.equal("text/event-stream");
      expect(await typeOf("text/event-stream, */*")).to.equal("text/event-stream");
      for (const accept of ["text/event-stream;q=0", "application/json, text/event-stream;q=0.5", "*/*"])
        expect(await typeOf(accept), accept).to.equal("application/json");
      expect(await typeOf("application/json, text/event-stream;q=0.5", "/api/authors")).to.equal("application/json");
    });

    it("are refused where a request would be, and where code has a part in the answer", async () => {
      expect((await open("/api/articles?filters[nothing]=1")).status).to.equal(400);
      expect((await open(LIST, { token: "nobody" })).status).to.equal(401);
      expect((await open("/api/authors", { token: "ada" })).status).to.equal(403);
      expect((await open("/api/authors")).status).to.equal(406);
      await write("PUT", "/api/homepage", { heading: "Home" });
      expect((await open("/api/homepage")).status).to.equal(406);
    });

    it("show what hooks make of rows", async () => {
      const stream = await open("/api/categories");
      await stream.next();
      const category = await write("POST", "/api/categories", { name: "Fruit" });
      expect(dataOf(await stream.next()).data[0].name).to.equal("Fruit!");
      await write("DELETE", `/api/categories/${category}`);
      expect(dataOf(await stream.next()).data).to.deep.equal([]);
    });

    it("are made as each of the clients, where a hook asks who it is", async () => {
      tellsCaller = true;
      const category = await write("POST", "/api/categories", { name: "Fruit" });
      const all = await open("/api/categories");
      const ofAll = dataOf(await all.next()).data[0].by;
      ability = createAbility(["api::category.*"]);
      const some = await open("/api/categories", { token: "fickle" });
      const ofSome = dataOf(await some.next()).data[0].by;
      expect(ofSome).to.be.a("string").and.not.equal(ofAll);
      await write("PUT", `/api/categories/${category}`, { name: "Bread" });
      for (const [stream, by] of [
        [all, ofAll],
        [some, ofSome],
      ] as const)
        expect(dataOf(await stream.next()).data[0]).to.include({ name: "Bread!", by });
      await write("DELETE", `/api/categories/${category}`);
      ability = unlimited;
      tellsCaller = false;
    });

    it("go on where the answer to somebody with other rights could not be read at first", async () => {
      const category = await write("POST", "/api/categories", { name: "Fruit" });
      const stream = await open("/api/categories", { token: "fickle" });
      await stream.next();
      isBroken = true;
      ability = createAbility(["api::category.*"]);
      await eventually(async () => expect(failures).to.be.greaterThan(0));
      isBroken = false;
      ability = unlimited;
      await write("PUT", `/api/categories/${category}`, { name: "Bread" });
      expect(dataOf(await stream.next()).data[0].name).to.equal("Bread!");
      await write("DELETE", `/api/categories/${category}`);
    });

    it("leave no read behind of clients who go while they are identified", async () => {
      const [[, reads] = []] = app().plinth.app.registry("read-stream").entries();
      const countOfReads = () => (reads as unknown as { readonly counts: { readonly reads: number } }).counts.reads;
      const stream = await open("/api/categories", { token: "fickle" });
      await stream.next();
      expect(countOfReads()).to.equal(1);
      const [asked, left] = [new EventEmitter(), new EventEmitter()];
      const isAsked = once(asked, "asked");
      identifying = () => {
        asked.emit("asked");
        return once(left, "left");
      };
      ability = createAbility(["api::category.*"]);
      await isAsked;
      stream.close();
      await eventually(async () => expect(app().plinth.app.streams.count).to.equal(0));
      left.emit("left");
      identifying = undefined;
      await write("DELETE", `/api/categories/${await write("POST", "/api/categories", { name: "Fruit" })}`);
      ability = unlimited;
      await eventually(async () => expect(countOfReads()).to.equal(0));
    });

    it("say that they are alive", async () => {
      const stream = await open(LIST);
      await eventually(async () =>
        expect(
          stream
            .text()
            .split("\n")
            .filter((line) => line === ":").length,
        ).to.be.at.least(2),
      );
    });

    it("are as many as they may be", async () => {
      const all = await Promise.all(Array.from({ length: 45 }, () => open(LIST)));
      const refused = all.filter(({ status }) => status === 503);
      expect([refused.length, refused[0]?.headers["retry-after"]]).to.deep.equal([
        5,
        refused[0]?.headers["retry-after"],
      ]);
    });
  });
});

describe("A process that is about to stop", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveCorpusTypes(database, { plugins: [livePlugin] });
    it("ends its streams first, and says when to connect again", async () => {
      const streams = await Promise.all(Array.from({ length: 5 }, () => openEvents(`${app().url}/api/articles`)));
      await Promise.all(streams.map((stream) => stream.next()));
      await app().plinth.app.http.close();
      // One that is cut off after closeTimeout says no such thing.
      for (const stream of streams) {
        await stream.ended;
        expect(stream.text()).to.match(/retry: [1-5]\d{3}\n\n$/);
      }
    });
  });
});

describe("The configuration of live", () => {
  it("is refused with every problem at once", () => {
    expect(() => parseConfig({ interval: 1, streams: 5 }))
      .to.throw(/interval.*streams|streams.*interval/s)
      .with.property("code", "PLINTH_LIVE_CONFIG_INVALID");
  });
});
