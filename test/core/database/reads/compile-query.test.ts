import { expect } from "chai";
import { compileQuery } from "#core/database/reads/compile-query.js";
import { libraryLayout } from "./library.js";
import { reads, readsByFile } from "./reads.js";
import { describeStatement, readStatements } from "./statements.js";

describe("a read becomes one statement", () => {
  for (const [file, own] of readsByFile) {
    const statements = readStatements(file);
    for (const read of own) {
      it(read.title, () => {
        expect(describeStatement(read)).to.equal(statements.get(read.title));
      });
    }
  }

  it("uses every parameter that it hands out, so that PostgreSQL knows each one's type", () => {
    for (const { query } of reads) {
      const plan = compileQuery(query, libraryLayout);
      for (const { text, slots } of [plan, ...(plan.uncounted ? [plan.uncounted] : [])]) {
        const used = new Set([...text.matchAll(/\$(\d+)::/g)].map(([, number]) => Number(number)));
        expect([...used].sort((a, b) => a - b)).to.deep.equal(slots.map((_slot, index) => index + 1));
      }
    }
  });

  it("refuses a field that the content-type does not have", () => {
    const [read] = reads;
    const query = { ...read!.query, selection: { fields: ["nope"], populate: [] } };
    expect(() => compileQuery(query, libraryLayout))
      .to.throw()
      .with.property("code", "PLINTH_QUERY_UNCOMPILABLE");
  });
});
