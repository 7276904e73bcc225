import { expect } from "chai";
import { addressGroup } from "@plinth/core/access";
import { eitherDatabase } from "../../databases.js";
import { askHealth, doctorOn, untilHealth } from "../upload/ask-health.js";
import { timeOf } from "../../usual-time.js";
import { type AskOptions, PASSWORD, serveAuthApp } from "./auth-app.js";
import { type FreezableRedis, startFreezableRedis } from "./redis-server.js";

const LOGIN = "/api/auth/local";
const RESET = "/api/auth/reset-password";
const MAX = 4;
/** Milliseconds for which a Redis that did not answer is not asked. */
const PAUSE = 5_000;

/** The statuses of a number of requests, each made from its number. */
async function statusesOf(count: number, ask: (n: number) => Promise<{ status: number }>): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n++) statuses.push((await ask(n)).status);
  return statuses;
}

const spentAfter = (allowed: number, status: number, more = 2) => [
  ...new Array<number>(allowed).fill(status),
  ...new Array<number>(more).fill(429),
];

describe("rate limits", () => {
  eitherDatabase(import.meta.url, (database) => {
    const served = serveAuthApp(database, { config: { rateLimit: { max: MAX, interval: 600, maxPerAddress: 200 } } });
    const login = (identifier: unknown, options?: AskOptions, path = LOGIN) =>
      served().post(path, { identifier, password: "wrong-password" }, options);

    it("end guessing at a password, and say when to come back", async () => {
      const first = await login("ada");
      expect(first.headers.get("x-ratelimit-limit")).to.equal(String(MAX));
      expect(first.headers.get("x-ratelimit-remaining")).to.equal(String(MAX - 1));
      expect(await statusesOf(MAX + 1, () => login("ada"))).to.deep.equal(spentAfter(MAX - 1, 400));
      const refused = await login("ada");
      expect(refused.body).to.deep.include({ data: null });
      expect(refused.body.error).to.deep.include({
        status: 429,
        name: "RateLimitError",
        message: "Too many requests, please try again later.",
        details: {},
      });
      expect(refused.headers.get("x-ratelimit-remaining")).to.equal("0");
      const reset = Number(refused.headers.get("x-ratelimit-reset")) - Date.now() / 1000;
      expect(reset).to.be.within(1, 601);
    });

    it("also hold for the right password, and do not hinder others", async () => {
      await served().register("grace");
      await statusesOf(MAX, () => login("grace"));
      const right = await served().post(LOGIN, { identifier: "grace", password: PASSWORD });
      expect(right.status).to.equal(429);
      expect((await login("somebody-else")).status).to.equal(400);
    });

    it("have one budget for a name however it is written", async () => {
      const forms = ["Bob@Example.com", "bob@example.com", " bob@example.com", "BOB@EXAMPLE.COM", "bob@example.com "];
      const statuses = await statusesOf(MAX + 1, (n) => login(forms[n]));
      expect(statuses.at(-1)).to.equal(429);
    });

    it("have one budget for all bodies that name nobody", async () => {
      const values = [{ a: 1 }, ["x"], null, 1, true, { b: 2 }];
      expect(await statusesOf(MAX + 2, (n) => login(values[n]))).to.deep.equal(spentAfter(MAX, 400));
    });

    it("are not widened by fields that the route does not use", async () => {
      const ask = (n: number) =>
        served().post(LOGIN, { identifier: "carol", password: "wrong", email: `x${n}@example.com`, username: `u${n}` });
      expect(await statusesOf(MAX + 2, ask)).to.deep.equal(spentAfter(MAX, 400));
    });

    it("are not widened by other spellings of the path", async () => {
      const paths = [
        "/api/auth/local",
        "/API/auth/LOCAL",
        "/api/auth/local/",
        "/api/auth/Local?x=1",
        "/Api/Auth/local/?",
      ];
      expect(await statusesOf(MAX + 1, (n) => login("dave", {}, paths[n]))).to.deep.equal(spentAfter(MAX, 400, 1));
      for (const path of ["/api/auth/%6cocal", "//api/auth/local", "/api//auth/local", "/api/auth/./local/../local"]) {
        expect([404, 405, 429], path).to.include((await login("dave", {}, path)).status);
      }
    });

    it("are not widened by headers that claim another address", async () => {
      const names = ["x-forwarded-for", "x-real-ip", "forwarded", "cf-connecting-ip", "true-client-ip", "x-client-ip"];
      const ask = (n: number) =>
        login("erin", { headers: Object.fromEntries(names.map((name) => [name, `10.0.0.${n}`])) });
      expect(await statusesOf(MAX + 2, ask)).to.deep.equal(spentAfter(MAX, 400));
    });

    it("count every guess at a code as one and the same", async () => {
      const ask = (n: number) =>
        served().post(RESET, { code: `guess-${n}`, password: PASSWORD, passwordConfirmation: PASSWORD });
      expect(await statusesOf(MAX + 2, ask)).to.deep.equal(spentAfter(MAX, 400));
    });

    it("hold for confirmation tokens and for the current password", async () => {
      const confirm = (n: number) => served().ask("GET", `/api/auth/email-confirmation?confirmation=${n}`);
      expect(await statusesOf(MAX + 2, confirm)).to.deep.equal(spentAfter(MAX, 400));
      const { jwt: token } = await served().register("frank");
      const body = { currentPassword: "no", password: "Next-pass-1", passwordConfirmation: "Next-pass-1" };
      const change = () => served().post("/api/auth/change-password", body, { token });
      expect(await statusesOf(MAX + 2, change)).to.deep.equal(spentAfter(MAX, 400));
    });

    it("hold for mails to one address", async () => {
      const ask = () => served().post("/api/auth/forgot-password", { email: "heidi@example.com" });
      expect(await statusesOf(MAX + 2, ask)).to.deep.equal(spentAfter(MAX, 200));
    });
  });
});

describe("rate limits of sessions", () => {
  eitherDatabase(import.meta.url, (database) => {
    const served = serveAuthApp(database, {
      config: { jwtManagement: "refresh", rateLimit: { max: MAX, interval: 600 } },
    });

    it("end guessing at refresh tokens", async () => {
      const ask = (n: number) => served().post("/api/auth/refresh", { refreshToken: `guess-${n}` });
      expect(await statusesOf(MAX + 2, ask)).to.deep.equal(spentAfter(MAX, 401));
    });
  });
});

describe("rate limits of one address", () => {
  eitherDatabase(import.meta.url, (database) => {
    const served = serveAuthApp(database, { config: { rateLimit: { max: MAX, maxPerAddress: 6, interval: 600 } } });

    it("end trying one password on many names", async () => {
      const ask = (n: number) => served().post(LOGIN, { identifier: `name-${n}`, password: "Summer-2026" });
      expect(await statusesOf(8, ask)).to.deep.equal(spentAfter(6, 400));
    });
  });
});

describe("rate limits behind a proxy", () => {
  eitherDatabase(import.meta.url, (database) => {
    const served = serveAuthApp(database, {
      config: { rateLimit: { max: MAX, interval: 600 } },
      appConfig: { server: { host: "127.0.0.1", port: 0, proxy: true } },
    });
    const login = (identifier: string, forwarded: string) =>
      served().post(LOGIN, { identifier, password: "wrong" }, { headers: { "x-forwarded-for": forwarded } });

    it("are told apart by the address that the proxy saw", async () => {
      expect(await statusesOf(MAX + 1, () => login("ivan", "192.0.2.1"))).to.deep.equal(spentAfter(MAX, 400, 1));
      expect((await login("ivan", "192.0.2.2")).status).to.equal(400);
    });

    it("do not believe what the client put before it", async () => {
      const statuses = await statusesOf(MAX + 2, (n) => login("judy", `198.51.100.${n}, 192.0.2.9`));
      expect(statuses).to.deep.equal(spentAfter(MAX, 400));
    });
  });
});

describe("rate limits with a Redis that does not answer", () => {
  eitherDatabase(import.meta.url, (database) => {
    // Nothing listens on the port of the discard protocol.
    const redis = "redis://127.0.0.1:9";
    const server = { host: "127.0.0.1", port: 0, management: 0 };
    const config = { rateLimit: { max: MAX, interval: 600, redis } };
    const served = serveAuthApp(database, { config, appConfig: { server } });

    it("hold in the database, and the log says so once", async () => {
      const ask = () => served().post(LOGIN, { identifier: "mia", password: "wrong" });
      expect(await statusesOf(MAX + 2, ask)).to.deep.equal(spentAfter(MAX, 400));
      expect(served().log.filter((line) => line.includes("Redis does not answer"))).to.have.length(1);
    });

    it("are degraded, which keeps the process ready, and a warning of plinth doctor", async () => {
      await untilHealth(served().plinth, "redis", "degraded");
      const { code, found } = await askHealth(served().plinth, "redis");
      expect([code, found?.reason]).to.deep.equal([200, "Redis does not answer: connect ECONNREFUSED 127.0.0.1:9"]);
      const finding = await doctorOn(served().plinth, "redis");
      expect(finding).to.include({ weight: "warning" });
      // On a busy machine the look ends before the connection is refused.
      expect(finding?.what).to.match(/^Redis does not answer: (connect ECONNREFUSED|The operation was aborted)/);
    });
  });
});

describe("rate limits with a Redis that freezes", () => {
  eitherDatabase(import.meta.url, (database) => {
    let redis: FreezableRedis;
    const rateLimit: Record<string, number | string> = { max: MAX, interval: 600, maxPerAddress: 10_000 };
    before("start a Redis", async () => {
      redis = await startFreezableRedis();
      rateLimit["redis"] = redis.url;
    });
    const server = { host: "127.0.0.1", port: 0, management: 0 };
    const served = serveAuthApp(database, { config: { rateLimit }, appConfig: { server } });
    after("stop the Redis", () => redis.close());

    it("hold without it after half a second, and the log says so once", async () => {
      await untilHealth(served().plinth, "redis", "ok");
      expect(await doctorOn(served().plinth, "redis")).to.equal(undefined);
      const ask = () => served().post(LOGIN, { identifier: "nina", password: "wrong" });
      for (let n = 0; redis.answered === 0; n++)
        await served().post("/api/auth/forgot-password", { email: `early-${n}@example.com` });
      redis.freeze();
      const took = await timeOf(async () => expect(await statusesOf(MAX + 2, ask)).to.deep.equal(spentAfter(MAX, 400)));
      console.log(
        `[fleet] Redis gone: ${MAX + 2} sign-ins as without Redis, in ${took.toFixed(0)} ms, ${redis.unanswered} scripts`,
      );
      // Two for each sign-in that asks it, and none asks it for a while after one had no answer.
      expect(redis.unanswered).to.be.within(1, 2 * (1 + took / PAUSE));
      await untilHealth(served().plinth, "redis", "degraded");
      expect(served().log.filter((line) => line.includes("Redis does not answer"))).to.have.length(1);
    });
  });
});

const redisUrl = process.env["TEST_REDIS_URL"];
if (redisUrl) {
  describe("rate limits in Redis", () => {
    eitherDatabase(import.meta.url, (database) => {
      const options = { config: { rateLimit: { max: MAX, interval: 600, redis: redisUrl } } };
      const apps = [serveAuthApp(database, options), serveAuthApp(database, options)];

      it("are those of all processes together", async () => {
        const identifier = `shared-${Date.now()}`;
        const ask = (n: number) => apps[n % 2]!().post(LOGIN, { identifier, password: "wrong" });
        expect(await statusesOf(MAX + 2, ask)).to.deep.equal(spentAfter(MAX, 400));
        expect(apps[0]!().log.join("")).to.not.include("Redis does not answer");
      });
    });
  });
}

describe("what counts as one address", () => {
  it("is the network of an IPv6 address, and an IPv4 address however it is written", () => {
    expect(addressGroup("192.0.2.1")).to.equal("192.0.2.1");
    expect(addressGroup("::ffff:192.0.2.1")).to.equal("192.0.2.1");
    expect(addressGroup("::ffff:c000:201")).to.equal("192.0.2.1");
    expect(addressGroup("no address")).to.equal("no address");
    expect(addressGroup("2001:db8:1:2:3:4:5:6")).to.equal("2001:db8:1:2::/64");
    expect(addressGroup("2001:0DB8:1:2::9")).to.equal("2001:db8:1:2::/64");
    expect(addressGroup("fe80::1%eth0")).to.equal("fe80:0:0:0::/64");
    expect(addressGroup("::1")).to.equal("0:0:0:0::/64");
  });
});
