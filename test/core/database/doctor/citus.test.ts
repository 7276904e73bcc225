import { expect } from "chai";
import type { Database } from "#core/database/driver/database.js";
import { type CitusState, examineCitus, judgeCitus } from "#core/database/doctor/citus.js";

const QUICK = { jit: "off", random_page_cost: "1.1", max_parallel_workers_per_gather: "0" };
const SETTINGS = { ...QUICK, statement_timeout: "60000", max_connections: "300", max_prepared_transactions: "300" };

const WELL: CitusState = {
  place: "distributed",
  schema: "north",
  version: "13.2-1",
  unlogged: [],
  connections: 300,
  workers: [{ worker: "10.0.0.2:5432", settings: SETTINGS }],
};
const told = (state: Partial<CitusState>) =>
  judgeCitus({ ...WELL, ...state }).map(({ weight, kind, where }) => `${weight}: ${kind}: ${where}`);
const ofWorker = (settings: Readonly<Record<string, string>>) =>
  judgeCitus({ ...WELL, workers: [{ worker: "10.0.0.2:5432", settings: { ...SETTINGS, ...settings } }] });

describe("what plinth doctor says of Citus", () => {
  it("is nothing where schema and workers are as they have to be", () => {
    expect(told({})).to.deep.equal([]);
  });

  it("is that a schema is on the coordinator, or that there is no Citus", () => {
    expect(told({ place: "local" })).to.deep.equal(["warning: local schema: north"]);
    const adviceOf = (schema: string) => judgeCitus({ ...WELL, place: "local", schema })[0]?.advice;
    expect(adviceOf("north")).to.equal("Run select citus_schema_distribute('north').");
    expect(adviceOf("public")).to.include("Name a `schema` of the app's own");
    expect(told({ place: "no schemas", version: "", workers: [] })).to.deep.equal(["error: citus version: citus"]);
    expect(told({ place: "no schemas", version: "11.3-1" })).to.deep.equal(["error: citus version: citus 11.3-1"]);
    expect(told({ version: "12.1-1" })).to.deep.equal(["hint: citus version: citus 12.1-1"]);
  });

  it("is which tables keep Citus from moving the schema", () => {
    expect(told({ unlogged: ["plinth_attempts", "carts"] })).to.deep.equal([
      "error: unlogged table: plinth_attempts",
      "error: unlogged table: carts",
    ]);
  });

  it("is what a worker has set, and what to run there", () => {
    const [slow] = ofWorker({ jit: "on", random_page_cost: "4" });
    expect(slow?.what).to.include("has jit = on, random_page_cost = 4,");
    expect(slow?.advice).to.equal(
      "Run on the worker: alter system set jit = off; alter system set random_page_cost = 1.1; select pg_reload_conf();",
    );
    const kinds = (settings: Readonly<Record<string, string>>) =>
      ofWorker(settings).map(({ weight, what }) => `${weight}: ${what.split(":")[0]}`);
    expect(kinds({ statement_timeout: "0" })).to.deep.equal(["hint: has no statement_timeout"]);
    expect(kinds({ max_prepared_transactions: "0" })).to.deep.equal(["warning: has max_prepared_transactions = 0"]);
    expect(kinds({ max_connections: "100" })).to.deep.equal([
      "warning: takes 100 connections, and the coordinator 300",
    ]);
  });

  it("is which worker does not answer, and what is found on the others", async () => {
    const answers: readonly (readonly [part: string, rows: readonly object[]])[] = [
      ["to_regclass", [{ has_schemas: true }]],
      ["pg_dist_schema where", [{ is_distributed: true }]],
      ["max_connections", [{ schema: "north", version: "13.2-1", unlogged: [], connections: 300 }]],
    ];
    const workers = [
      { worker: "10.0.0.2:5432", is_answered: true, result: JSON.stringify({ ...SETTINGS, jit: "on" }) },
      { worker: "10.0.0.3:5432", is_answered: false, result: "failed to connect" },
    ];
    const query = ({ text }: { readonly text: string }) =>
      Promise.resolve(
        text.includes("run_command_on_workers") ? workers : answers.find(([part]) => text.includes(part))?.[1],
      );
    const found = await examineCitus({ query } as unknown as Database);
    expect(found.map(({ weight, kind, where }) => `${weight}: ${kind}: ${where}`)).to.deep.equal([
      "error: worker: worker 10.0.0.3:5432",
      "warning: worker settings: worker 10.0.0.2:5432",
    ]);
  });
});
