import { addressGroup } from "@plinth/core/access";
import { expect } from "chai";
import { wideGroup } from "#core/access/limits/address-group.js";
import { eitherDatabase } from "../../databases.js";
import { PASSWORD, serveAuthApp } from "./auth-app.js";

const LOGIN = "/api/auth/local";
const MAX = 4;
/** Of one wide network, and of all, with MAX. */
const FROM_NETWORK = 2 * MAX;
const FROM_EVERYWHERE = 5 * MAX;

describe("guesses at one account from many addresses", () => {
  eitherDatabase("postgres", (database) => {
    const options = {
      config: { rateLimit: { max: MAX, interval: 60 } },
      appConfig: { server: { host: "127.0.0.1", port: 0, proxy: true } },
    };
    const served = serveAuthApp(database, options);
    const login = (identifier: string, address: string, password = "wrong-password") =>
      served().post(LOGIN, { identifier, password }, { headers: { "x-forwarded-for": address } });
    const guess = async (identifier: string, addresses: readonly string[]) => {
      const statuses: number[] = [];
      for (const address of addresses) statuses.push((await login(identifier, address)).status);
      return statuses;
    };
    const count = (statuses: readonly number[], status: number) => statuses.filter((each) => each === status).length;
    const subnets = (length: number, prefix: number) =>
      Array.from({ length }, (_, n) => `2001:db8:${prefix}:${n.toString(16)}::1`);

    it("end, also when each comes from another /64 network", async () => {
      await served().register("ada");
      const statuses = await guess("ada", subnets(3 * FROM_NETWORK, 1));
      expect(count(statuses, 400)).to.equal(FROM_NETWORK);
      expect(count(statuses, 429)).to.equal(2 * FROM_NETWORK);
    });

    it("have one budget for the name and the address of the account", async () => {
      await served().register("bob");
      const names = Array.from({ length: 2 * FROM_NETWORK }, (_, n) => (n % 2 === 0 ? "bob" : "BOB@example.com"));
      const statuses: number[] = [];
      for (const [n, name] of names.entries()) statuses.push((await login(name, `2001:db8:2:${n}::1`)).status);
      expect(count(statuses, 400)).to.equal(FROM_NETWORK);
    });

    it("end in the same way for accounts that are not there", async () => {
      expect(count(await guess("nobody", subnets(2 * FROM_NETWORK, 3)), 400)).to.equal(FROM_NETWORK);
    });

    it("do not lock the owner out: neither from elsewhere nor from a network of before", async () => {
      await served().register("carol");
      expect((await login("carol", "2001:db8:4:ffff::1", PASSWORD)).status).to.equal(200);
      await guess("carol", subnets(2 * FROM_NETWORK, 4));
      expect((await login("carol", "2001:db8:4:eeee::1", PASSWORD)).status).to.equal(429);
      expect((await login("carol", "2001:db8:4:ffff::2", PASSWORD)).status).to.equal(200);
      expect((await login("carol", "198.51.100.7", PASSWORD)).status).to.equal(200);
    });

    it("from all over the world make a stranger's right password late, and do not refuse it", async () => {
      await served().register("dave");
      const addresses = Array.from({ length: FROM_EVERYWHERE }, (_, n) => `${n + 20}.${n}.0.1`);
      expect(count(await guess("dave", addresses), 400)).to.equal(FROM_EVERYWHERE);
      const more = Array.from({ length: 8 }, (_, n) => login("dave", `${n + 100}.${n}.0.1`));
      expect(
        count(
          (await Promise.all(more)).map(({ status }) => status),
          429,
        ),
      ).to.be.greaterThan(4);
      await new Promise((resolve) => setTimeout(resolve, 5000));
      expect((await login("dave", "203.0.113.9", PASSWORD)).status).to.equal(200);
    });

    it("are not counted when the password was right, or was not looked at", async () => {
      await served().register("erin");
      for (let n = 0; n < 2 * FROM_NETWORK; n++)
        expect((await login("erin", `2001:db8:6:${n}::1`, PASSWORD)).status).to.equal(200);
      for (let n = 0; n < 2 * FROM_NETWORK; n++)
        expect(
          (await served().post(LOGIN, { identifier: "erin" }, { headers: { "x-forwarded-for": `10.9.0.${n}` } }))
            .status,
        ).to.equal(400);
      expect((await login("erin", "10.9.0.99", PASSWORD)).status).to.equal(200);
    });

    if (database.kind === "postgres") {
      const other = serveAuthApp(database, options);

      it("count together in all processes on a database", async () => {
        await served().register("frank");
        const headers = (n: number) => ({ headers: { "x-forwarded-for": `2001:db8:7:${n}::1` } });
        const statuses: number[] = [];
        for (let n = 0; n < 2 * FROM_NETWORK; n++) {
          const app = n % 2 === 0 ? served() : other();
          statuses.push((await app.post(LOGIN, { identifier: "frank", password: "wrong" }, headers(n))).status);
        }
        expect(count(statuses, 400)).to.equal(FROM_NETWORK);
        const same = { headers: { "x-forwarded-for": "192.0.2.1" } };
        const here: number[] = [];
        for (let n = 0; n < MAX + 2; n++) {
          const app = n % 2 === 0 ? served() : other();
          here.push((await app.post(LOGIN, { identifier: "gina", password: "wrong" }, same)).status);
        }
        expect(count(here, 400)).to.equal(MAX);
      });
    }
  });
});

describe("what counts as one wide network", () => {
  it("is the /16 of an IPv4 address and the /32 of an IPv6 one", () => {
    expect(wideGroup("192.0.2.1")).to.equal("192.0/16");
    expect(wideGroup("::ffff:192.0.2.1")).to.equal("192.0/16");
    expect(wideGroup("2001:db8:1:2:3:4:5:6")).to.equal("2001:db8::/32");
    expect(wideGroup("::1")).to.equal("0:0::/32");
    expect(addressGroup("::1")).to.equal("0:0:0:0::/64");
  });
});
