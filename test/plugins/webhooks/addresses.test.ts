import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { AddressRules, isNetwork, type Resolve } from "#plugins/webhooks/src/requests/address-rules.js";
import { Requests } from "#plugins/webhooks/src/requests/send-request.js";

/** Every form in which an address can name what only this server reaches. */
const CLOSED = [
  ...["127.0.0.1", "127.255.255.254", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
  ...["169.254.169.254", "100.64.0.1", "100.100.100.200", "192.0.0.192", "168.63.129.16", "198.18.0.1"],
  ...["224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"],
  ...["::", "::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1", "::127.0.0.1", "64:ff9b::a00:1"],
  ...["::ffff:127.0.0.1", "::ffff:7f00:1", "::FFFF:8.8.8.8", "2002:7f00:1::", "2001::1", "2001:db8::1", "100::1"],
];

const OPEN = ["8.8.8.8", "1.1.1.1", "172.15.255.255", "172.32.0.0", "2606:4700:4700::1111", "2a00:1450:4001::8a"];

/** The forms in which the host of a URL can be written. */
const HOSTS = [
  "127.1",
  "2130706433",
  "0x7f.1",
  "0177.0.0.1",
  "[::1]",
  "[::ffff:127.0.0.1]",
  "169.254.169.254",
  "[fd00:ec2::254]",
];

describe("addresses of webhooks", () => {
  const rules = new AddressRules([]);

  for (const address of CLOSED) it(`${address} is closed`, () => expect(rules.permits(address)).to.equal(false));
  for (const address of OPEN) it(`${address} is open`, () => expect(rules.permits(address)).to.equal(true));

  for (const host of HOSTS)
    it(`https://${host} is refused, however it is written`, () =>
      expect(() => rules.assertHost(new URL(`https://${host}/hook`)))
        .to.throw()
        .with.property("code", "PLINTH_WEBHOOKS_ADDRESS_REFUSED"));

  it("may be allowed, by network or one by one", () => {
    const some = new AddressRules(["10.1.0.0/16", "fd00:1::/32", "192.168.0.7"]);
    expect(["10.1.2.3", "fd00:1::5", "192.168.0.7"].every((each) => some.permits(each))).to.equal(true);
    expect(["10.2.0.1", "fd00:2::5", "192.168.0.8"].some((each) => some.permits(each))).to.equal(false);
    expect(["10.1.0.0/16", "::1", "fd00::/8"].every(isNetwork)).to.equal(true);
    expect(["10.1.0.0/33", "localhost", "10.1/16", "::/129", "1.2.3.4/8/8", ""].some(isNetwork)).to.equal(false);
  });

  describe("behind a name", () => {
    let server: Server;
    let port = 0;
    let requests = 0;
    before("start a server of this machine", async () => {
      server = createServer((_request, response) => {
        requests += 1;
        response.end("inside");
      });
      await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
      ({ port } = server.address() as AddressInfo);
    });
    after("stop it", () => void server.close());

    /** A name whose server answers differently each time. */
    const naming = (...answers: readonly (readonly string[])[]) => {
      let asked = 0;
      const resolve: Resolve = (_host, _options, found) => {
        const addresses = answers[Math.min(asked++, answers.length - 1)] ?? [];
        found(
          null,
          addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
        );
      };
      return { resolve, asked: () => asked };
    };
    const post = async (allow: readonly string[], resolve: Resolve) => {
      const sender = new Requests(new AddressRules(allow, resolve));
      const url = new URL(`http://hooks.example:${port}/`);
      const request = { url, headers: {}, body: "{}", signal: AbortSignal.timeout(5_000) };
      return await sender
        .send(request)
        .catch((error: Error) => error)
        .finally(() => sender.close());
    };

    it("are checked, each of them, before one is connected to", async () => {
      for (const addresses of [["127.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["::1"], ["::ffff:127.0.0.1"]]) {
        const failed = await post([], naming(addresses).resolve);
        expect(failed).to.include({ code: "PLINTH_WEBHOOKS_ADDRESS_REFUSED" });
        expect((failed as Error).message).to.include("hooks.example");
      }
      expect(requests).to.equal(0);
    });

    it("are those that are connected to: the name is not looked up again", async () => {
      // Second answers would lead elsewhere.
      const name = naming(["127.0.0.1"], ["169.254.169.254"]);
      const answer = await post(["127.0.0.1/32"], name.resolve);
      expect(answer).to.include({ status: 200, text: "inside" });
      expect(name.asked()).to.equal(1);
      expect(requests).to.equal(1);
    });

    it("of localhost are refused by the resolver of this machine as well", async () => {
      const sender = new Requests(new AddressRules([]));
      const url = new URL(`http://localhost:${port}/`);
      const failed = await sender
        .send({ url, headers: {}, body: "{}", signal: AbortSignal.timeout(5_000) })
        .catch((error: Error) => error);
      sender.close();
      expect(failed).to.include({ code: "PLINTH_WEBHOOKS_ADDRESS_REFUSED" });
    });
  });
});
