import bcrypt from "bcryptjs";
import { expect } from "chai";
import { createPasswords, type Passwords } from "#core/access/passwords/passwords.js";
import { isPlinthError } from "#core/base/error.js";

/** The code of what a promise fails with, or its value. */
async function outcomeOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    return await promise;
  } catch (error) {
    return isPlinthError(error) ? error.code : error;
  }
}

describe("passwords", () => {
  let passwords: Passwords;
  beforeEach(() => (passwords = createPasswords(1)));
  afterEach(() => passwords.close());

  it("are hashed by bcrypt, so that hashes of elsewhere are known here and the other way round", async () => {
    const hash = await passwords.hash("Analytical-1");
    expect(bcrypt.getRounds(hash)).to.equal(10);
    expect(await bcrypt.compare("Analytical-1", hash)).to.equal(true);
    expect(await passwords.matches("Analytical-1", await bcrypt.hash("Analytical-1", 4))).to.equal(true);
    expect(await passwords.matches("Analytical-2", hash)).to.equal(false);
  });

  it("have the cost that an app asks for", async () => {
    const cheap = createPasswords(1, 5);
    const hash = await cheap.hash("Analytical-1");
    expect(bcrypt.getRounds(hash)).to.equal(5);
    expect(await cheap.matches("Analytical-1", hash)).to.equal(true);
    expect(await cheap.matches("Analytical-1", undefined)).to.equal(false);
    expect(await passwords.matches("Analytical-1", hash)).to.equal(true);
    await cheap.close();
  });

  it("never match what is not a hash, or no account", async () => {
    for (const hash of [undefined, "", "plain", "$2b$10$short"])
      expect(await passwords.matches("plain", hash), hash).to.equal(false);
  });

  it("do not hold up anything else of the process", async () => {
    let turns = 0;
    let isDone = false;
    const hashing = passwords.hash("Analytical-1").finally(() => (isDone = true));
    while (!isDone) {
      turns += 1;
      await new Promise(setImmediate);
    }
    await hashing;
    expect(turns).to.be.greaterThan(100);
  });

  it("wait in a queue that has an end", async () => {
    const asked = Array.from({ length: 70 }, () => outcomeOf(passwords.matches("x", undefined)));
    const last = await asked.at(-1);
    expect(last).to.equal("PLINTH_PASSWORDS_BUSY");
    await passwords.close();
    const outcomes = new Set(await Promise.all(asked));
    expect([...outcomes]).to.include.members(["PLINTH_PASSWORDS_BUSY", "PLINTH_PASSWORDS_THREAD_ENDED"]);
  });

  it("are not hashed any more when the app has stopped", async () => {
    await passwords.hash("Analytical-1");
    await passwords.close();
    expect(await outcomeOf(passwords.hash("Analytical-1"))).to.equal("PLINTH_PASSWORDS_THREAD_ENDED");
  });
});
