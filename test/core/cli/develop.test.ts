import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { databaseVariables, eachDatabase, type TestDatabase } from "../../databases.js";
import { RunningCommand, scaffoldedApp } from "./plinth-command.js";
import { LONGEST_WAIT } from "../../longest-wait.js";

const SCHEMA = "src/api/author/content-types/author/schema.json";
const TEXT = "src/api/hello/text.ts";
/** What else the machine does counts as well, so that some slow changes prove nothing. */
const ATTEMPTS = 6;

const HELLO = {
  [TEXT]: textIs("first"),
  "config/hello.ts": 'export default ({ env }) => ({ greeting: env("GREETING", "none") });',
  "src/api/hello/controllers/hello.ts": `import { text } from "../text.js";
export default ({ app }) => ({ index: () => ({ data: { text, greeting: app.config.get("hello.greeting") } }) });`,
  "src/api/hello/routes/hello.ts":
    'export default [{ method: "GET", path: "/hello", handler: "hello.index", config: { auth: false } }];',
};

function textIs(text: string): string {
  return `export const text = ${JSON.stringify(text)};`;
}

const ARTICLES = { type: "relation", relation: "oneToMany", target: "api::article.article", mappedBy: "author" };

/** What is wrong with a file, and what is said of that. */
interface Mistake {
  readonly what: string;
  readonly file: string;
  readonly text: string;
  readonly said: readonly string[];
}

const MISTAKES: readonly Mistake[] = [
  {
    what: "a syntax error",
    file: TEXT,
    text: "export const text = ;",
    said: ["PLINTH_PROJECT_MODULE_FAILED", "src/api/hello/text.ts:1:20"],
  },
  {
    what: "an import of what is not there",
    file: TEXT,
    text: 'export { text } from "./nowhere.js";',
    said: ["PLINTH_PROJECT_MODULE_FAILED", "nowhere.js", "src/api/hello/text.ts"],
  },
  {
    what: "code that throws when it is loaded",
    file: TEXT,
    text: "const nothing: any = undefined;\n\nexport const text = nothing.at.all;",
    said: ["PLINTH_PROJECT_MODULE_FAILED", "reading 'at'", "Where: src/api/hello/text.ts:3:"],
  },
  {
    what: "a bootstrap that throws",
    file: "src/index.ts",
    text: "export default {\n  async bootstrap() {\n    await null;\n    null.anything();\n  },\n};",
    said: ["PLINTH_PLUGIN_PHASE", "reading 'anything'", "Where: src/index.ts:4:"],
  },
  {
    what: "an attribute of no known type",
    file: SCHEMA,
    text: JSON.stringify({ ...namesOfAuthor(), attributes: { name: { type: "strnig" } } }),
    said: ["PLINTH_SCHEMA_INVALID", "api::author.author", "strnig", "Did you mean"],
  },
  {
    what: "a schema that would lose content",
    file: SCHEMA,
    text: JSON.stringify({ ...namesOfAuthor(), attributes: { articles: ARTICLES } }),
    said: ["PLINTH_SCHEMA_DESTRUCTIVE", "authors.name", "--allow-data-loss"],
  },
  {
    what: "a schema file that is not JSON",
    file: SCHEMA,
    text: '{\n  "kind" "collectionType"\n}',
    said: ["PLINTH_PROJECT_JSON_INVALID", "schema.json", "line 2, column 10"],
  },
  {
    what: "a route to an action that is not there",
    file: "src/api/hello/routes/hello.ts",
    text: 'export default [{ method: "GET", path: "/hello", handler: "hello.indx" }];',
    said: ["PLINTH_HTTP_INVALID_ROUTES", "GET /hello", 'Did you mean "index"?'],
  },
  {
    what: "a port that another program has",
    file: "config/server.ts",
    text: 'export default { host: "127.0.0.1", port: TAKEN };',
    said: ["PLINTH_HTTP_CANNOT_LISTEN", "EADDRINUSE"],
  },
];

function namesOfAuthor(): object {
  return {
    kind: "collectionType",
    info: { singularName: "author", pluralName: "authors", displayName: "Author" },
  };
}

describe("plinth develop", () => {
  eachDatabase((database) => describeDevelop(database));
});

function describeDevelop(database: TestDatabase): void {
  const cwd = scaffoldedApp();
  /** Milliseconds that the start took: a change is served sooner, on a machine of any speed. */
  let start: number;
  let develop: RunningCommand;
  let env: Readonly<Record<string, string>>;
  let taken: ReturnType<typeof createServer>;
  let url: string;

  const read = (file: string) => readFileSync(join(cwd, file), "utf8");
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), text);
  };
  const get = async (path: string) => {
    const answer = await fetch(`${url}/api${path}`);
    return ((await answer.json()) as { data: never }).data;
  };
  const hello = async (): Promise<{ readonly text: string; readonly greeting: string } | null> => get("/hello");
  const authors = async (): Promise<readonly object[]> => get("/authors?sort=name");

  /** Milliseconds until a change is served. */
  const served = async (change: () => void, isServed: () => Promise<boolean>) => {
    const since = performance.now();
    change();
    while (!(await isServed().catch(() => false))) {
      if (performance.now() - since > LONGEST_WAIT) throw new Error(`not served:\n${develop.stdout}${develop.stderr}`);
      await sleep(10);
    }
    return performance.now() - since;
  };
  const quickest = async (measure: (attempt: number) => Promise<number>) => {
    let best = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < ATTEMPTS && best >= start; attempt++) best = Math.min(best, await measure(attempt));
    console.log(
      `[fleet] develop on ${database.kind}: served after ${best.toFixed(0)} ms; a start took ${start.toFixed(0)}`,
    );
    return best;
  };

  before("start", async () => {
    taken = createServer().listen(0, "127.0.0.1");
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    for (const [file, text] of Object.entries(HELLO)) write(file, text);
    env = { PORT: String(port), ...databaseVariables(database) };
    const since = performance.now();
    develop = new RunningCommand(["develop"], { cwd, env });
    await develop.waitFor(/started in .*development/);
    start = performance.now() - since;
  });
  after("stop", async () => {
    taken.close();
    await develop.stop("SIGKILL");
  });

  it("serves a changed content-type sooner than a start takes, keeps what was stored, and tells the compiler", async () => {
    const schema = JSON.parse(read(SCHEMA));
    const { length } = await authors();
    const best = await quickest((attempt) => {
      schema.attributes[`motto${attempt}`] = { type: "string" };
      const isServed = async () => `motto${attempt}` in ((await authors())[0] ?? {});
      return served(() => write(SCHEMA, JSON.stringify(schema)), isServed);
    });
    expect(best).to.be.lessThan(start);
    expect(await authors()).to.have.length(length);
    expect(length).to.be.greaterThan(0);
    // Two processes work on a change, and either may be the first.
    await develop.waitFor(/restarted in [\d.]+ s after a change of src.*schema\.json/);
    await served(
      () => undefined,
      async () => read("types/generated.d.ts").includes("motto0"),
    );
  });

  it("serves changed code sooner than a start takes, whoever imports it", async () => {
    const best = await quickest((attempt) =>
      served(
        () => write(TEXT, textIs(`text ${attempt}`)),
        async () => (await hello())?.text === `text ${attempt}`,
      ),
    );
    expect(best).to.be.lessThan(start);
  });

  it("reads .env again", async () => {
    const variables = read(".env");
    const isGreeting = (greeting: string) => async () => (await hello())?.greeting === greeting;
    await served(() => write(".env", `${variables}\nGREETING=hi\n`), isGreeting("hi"));
    await served(() => write(".env", variables), isGreeting("none"));
  });

  for (const { what, file, text, said } of MISTAKES) {
    it(`says where ${what} is and how to fix it, while the last version serves on`, async () => {
      const good = read(file);
      const before = await hello();
      develop.forget();
      try {
        write(file, text.replace("TAKEN", String((taken.address() as AddressInfo).port)));
        await develop.waitFor(/the version before the change of .* goes on serving/);
        for (const part of [...said, "What to do:"]) expect(develop.stderr).to.include(part);
        expect(develop.stderr).not.to.include("plinth-version");
        expect(await hello()).to.deep.equal(before);
      } finally {
        develop.forget();
        write(file, good);
      }
      await develop.waitFor(/restarted in/);
      expect(await hello()).to.deep.equal(before);
    });
  }

  it("starts again with the next change when the app has ended by itself", async () => {
    develop.forget();
    write(TEXT, `${textIs("short")}\nsetTimeout(() => process.exit(3), 300);`);
    await develop.waitFor(/the app has ended; waiting for a change/);
    await served(
      () => write(TEXT, textIs("again")),
      async () => (await hello())?.text === "again",
    );
  });

  it("takes another process for other packages, with all that was stored", async () => {
    const { length } = await authors();
    develop.forget();
    write("package.json", `${read("package.json")}\n`);
    await develop.waitFor(/restarted in [\d.]+ s after a change of package\.json/);
    expect(await authors()).to.have.length(length);
  });

  it("takes the app along when it ends", async () => {
    expect(await develop.stop()).to.equal(0);
    const failure = await fetch(url).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(TypeError);
  });

  it("reports a first start that fails, and serves after the next change", async () => {
    write(TEXT, "export const text = ;");
    const second = new RunningCommand(["develop"], { cwd, env });
    try {
      await second.waitFor(/PLINTH_PROJECT_MODULE_FAILED[\s\S]*the app does not run; waiting for a change/);
      write(TEXT, textIs("fixed"));
      await second.waitFor(/restarted in/);
      expect((await hello())?.text).to.equal("fixed");
    } finally {
      await second.stop();
    }
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
