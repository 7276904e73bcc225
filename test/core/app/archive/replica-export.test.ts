import { mkdtempSync, createWriteStream, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import type { PlinthError } from "@plinth/core";
import { createTestApp, type TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { exportArchive } from "#core/app/archive/export-archive.js";
import { type PostgresCluster, startCluster } from "../../../postgres-cluster.js";
import { delayReplay, eventually, NOTE, noteApp } from "../../database/driver/note-app.js";
import { tripsOf } from "../../database/trips-of.js";
import { partsOf } from "./archive-project.js";

describe("plinth export, where there are replicas", () => {
  let cluster: PostgresCluster;
  let test: TestApp;
  before("start a primary and a standby", async () => {
    cluster = await startCluster(1);
    const [primary, standby] = cluster.nodes;
    test = await createTestApp(noteApp(primary!.url(), { at: [standby!.url()] }, []));
    await eventually(async () => expect(test.app.db.replicas?.usable).to.equal(1));
  });
  after("stop them", async () => {
    await test?.stop();
    await cluster?.close();
  });

  const exportTo = async (output: Writable, fromPrimary = false) => {
    const said: string[] = [];
    const settings = { version: "0.0.0", types: [NOTE], since: undefined, withFiles: false, withSecrets: false };
    await exportArchive(test.app, { ...settings, fromPrimary, output, say: (line) => void said.push(line) });
    return said;
  };
  const exported = async (fromPrimary = false) => {
    const file = join(mkdtempSync(join(tmpdir(), "plinth-replica-export-")), "notes.tar.gz");
    const replica = test.app.db.replicas?.pools[0];
    const before = replica?.statementCount ?? 0;
    let said: readonly string[] = [];
    const trips = await tripsOf(test.app.db.knex, async () => {
      said = await exportTo(createWriteStream(file), fromPrimary);
    });
    const parts = partsOf(readFileSync(file));
    const titles = String(parts.get(`content/${NOTE}/1.jsonl`))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).values.title);
    return {
      said,
      onPrimary: trips.reduce((sum, { statements }) => sum + statements, 0),
      onReplica: (replica?.statementCount ?? 0) - before,
      titles,
      manifest: JSON.parse(String(parts.get("manifest.json"))),
    };
  };
  const write = (title: string) => test.app.documents(NOTE).create({ data: { title } });

  it("reads one that has caught up, with all that was committed before, 20 times of 20", async () => {
    for (let i = 0; i < 20; i += 1) {
      await write(`note ${i}`);
      const { titles, onPrimary, onReplica, said } = await exported();
      expect(titles)
        .to.have.length(i + 1)
        .and.include(`note ${i}`);
      expect(onPrimary, "the position").to.be.lessThan(4);
      expect(onReplica).to.be.greaterThan(3);
      expect(said).to.include("reading from a replica");
    }
  });

  it("says the time and the position of the primary, from which the next one may begin", async () => {
    const [before] = await test.app.db.query<{ at: Date }>({ text: "select now() as at", values: [] });
    const { manifest } = await exported();
    expect(manifest.position).to.match(/^[0-9A-F]+\/[0-9A-F]+$/);
    expect(Date.parse(manifest.createdAt)).to.be.within(Number(new Date(before!.at)), Date.now() + 100);
  });

  it("reads the primary where that is asked for", async () => {
    const { onReplica, onPrimary, said } = await exported(true);
    expect([onReplica, said.includes("reading from a replica")]).to.deep.equal([0, false]);
    expect(onPrimary).to.be.greaterThan(3);
  });

  it("ends with a code where the replica ends the read, and says what helps", async () => {
    const [primary, standby] = cluster.nodes;
    await standby!.ask("alter system set max_standby_streaming_delay = 0");
    await standby!.ask("select pg_reload_conf()");
    await primary!.ask(`insert into notes (document_id, locale, published_at, created_at, updated_at, title)
      select 'bulk' || g, '', now(), now(), now(), md5(g::text) from generate_series(1, 3000) g`);
    let isChanged = false;
    const said: string[] = [];
    const output = new Writable({
      write: (_chunk, _encoding, done) => done(),
    });
    const settings = { version: "0.0.0", types: undefined, since: undefined, withFiles: false, withSecrets: false };
    const say = (line: string) => void said.push(line);
    const { loader } = test.app;
    const read = loader.read.bind(loader);
    Object.assign(loader, {
      read: async (...range: Parameters<typeof read>) => {
        const page = await read(...range);
        if (isChanged) return page;
        isChanged = true;
        await primary!.ask("delete from notes where document_id like 'bulk%'");
        await primary!.ask("vacuum notes");
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        return page;
      },
    });
    const error = await exportArchive(test.app, { ...settings, fromPrimary: false, output, say }).catch(
      (err: PlinthError) => err,
    );
    Object.assign(loader, { read });
    expect(said).to.include("reading from a replica");
    expect(error).to.include({ code: "PLINTH_ARCHIVE_REPLICA_FAILED" });
    expect((error as PlinthError).message).to.include("--primary");
  });

  it("reads the primary while none has caught up, and says so", async () => {
    await delayReplay(cluster.nodes[1]!, "1h");
    await write("too late for the replica");
    const { titles, said, onReplica } = await exported();
    expect(titles).to.include("too late for the replica");
    expect(said).to.include("no replica has caught up: reading from the primary");
    expect(onReplica).to.equal(0);
  });
});
