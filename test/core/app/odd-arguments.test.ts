import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import type { App, PlinthApp } from "@plinth/core";
import { expect } from "chai";
import { copyTemplate, loadForTest, startForTest } from "../../projects.js";

const ARTICLE = "api::article.article";

/** What code without a compiler may hand over, a list of arguments each. */
const ODD: readonly (readonly unknown[])[] = [
  [],
  [null, null],
  ["x", "y"],
  [ARTICLE],
  [7],
  [Number.NaN, -1],
  [true],
  [{}],
  [{ where: {} }, {}],
  [[]],
  [[null]],
  [Symbol("x")],
];

/** They end the app or a part of it, which is what they are for. */
const ENDINGS = /^(?:close|stop|destroy|end|listen|start|handler|drain|takeOver|dispose)/;
/** Libraries of others, and what has no functions. */
const FOREIGN: ReadonlySet<string> = new Set(["log", "knex", "model"]);
/** Milliseconds for what waits for something that does not come. */
const WAIT = 100;

type Called = (...args: readonly unknown[]) => unknown;

describe("public functions that are called with odd arguments", () => {
  let plinth: PlinthApp;
  let app: App;
  let url = "";
  before("start the sample app", async () => {
    ({ plinth, url } = await startForTest(await loadForTest(copyTemplate())));
    ({ app } = plinth);
  });
  after("stop it", () => plinth.stop());

  it("throw or reject, and leave no rejected promise behind that would end a process, and the app answers as before", async () => {
    const lost: string[] = [];
    let call = "";
    const note = (error: unknown) => lost.push(`${call}: ${String(error)}`);
    // Mocha's own would end the test at the first.
    const others = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection").on("unhandledRejection", note);
    let count = 0;
    try {
      for (const [name, holder] of publicObjects(app))
        for (const [method, run] of functionsOf(holder))
          for (const args of ODD) {
            call = `${name}.${method}(${args.map(String).join()})`;
            count += 1;
            await settled(() => run.apply(holder, [...args]));
          }
      await sleep(WAIT);
    } finally {
      process.removeAllListeners("unhandledRejection");
      for (const other of others) process.on("unhandledRejection", other);
    }
    expect(lost).to.deep.equal([]);
    const answer = await fetch(`${url}/api/articles`);
    expect(answer.status, await answer.text()).to.equal(200);
    expect(count).to.be.greaterThan(1000);
  });

  it("say at once where Strapi's form is meant", () => {
    const query = app.db.query.bind(app.db) as Called;
    expect(() => query(ARTICLE))
      .to.throw(/documents\("api::article.article"\)/)
      .with.property("code", "PLINTH_STRAPI_CODE");
    for (const given of [undefined, "select 1", {}, [], { text: "select 1" }])
      expect(() => query(given))
        .to.throw()
        .with.property("code", "PLINTH_DATABASE_STATEMENT_INVALID");
  });
});

function publicObjects(app: App): readonly (readonly [string, object])[] {
  const own = [...namesOf(app)].filter((name) => !FOREIGN.has(name)).map((name) => [`app.${name}`, partOf(app, name)]);
  const services = servicesOf(app).map((uid) => [uid, app.service(uid as never)]);
  const objects = [...own, ["app", app], ["app.documents(uid)", app.documents(ARTICLE)], ...services];
  return objects.filter((pair): pair is [string, object] => isOurs(pair[1]));
}

/** Lists and maps are JavaScript's. */
const isOurs = (value: unknown): boolean =>
  Object(value) === value && !Array.isArray(value) && !(value instanceof Map) && !(value instanceof Set);

/** The error of an unknown service lists those that there are. */
function servicesOf(app: App): readonly string[] {
  try {
    return app.service("plugin::odd.none" as never);
  } catch (error) {
    return (error as { readonly details: { readonly known: readonly string[] } }).details.known;
  }
}

function partOf(holder: object, name: string): unknown {
  try {
    return (holder as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

function* namesOf(holder: object): Iterable<string> {
  for (
    let level = holder;
    level && level !== Object.prototype && level !== Function.prototype;
    level = Object.getPrototypeOf(level)
  )
    yield* Object.getOwnPropertyNames(level);
}

function functionsOf(holder: object): readonly (readonly [string, Called])[] {
  const names = [...new Set(namesOf(holder))].filter((name) => name !== "constructor" && !ENDINGS.test(name));
  return names.flatMap((name) => {
    const value = partOf(holder, name);
    return typeof value === "function" && !FOREIGN.has(name) ? [[name, value as Called] as const] : [];
  });
}

async function settled(run: () => unknown): Promise<void> {
  try {
    await Promise.race([run(), sleep(WAIT)]);
  } catch {
    // Which error it is, is for the tests of the function.
  }
  await turn();
}
