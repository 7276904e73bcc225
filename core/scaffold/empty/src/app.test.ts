import { createTestApp, type TestApp } from "@plinth/test-kit";
import { expect } from "chai";

describe("the app", () => {
  let test: TestApp;

  before(async () => {
    test = await createTestApp();
  });

  after(() => test?.stop());

  it("starts, and serves", async () => {
    expect((await test.public.get("/_health")).status).to.equal(204);
  });
});
