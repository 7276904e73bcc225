import type { Readable } from "node:stream";
import { type RegisterContext, transformOutput } from "@plinth/core";
import { createAbility } from "@plinth/core/access";
import type { StreamedRead } from "@plinth/core/http";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { livePlugin } from "@plinth/plugin-live";
import { createTestApp, type TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { eventually } from "../../core/database/driver/note-app.js";
import { eitherDatabase } from "../../databases.js";
import { type OpenedEvents, openEvents, type ReadEvent } from "./open-events.js";

const SLOW = "api::slow.slow";
const FAST = "api::fast.fast";
const OFFER = "api::offer.offer";

const typeOf = (name: string, attributes: object = {}) => ({
  kind: "collectionType",
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes: { title: { type: "string" }, ...attributes },
});

const titlesIn = ({ data }: ReadEvent) => JSON.parse(data).data.map(({ title }: { title: string }) => title);

/** Holds what comes, until it is opened. */
class Gate {
  waiting = 0;
  open!: () => void;
  readonly #isOpen = new Promise<void>((resolve) => {
    this.open = resolve;
  });

  /** @param most - how many it holds; all others pass. */
  constructor(readonly most = Number.POSITIVE_INFINITY) {}

  async pass(): Promise<void> {
    if (this.waiting >= this.most) return;
    this.waiting += 1;
    await this.#isOpen;
  }
}

/** Streams of one read of the test's own, each of an account; `write` changes its answer. */
async function openOwn(
  { app, own }: { readonly app: TestApp["app"]; readonly own: Readable[] },
  count: number,
  answer: (version: number) => object,
) {
  let version = 1;
  let made = 0;
  let read = 0;
  const source = { decides: true, tables: [], types: [], stampOf: () => String(version) };
  const [[, reads] = []] = app.registry("read-stream").entries();
  const join = async (streams: number) => {
    const answers = await Promise.all(
      Array.from({ length: streams }, async (_none, id) =>
        reads?.open({
          request: { headers: {}, ip: "", actor: { kind: "badge", id: `own ${id}` } },
          identify: async () => undefined,
          key: () => "own",
          read: async () => {
            read += 1;
            return { status: 200, body: answer(version), source, stamp: String(version) };
          },
          form: {
            next: (body: string) => {
              made += 1;
              return `data: ${body}\n\n`;
            },
            end: () => "",
          },
        } as unknown as StreamedRead),
      ),
    );
    const joined = answers.map((given) => given?.body as Readable);
    own.push(...joined);
    return joined;
  };
  const bodies = await join(count);
  const write = () => {
    version += 1;
  };
  return { bodies, made: () => made, read: () => read, join, write };
}

describe("Live reads beside each other", () => {
  eitherDatabase(import.meta.url, (database) => {
    let test: TestApp;
    let gate: Gate | undefined;
    let fault: Error | undefined;
    const streams: OpenedEvents[] = [];
    const own: Readable[] = [];
    before("start an app", async () => {
      test = await createTestApp({
        plugins: [contentApiPlugin, livePlugin],
        database: database.config(),
        app: {
          contentTypes: {
            [SLOW]: typeOf("slow"),
            [FAST]: typeOf("fast"),
            [OFFER]: typeOf("offer", { until: { type: "datetime" } }),
          },
          strategies: {
            badges: {
              name: "badges",
              authenticate: (bearer: string) => {
                if (fault) throw fault;
                return { kind: "badge", id: bearer, ability: createAbility("read") };
              },
            },
          },
          register({ on }: RegisterContext<object>) {
            on(transformOutput(SLOW), async (row) => {
              // The streams ask for the title alone; what writes answer with has it all.
              if (!("createdAt" in row)) await gate?.pass();
              return row;
            });
          },
        } as never,
        config: {
          access: {
            public: [`${SLOW}.find`, `${FAST}.find`, { action: `${OFFER}.find`, where: { until: { $gt: "{{now}}" } } }],
          },
        },
        pluginConfigs: { live: { interval: 50, heartbeat: 1_000, maxStreams: 100 } },
      });
    });
    afterEach("close streams", async () => {
      gate?.open();
      gate = undefined;
      fault = undefined;
      for (const stream of streams.splice(0)) stream.close();
      for (const body of own.splice(0)) body.destroy();
      await eventually(async () => expect(test.app.streams.count).to.equal(0));
    });
    after("stop it", () => test?.stop());

    const open = async (name: string, headers: Record<string, string> = {}) => {
      const stream = await openEvents(`${test.url}/api/${name}?fields=title&sort=title`, { headers });
      streams.push(stream);
      return stream;
    };
    const create = (uid: string, data: Readonly<Record<string, unknown>>) => test.app.documents(uid).create({ data });
    /** So many looks later, as one who is told of a write each time sees them. */
    const looks = async (fast: OpenedEvents, count: number) => {
      for (let look = 0; look < count; look += 1) {
        await create(FAST, { title: "look" });
        await fast.next();
      }
    };

    it("wait for none that takes long, which is read once at a time", async () => {
      const [slow, fast] = [await open("slows"), await open("fasts")];
      await slow.next();
      await fast.next();
      gate = new Gate();
      await create(SLOW, { title: "slow" });
      await eventually(async () => expect(gate?.waiting).to.equal(1));
      await looks(fast, 8);
      expect(gate.waiting).to.equal(1);
      gate.open();
      expect(titlesIn(await slow.next())).to.include("slow");
    });

    it("show no older answer after a newer one", async () => {
      const { documentId } = await create(SLOW, { title: "v1" });
      const [slow, fast] = [await open("slows"), await open("fasts")];
      await slow.next();
      await fast.next();
      gate = new Gate(1);
      const rename = (title: string) => test.app.documents(SLOW).update({ documentId, data: { title } });
      await rename("v2");
      await eventually(async () => expect(gate?.waiting).to.equal(1));
      await looks(fast, 2);
      await rename("v3");
      await looks(fast, 2);
      gate.open();
      await rename("v4");
      const versions = () => slow.events.map((event) => titlesIn(event).find((title: string) => title.startsWith("v")));
      await eventually(async () => expect(versions().at(-1)).to.equal("v4"));
      expect(versions()).to.deep.equal([...versions()].sort());
    });

    it("begin with what a request would be answered with, where others have the same read open", async () => {
      const { documentId } = await create(FAST, { title: "round 0" });
      // The rules of the public name the time, so each of its streams reads by itself.
      const reader = { authorization: "Bearer ada" };
      const first = await open("fasts", reader);
      await first.next();
      for (let round = 1; round <= 30; round += 1) {
        await test.app.documents(FAST).update({ documentId, data: { title: `round ${round}` } });
        const next = await open("fasts", reader);
        expect(titlesIn(await next.next())).to.include(`round ${round}`);
        next.close();
      }
      await eventually(async () => expect(titlesIn(first.events.at(-1) as ReadEvent)).to.include("round 30"));
    });

    it("follow the time where rules name it", async () => {
      await create(OFFER, { title: "over soon", until: new Date(test.clock.now().getTime() + 3_600_000) });
      const stream = await open("offers");
      expect(titlesIn(await stream.next())).to.deep.equal(["over soon"]);
      await test.clock.advance({ hours: 2 });
      expect(titlesIn(await stream.next())).to.deep.equal([]);
    });

    it("that cannot be shown for a fault of the server say so in the log, once, and go on after it", async () => {
      const stream = await open("fasts", { authorization: "Bearer ada" });
      await stream.next();
      const faults = () => test.logged.filter(({ msg }) => msg === "It is not known what a stream may show");
      const beats = () => stream.text().split("\n:\n").length;
      fault = new TypeError("a strategy that is broken");
      await eventually(async () => expect(faults()).to.have.length(1));
      const before = beats();
      await eventually(async () => expect(beats()).to.be.greaterThan(before + 1));
      expect(faults()).to.have.length(1);
      fault = undefined;
      await create(FAST, { title: "after it" });
      expect(titlesIn(await stream.next())).to.include("after it");
    });

    it("leave places to others: one caller may have a tenth of them", async () => {
      const ofAda = { authorization: "Bearer ada" };
      const all = await Promise.all(Array.from({ length: 12 }, () => open("fasts")));
      const refused = all.filter(({ status }) => status === 429);
      expect(refused).to.have.length(2);
      await refused[0]?.ended;
      expect(JSON.parse(refused[0]?.text() ?? "").error.code).to.equal("PLINTH_LIVE_TOO_MANY");
      const others = await Promise.all(Array.from({ length: 11 }, () => open("fasts", ofAda)));
      expect(others.filter(({ status }) => status === 200)).to.have.length(10);
      expect((await open("fasts", { authorization: "Bearer ben" })).status).to.equal(200);
      all.find(({ status }) => status === 200)?.close();
      await eventually(async () => expect((await open("fasts")).status).to.equal(200));
    });

    it("make the text of an answer once for all who get it", async () => {
      const { bodies, made, write } = await openOwn({ app: test.app, own }, 5, (version) => ({ version }));
      const texts = bodies.map(() => "");
      for (const [index, body] of bodies.entries())
        body.on("data", (part) => {
          texts[index] += String(part);
        });
      await eventually(async () => expect(texts.every((text) => text.includes('"version":1'))).to.equal(true));
      write();
      await eventually(async () => expect(texts.every((text) => text.includes('"version":2'))).to.equal(true));
      expect(made()).to.equal(2);
    });

    it("that others have open are made again once for all who come at the same time", async () => {
      const { bodies, join, read, write } = await openOwn({ app: test.app, own }, 1, (version) => ({ version }));
      bodies[0]?.resume();
      write();
      const joined = await join(20);
      expect(joined.map((body) => String(body.read()))).to.satisfy((texts: readonly string[]) =>
        texts.every((text) => text.includes('"version":2')),
      );
      expect(
        read(),
        "one before, one for those who came, and perhaps one of the look at what was written",
      ).to.be.within(2, 3);
      await join(5);
      expect(read(), "nothing was written").to.be.within(2, 3);
    });

    it("let other work in between where an answer is large", async () => {
      const { bodies, write } = await openOwn({ app: test.app, own }, 20, (version) => ({
        version,
        text: "x".repeat(1_000_000),
      }));
      let turn = 0;
      let isOver = false;
      const count = () => {
        turn += 1;
        if (!isOver) setImmediate(count);
      };
      const turns = bodies.map(() => 0);
      for (const [index, body] of bodies.entries())
        body.on("data", (part) => {
          if (String(part).includes('"version":2')) turns[index] = turn;
        });
      count();
      write();
      await eventually(async () => expect(turns).to.not.include(0)).finally(() => {
        isOver = true;
      });
      // The one it was read as is shown it first, in the turn of the next.
      expect(new Set(turns).size).to.be.at.least(19);
    });
  });
});

describe("Live reads without heartbeats", () => {
  eitherDatabase(import.meta.url, (database) => {
    let test: TestApp;
    const own: Readable[] = [];
    before("start an app", async () => {
      test = await createTestApp({
        plugins: [contentApiPlugin, livePlugin],
        database: database.config(),
        app: { contentTypes: { [FAST]: typeOf("fast") } } as never,
        pluginConfigs: { live: { interval: 50, heartbeat: 3_600_000 } },
      });
    });
    after("stop it", async () => {
      for (const body of own) body.destroy();
      await test?.stop();
    });

    it("end at the same answer for all, where it changed and changed back while some came", async () => {
      const { bodies, join, write } = await openOwn({ app: test.app, own }, 1, (version) => ({ state: version % 2 }));
      const joined: Readable[] = [];
      for (let round = 0; round < 5; round += 1) {
        write();
        joined.push(...(await join(1)));
        write();
      }
      const texts = [...bodies, ...joined].map(() => "");
      for (const [index, body] of [...bodies, ...joined].entries())
        body.on("data", (part) => {
          texts[index] += String(part);
        });
      const last = () => texts.map((text) => text.lastIndexOf('"state":1') > text.lastIndexOf('"state":0'));
      await eventually(async () => expect(last()).to.not.include(false));
    });
  });
});
