import { expect } from "chai";
import { constraintOf, isNamedByShard } from "#core/database/driver/citus-errors.js";
import type { Driver } from "#core/database/driver/driver.js";
import {
  isLostConnection,
  isWorthAnotherTry,
  toCommitError,
  toDatabaseError,
} from "#core/database/driver/driver-error.js";

/** As the pg client makes them of what Citus 13.2 says. */
const errorOf = (message: string, code: string): Error => Object.assign(new Error(message), { code });

const DUPLICATE = "duplicate key value violates unique constraint";
const REFUSED = errorOf(
  "connection to the remote node postgres@127.0.0.1:4441 failed with the following error: Connection refused",
  "08006",
);
const CUT_OFF = errorOf("failure on connection marked as essential: 127.0.0.1:4441", "XX000");
const UNANSWERED = errorOf("could not commit transaction for shard 102008 on at least one active node", "XX000");

const driver = { engine: "citus", where: "127.0.0.1:5432/tenants", statementTimeout: 0 } as Driver;
const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown }).code;

describe("errors of Citus", () => {
  it("name the constraint of a shard in their message, and get its name on the coordinator", () => {
    const error = toDatabaseError(errorOf(`${DUPLICATE} "articles_badge_holder_102345"`, "23505"), driver);
    expect(error).to.include({ code: "23505", constraint: "articles_badge_holder" });
    expect(constraintOf(new Error(`${DUPLICATE} of nothing`))).to.equal(undefined);
  });

  it("name it in the quotes of the language of the worker", () => {
    for (const quoted of [
      "»articles_slug_unique_102345«",
      "« articles_slug_unique_102345 »",
      "„articles_slug_unique_102345“",
    ])
      expect(constraintOf(new Error(`doppelter Schlüsselwert ${quoted}`))).to.equal("articles_slug_unique");
  });

  it("are no others: PostgreSQL names constraints itself", () => {
    const error = errorOf(`${DUPLICATE} "articles_badge_holder_102345"`, "23505");
    expect(toDatabaseError(error, { ...driver, engine: "postgres" })).not.to.have.property("constraint");
  });

  it("leave a constraint alone that PostgreSQL named", () => {
    const known = Object.assign(errorOf(`${DUPLICATE} "year_2024"`, "23505"), { constraint: "year_2024" });
    expect(toDatabaseError(known, driver)).to.include({ constraint: "year_2024" });
  });

  it("name a long constraint by its start and a hash, which fits no other", () => {
    const long = `articles_${"very_".repeat(9)}long_unique`;
    const names = new Set([long, "articles_slug_unique"]);
    const named = constraintOf(new Error(`${DUPLICATE} "${long.slice(0, 46)}_0fc2a1b9_102345"`)) ?? "";
    expect(isNamedByShard(named, names)).to.equal(true);
    expect(isNamedByShard("articles_by_hand_0fc2a1b9", names)).to.equal(false);
    expect(isNamedByShard("articles_by_hand", names)).to.equal(false);
    expect(isNamedByShard("articles_20240101", names), "a short name is not hashed").to.equal(false);
  });

  it("of a worker that is lost are those of a lost connection: a read is sent again, and a write is 503", () => {
    for (const error of [REFUSED, CUT_OFF]) {
      expect(isLostConnection(error)).to.equal(true);
      expect(codeOf(toDatabaseError(error, driver))).to.equal("PLINTH_DATABASE_UNREACHABLE");
    }
  });

  it("of a schema that was moved to another worker let the transaction run again", () => {
    const moved = errorOf(
      'Query could not find the intermediate result file "471_1", it was mostly likely deleted',
      "XX000",
    );
    expect(isWorthAnotherTry(moved)).to.equal(true);
    expect(codeOf(toDatabaseError(moved, driver))).to.equal("PLINTH_DATABASE_CONTENTION");
    expect(isWorthAnotherTry(REFUSED)).to.equal(false);
  });

  it("leave no doubt about a write before the commit was sent, and say so where it was", () => {
    for (const error of [REFUSED, CUT_OFF]) expect(toCommitError(error, driver.where)).to.equal(error);
    expect(codeOf(toCommitError(UNANSWERED, driver.where))).to.equal("PLINTH_DATABASE_UNKNOWN_OUTCOME");
  });
});
