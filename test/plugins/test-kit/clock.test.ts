import timers from "node:timers";
import { promisify } from "node:util";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { createTestApp, type TestApp } from "@plinth/test-kit";
import { expect } from "chai";

const DAY = 86_400_000;
/** Milliseconds between two clocks that each tell whole ones. */
const ROUNDED = 1;

describe("the clock of the test kit", () => {
  const realDate = Date;
  const realTimeout = setTimeout;
  let test: TestApp;
  before("start an app with people and tokens", async () => {
    test = await createTestApp({ plugins: [contentApiPlugin, apiTokensPlugin, usersPermissionsPlugin] });
  });
  afterEach("go back to the real time", () => test.clock.reset());
  after("stop it", async () => {
    await test?.stop();
    expect(Date, "the real one is back").to.equal(realDate);
    expect(setTimeout, "the real one is back").to.equal(realTimeout);
  });

  it("makes the token of a user end", async () => {
    const ada = await test.signIn({ role: "authenticated" });
    expect((await ada.get("/api/users/me")).status).to.equal(200);
    await test.clock.advance({ days: 31 });
    expect((await ada.get("/api/users/me")).status).to.equal(401);
    test.clock.reset();
    expect((await ada.get("/api/users/me")).status).to.equal(200);
  });

  it("makes an API token end", async () => {
    const expiresAt = new Date(Date.now() + DAY).toISOString();
    const tokens = test.app.service("plugin::api-tokens.tokens");
    const { accessKey } = await tokens.create({ name: "a day", type: "full-access", expiresAt });
    const program = test.withBearer(accessKey);
    expect((await program.get("/api/users")).status).to.equal(200);
    await test.clock.advance({ hours: 25 });
    expect((await program.get("/api/users")).body.error.message).to.equal("Token expired");
  });

  it("tells the moved time to whoever asks, and goes on", async () => {
    await test.clock.advance({ days: 1, seconds: 1 });
    for (const read of [() => new Date(Date.now()), () => new Date(), () => test.clock.now()]) {
      const before = realDate.now();
      const moved = read().getTime();
      expect(moved).to.be.within(before + DAY + 1000 - ROUNDED, realDate.now() + DAY + 1000 + ROUNDED);
    }
    expect(new Date(Date())).to.be.an.instanceOf(Date);
    expect(new Date(0).toISOString()).to.equal("1970-01-01T00:00:00.000Z");
  });

  it("moves to a date", async () => {
    await test.clock.advanceTo("2099-12-31T23:59:59Z");
    expect(new Date().getFullYear()).to.be.within(2099, 2100);
  });

  it("runs the timers that came due, in their order, and a repeating one once", async () => {
    const ran: string[] = [];
    setTimeout((name: string) => ran.push(name), 7 * DAY, "a week");
    setTimeout(() => ran.push("an hour"), 3_600_000);
    const daily = setInterval(() => ran.push("daily"), DAY);
    const cleared = setTimeout(() => ran.push("cleared"), 1_000_000);
    clearTimeout(Number(cleared));
    setTimeout(() => ran.push("later"), 20 * DAY).unref();
    await test.clock.advance({ days: 10 });
    expect(ran).to.deep.equal(["an hour", "daily", "a week"]);
    await test.clock.advance({ days: 1 });
    expect(ran.slice(3)).to.deep.equal(["daily"]);
    clearInterval(daily);
    await test.clock.advance({ days: 1 });
    expect(ran).to.have.length(4);
  });

  it("starts a schedule's next round from the moved time", async () => {
    let rounds = 0;
    let timer: NodeJS.Timeout;
    const schedule = () => {
      timer = setTimeout(() => {
        rounds += 1;
        schedule();
      }, DAY);
    };
    schedule();
    for (const _ of [1, 2, 3]) await test.clock.advance({ days: 1 });
    expect(rounds).to.equal(3);
    clearTimeout(timer!);
  });

  it("lets timers that are not due run when they would have", async () => {
    let hasRun = false;
    setTimeout(() => {
      hasRun = true;
    }, 60_020);
    await test.clock.advance({ minutes: 1 });
    expect(hasRun).to.equal(false);
    await promisify(setTimeout)(100);
    expect(hasRun).to.equal(true);
  });

  it("keeps timers as Node's are: refreshed, unreferenced, disposed of", async () => {
    let runs = 0;
    const timer = setTimeout(() => {
      runs += 1;
    }, DAY);
    expect(timer.unref().hasRef()).to.equal(false);
    expect(timer.ref().hasRef()).to.equal(true);
    await test.clock.advance({ hours: 23 });
    timer.refresh();
    await test.clock.advance({ hours: 23 });
    expect(runs).to.equal(0);
    await test.clock.advance({ hours: 2 });
    timer.refresh();
    await test.clock.advance({ hours: 25 });
    expect(runs).to.equal(2);
    timer.refresh();
    timer[Symbol.dispose]();
    await test.clock.advance({ hours: 25 });
    expect(runs).to.equal(2);
  });

  it("clears a timer also by the functions of Node that a module holds on to", async () => {
    const ran: string[] = [];
    const once = setTimeout(() => ran.push("once"), DAY);
    const daily = setInterval(() => ran.push("daily"), DAY);
    timers.clearTimeout(once);
    timers.clearInterval(daily);
    await test.clock.advance({ days: 2 });
    expect(ran).to.deep.equal([]);
  });

  it("refuses what is no time, and to go back", async () => {
    expect(() => test.clock.advance({ days: -1 })).to.throw('{"days":-1}');
    expect(() => test.clock.advance({ weeks: 1 } as object))
      .to.throw()
      .with.property("code", "PLINTH_TESTKIT_TIME_INVALID");
    expect(() => test.clock.advanceTo("tomorrow")).to.throw("tomorrow");
    expect(() => test.clock.advanceTo("1999-01-01"))
      .to.throw()
      .with.property("code", "PLINTH_TESTKIT_CLOCK_BACKWARDS");
  });
});
