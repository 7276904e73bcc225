import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect } from "chai";
import { drawChart } from "../bench/draw-chart.mjs";
import { judgeAgainstRecorded, judgeResults } from "../bench/judge-results.mjs";
import { printResults } from "../bench/print-results.mjs";
import { judgeWith } from "../bench/run-with.mjs";

const SCRIPT = join(import.meta.dirname, "..", "..", "scripts", "bench.mjs");

describe("the verdict of the benchmark", () => {
  it("finds nothing wrong with a row that keeps what it promises", () => {
    expect(judgeResults([result({ ours: 80, limit: 100 })])).to.deep.equal([]);
  });

  it("names a row below its share of the limit", () => {
    expect(judgeResults([result({ ours: 79, limit: 100 })])).to.have.members([
      '"list" with 10 connections reaches 0.790 of the limit\'s requests per second; 0.80 is asked for',
    ]);
  });

  it("names a row whose slowest answers take more than twice the limit's", () => {
    const [said] = judgeResults([result({ ours: 100, limit: 100, p99: 21 })]);
    expect(said).to.contain("a p99 of 2.1 times the limit's");
  });

  it("asks of 100 connections for seven tenths of the share with 10, and of 1,000 only that nothing fails", () => {
    const few = result({ ours: 100, limit: 100 });
    expect(judgeResults([few, result({ ours: 71, limit: 100, connections: 100 })])).to.deep.equal([]);
    expect(judgeResults([few, result({ ours: 69, limit: 100, connections: 100 })])).to.have.lengthOf(1);
    expect(judgeResults([few, result({ ours: 1, limit: 100, connections: 1000, p99: 900 })])).to.deep.equal([]);
  });

  it("asks of a row with an Origin or a bearer for nine tenths of the same row without", () => {
    const plain = result({ ours: 90, limit: 100 });
    const beside = (ours: number) => ({ ...result({ ours, limit: 100 }), name: "with an Origin", sameAs: "list" });
    expect(judgeResults([plain, beside(82)])).to.deep.equal([]);
    expect(judgeResults([plain, beside(80)])).to.have.lengthOf(1);
  });

  it("asks of a row whose requests are all alike what it promises, not a share of the others", () => {
    const alike = { ...result({ ours: 79, limit: 100 }), name: "all alike", sameAs: "list", isAlike: true };
    expect(judgeResults([result({ ours: 300, limit: 100 }), alike])).to.have.lengthOf(1);
    expect(judgeResults([result({ ours: 300, limit: 100 }), { ...alike, ratio: 0.8 }])).to.deep.equal([]);
  });

  it("asks for more requests per second than PostGraphile answers", () => {
    const measured = result({ ours: 100, limit: 100 });
    const beside = (requestsPerSecond: number) => {
      const postgraphile = figures({ requestsPerSecond, p99: 20 });
      return judgeResults([{ ...measured, servers: { ...measured.servers, postgraphile } }]);
    };
    expect(beside(99)).to.deep.equal([]);
    expect(beside(125)).to.deep.equal([
      '"list" with 10 connections has 0.80 of the requests per second of PostGraphile',
    ]);
  });

  it("holds a short run against what was recorded, and lets it lose a third", () => {
    expect(judgeAgainstRecorded([result({ ours: 61, limit: 100 })], { list: 0.9 })).to.deep.equal([]);
    expect(judgeAgainstRecorded([result({ ours: 59, limit: 100 })], { list: 0.9 })).to.deep.equal([
      '"list" reaches 0.590 of the limit; 0.900 is recorded',
    ]);
    expect(judgeAgainstRecorded([result({ ours: 1, limit: 100 })], {})).to.deep.equal([]);
  });
});

describe("the verdict on what plugins cost", () => {
  it("lets a read take two percent more of the processor, and a write eleven percent more time", () => {
    const measured = (cost: string, times: number) => ({ plugins: ["a", "b"], name: "list", cost, times });
    expect(judgeWith([measured("cpu", 1.02), measured("time", 1.11)])).to.deep.equal([]);
    expect(judgeWith([measured("cpu", 1.03), measured("time", 1.12)])).to.deep.equal([
      '"list" takes 1.030 times the cpu with a, b; 1.02 at most',
      '"list" takes 1.120 times the time with a, b; 1.11 at most',
    ]);
  });
});

describe("the report of the benchmark", () => {
  const withPeer = result({ ours: 90, limit: 100 });
  const servers = { ...withPeer.servers, other: figures({ requestsPerSecond: 5, p99: 20 }) };
  const results = [{ ...withPeer, servers }, withPeer];

  it("gives a peer columns of its own, and a dash where it does not answer", () => {
    const [titles, first, second] = printResults(results).split("\n");
    expect(titles).to.match(/other req\/s\s+ratio$/);
    expect(first).to.match(/\s5\s+0\.050$/);
    expect(second).to.match(/\s-\s+-$/);
  });

  it("draws a bar for each server that was measured", () => {
    const svg = drawChart({ results, postgres: "PostgreSQL <15>", node: "20", articles: 2000 });
    expect(svg.match(/<rect x="270"/g)).to.have.lengthOf(3);
    expect(svg).to.contain("PostgreSQL &lt;15>");
  });
});

describe("the options of the benchmark", () => {
  for (const [option, message] of [
    ["--rounds=0", '--rounds takes whole numbers from 1, not "0"'],
    ["--connections=10,x", '--connections takes whole numbers from 1, not "x"'],
    ["--limit=none", '--limit takes "plain" or "own", not "none"'],
    ["--with=metrics,", "--with takes plugins, as in metrics"],
    ["--peer=http://127.0.0.1", "--peer takes postgraphile, or name=url=token"],
    ["--peer=ours=http://127.0.0.1:1=abc", '"ours" is the name of another server here'],
  ] as const) {
    it(`refuse ${option} before anything starts`, () => {
      const { status, stderr } = spawnSync(process.execPath, [SCRIPT, option], { encoding: "utf8" });
      expect(status).to.equal(1);
      expect(stderr).to.contain(message);
    });
  }
});

interface Measured {
  readonly ours: number;
  readonly limit: number;
  readonly connections?: number;
  readonly p99?: number;
}

function result({ ours, limit, connections = 10, p99 = 10 }: Measured) {
  const servers = {
    ours: figures({ requestsPerSecond: ours, p99 }),
    limit: figures({ requestsPerSecond: limit, p99: 10 }),
  };
  const ratio = ours / limit;
  return { name: "list", connections, atLeast: 0.8, ratio, bytes: 100, statementsPerRequest: 1, servers };
}

function figures(given: { readonly requestsPerSecond: number; readonly p99: number }) {
  const median = { p50: 5, cpu: 1, postgresCpu: 1, memory: 1e8, ...given };
  return { median, rounds: [median] };
}
