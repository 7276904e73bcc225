import { definePlugin } from "@plinth/core";
import { createTestApp, type TestApp } from "@plinth/test-kit";
import { expect } from "chai";

/** Tells somebody of each order, and tries again while that fails. */
const orders = definePlugin<{ readonly url: string }>({
  name: "orders",
  config: (raw) => raw as { readonly url: string },
  register: ({ config, route }) =>
    route("order", {
      method: "POST",
      path: "/orders",
      handler: async () => {
        const request = { method: "POST", headers: { "content-type": "application/json" }, body: '{"order":7}' };
        for (let tries = 1; ; tries += 1) {
          const { status } = await fetch(`${config.url}/paid?by=card`, request);
          if (status < 500 || tries === 3) return { tries, status };
        }
      },
      config: { auth: false },
    }),
});

describe("the webhook catcher of the test kit", () => {
  let test: TestApp;
  before("start an app that calls somebody", async () => {
    test = await createTestApp({
      plugins: [orders],
      configure: (setup, { webhooks }) => ({ ...setup, pluginConfigs: { orders: { url: webhooks.url } } }),
    });
  });
  after("stop it", () => test?.stop());
  afterEach(() => test.webhooks.clear());

  it("gets what the app sends", async () => {
    const { body } = await test.public.post("/api/orders/orders");
    expect(body).to.deep.equal({ tries: 1, status: 200 });
    const hook = await test.webhooks.next({ method: "POST", path: "/paid" });
    expect(hook).to.deep.include({ path: "/paid?by=card", body: { order: 7 }, text: '{"order":7}' });
    expect(hook.headers["content-type"]).to.equal("application/json");
  });

  it("fails as often as it is told to, and then answers as before", async () => {
    test.webhooks.answerWith({ status: 202, body: { ok: true }, delay: 5 });
    test.webhooks.failTimes(2);
    const { body } = await test.public.post("/api/orders/orders");
    expect(body).to.deep.equal({ tries: 3, status: 202 });
    expect(test.webhooks.all).to.have.length(3);
  });

  it("waits for what comes later", async () => {
    const coming = test.webhooks.next({ path: "/paid" });
    await test.public.post("/api/orders/orders");
    expect((await coming).method).to.equal("POST");
  });

  it("says what did not come", async () => {
    const error = await test.webhooks.next({ path: "/paid" }, { timeout: 10 }).catch((thrown) => thrown);
    expect(error.message).to.include("No webhook /paid came within 10 ms; 0 of all kinds did");
  });
});
