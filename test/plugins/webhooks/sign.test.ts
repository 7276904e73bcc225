import { expect } from "chai";
import { Webhook } from "standardwebhooks";
import { isSecret, makeSecret, signatureOf } from "#plugins/webhooks/src/requests/sign.js";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const BODY = '{"test": 2432232314}';

describe("signatures of webhooks", () => {
  it("are those of the published test vector", () => {
    // https://github.com/standard-webhooks/standard-webhooks/blob/main/libraries/javascript/src/index.test.ts
    const message = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1614265330, body: BODY };
    expect(signatureOf(message, [SECRET])).to.equal("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  });

  it("are believed by who has the new secret, and by who has the older one", () => {
    const secrets = [makeSecret(), makeSecret()];
    const message = { id: "evt_1", timestamp: Math.floor(Date.now() / 1000), body: BODY };
    const signature = signatureOf(message, secrets);
    expect(signature.split(" ")).to.have.length(2);
    const headers = {
      "webhook-id": message.id,
      "webhook-timestamp": String(message.timestamp),
      "webhook-signature": signature,
    };
    for (const secret of secrets) expect(new Webhook(secret).verify(BODY, headers)).to.deep.equal({ test: 2432232314 });
    expect(() => new Webhook(makeSecret()).verify(BODY, headers)).to.throw();
    expect(() => new Webhook(secrets[0] ?? "").verify(`${BODY} `, headers)).to.throw();
  });

  it("need secrets of 24 to 64 bytes", () => {
    const of = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString("base64")}`;
    expect([SECRET, makeSecret(), of(24), of(64)].every(isSecret)).to.equal(true);
    expect([of(23), of(65), "whsec_", SECRET.slice(6), `${SECRET}!`].some(isSecret)).to.equal(false);
  });
});
