import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect } from "chai";
import { RunningCommand } from "../core/cli/plinth-command.js";
import { databaseVariables, serverDatabase } from "../databases.js";
import { writeProject } from "../projects.js";
import { fileOf, readBlocks } from "./read-blocks.js";

const GUIDE = fileURLToPath(new URL("../../core/guides/deployment.md", import.meta.url));
const NOTE = {
  kind: "collectionType",
  info: { singularName: "note", pluralName: "notes", displayName: "Note" },
  options: { draftAndPublish: false },
  attributes: { title: { type: "string" } },
};
const CALLER = { trace: "0af7651916cd43dd8448eb211c80319c", span: "b7ad6b7169203331" };

/** A project as `plinth build` leaves it. */
const FILES = {
  "dist/config/plugins.js": 'export default { "content-api": {}, graphql: {} };',
  "dist/config/database.js":
    'export default ({ env }) => ({ client: "postgres", connection: env("DATABASE_URL"), shareReads: true });',
  "dist/config/server.js": 'export default { host: "127.0.0.1", port: 0, drainDelay: 0 };',
  "dist/config/access.js": 'export default { public: "all" };',
  "src/api/note/content-types/note/schema.json": JSON.stringify(NOTE),
  "dist/src/index.js": `import { defineApp, writeHooks } from "@plinth/core";
    export default defineApp({
      register({ app, on }) {
        on(writeHooks.create.on, ({ origin }) => app.log.info({ origin }, "written"));
      },
    });`,
};

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

interface Line {
  readonly msg: string;
  readonly path?: string;
  readonly traceId?: string;
  readonly spanId?: string;
  readonly origin?: { readonly requestId: string; readonly traceparent: string };
}

/** Kinds of spans in OTLP. */
const SERVER = 2;

describe("the traces of the deployment guide", () => {
  const database = serverDatabase();
  let spans: readonly Span[] = [];
  let lines: readonly Line[] = [];

  before("run an app with the file of the guide, and ask it", async () => {
    if (!database) throw new TypeError("TEST_DATABASE_URL names no server");
    const block = readBlocks(readFileSync(GUIDE, "utf8")).find((each) => fileOf(each) === "tracing.mjs");
    const root = writeProject({ ...FILES, "tracing.mjs": block?.text ?? "" });
    const file = join(root, "spans.jsonl");
    writeFileSync(file, "");
    const env = {
      ...databaseVariables(database),
      OTLP_FILE: file,
      NODE_OPTIONS: `--import=${pathToFileURL(join(root, "tracing.mjs")).href}`,
    };
    const server = new RunningCommand(["start"], { cwd: root, env });
    try {
      const [, rest = ""] = await server.waitFor(/REST +(http:\/\/127\.0\.0\.1:\d+\/api)/);
      await askAll(rest);
    } finally {
      expect(await server.stop(), server.stderr).to.equal(0);
    }
    lines = server.stderr.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as Line] : []));
    spans = readFileSync(file, "utf8")
      .split("\n")
      .flatMap((line) => (line === "" ? [] : (JSON.parse(line) as OtlpLine).resourceSpans))
      .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  });

  const childrenOf = (span: Span | undefined) => spans.filter(({ parentSpanId }) => parentSpanId === span?.spanId);
  const child = (span: Span | undefined, name: string) => childrenOf(span).find((each) => each.name === name);
  const requests = (name: string) => spans.filter((span) => span.kind === SERVER && span.name === name);
  const attribute = (span: Span | undefined, key: string) =>
    Object.values(span?.attributes.find((each) => each.key === key)?.value ?? {})[0];

  it("lead from a request over the read to the database, in the trace of the caller", () => {
    const request = requests("GET /api/notes").find(({ traceId }) => traceId === CALLER.trace);
    expect(request?.parentSpanId).to.equal(CALLER.span);
    expect(attribute(request, "http.route")).to.equal("/api/notes");
    const read = child(request, "plinth.read api::note.note");
    expect(attribute(read, "plinth.operation")).to.equal("read");
    const db = child(read, "plinth.db");
    expect(attribute(db, "plinth.db.node")).to.equal("primary");
    expect(attribute(db, "plinth.db.kind")).to.equal("read");
    expect(db?.traceId).to.equal(CALLER.trace);
  });

  it("lead there over GraphQL as well, and over a write", () => {
    const graphql = requests("POST /graphql");
    expect(graphql).to.have.length(2);
    for (const request of graphql)
      expect(child(child(request, "plinth.read api::note.note"), "plinth.db")).not.to.equal(undefined);
    const write = child(requests("POST /api/notes")[0], "plinth.write api::note.note");
    expect(attribute(write, "plinth.operation")).to.equal("create");
    expect(child(write, "plinth.db")).not.to.equal(undefined);
  });

  it("go along with the SDK's own spans of the driver", () => {
    const request = requests("GET /api/notes")[0];
    const names = childrenOf(child(request, "plinth.read api::note.note")).map(({ name }) => name.split(":")[0]);
    expect(names).to.include.members(["plinth.db", "pg.query"]);
  });

  it("of requests that one connection sends at once are their own", () => {
    const pipelined = requests("GET /api/notes/:documentId");
    expect(pipelined.map(({ traceId }) => traceId).sort()).to.deep.equal([traceOf(1), traceOf(2), traceOf(3)]);
    for (const request of pipelined) expect(child(request, "plinth.read api::note.note")).not.to.equal(undefined);
  });

  it("are named in the log, and where a write is worked on later", () => {
    const request = requests("POST /api/notes")[0];
    const line = lines.find(({ msg }) => msg.startsWith("POST /api/notes 201"));
    expect(line).to.include({ traceId: request?.traceId, spanId: request?.spanId });
    const write = child(request, "plinth.write api::note.note");
    const [written] = lines.flatMap(({ origin }) => origin ?? []);
    expect(written).to.deep.equal({
      ...{ transport: "rest", actor: { kind: "public" } },
      ...{ requestId: "own-id", traceparent: `00-${write?.traceId}-${write?.spanId}-01` },
    });
  });
});

interface OtlpLine {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
}

const traceOf = (n: number): string => String(n).repeat(32);

async function askAll(rest: string): Promise<void> {
  const json = { "content-type": "application/json" };
  const traceparent = `00-${CALLER.trace}-${CALLER.span}-01`;
  const body = JSON.stringify({ data: { title: "a" } });
  await fetch(`${rest}/notes`, { method: "POST", headers: { ...json, "x-request-id": "own-id" }, body });
  await fetch(`${rest}/notes`, { headers: { traceparent } });
  const query = JSON.stringify({ query: "{ notes { title } }" });
  // The second is known already, and takes another way.
  for (let i = 0; i < 2; i += 1)
    await fetch(rest.replace("/api", "/graphql"), { method: "POST", headers: json, body: query });
  await askAtOnce(Number(new URL(rest).port));
}

/** Sends three requests in one packet, each in a trace of its own. */
async function askAtOnce(port: number): Promise<void> {
  const socket = connect(port, "127.0.0.1").resume();
  const request = (n: number) =>
    `GET /api/notes/x${n} HTTP/1.1\r\nHost: x\r\ntraceparent: 00-${traceOf(n)}-${CALLER.span}-01\r\n${n === 3 ? "Connection: close\r\n" : ""}\r\n`;
  socket.write([1, 2, 3].map(request).join(""));
  await once(socket, "close");
}
