import { createTestApp, type TestApp } from "@plinth/test-kit";
import { expect } from "chai";

describe("articles", () => {
  let test: TestApp;

  before(async () => {
    test = await createTestApp();
  });

  after(() => test?.stop());

  it("are public", async () => {
    const { status, body } = await test.public.get("/api/articles", { query: { sort: "title", fields: ["title"] } });
    expect(status).to.equal(200);
    expect(body.data.map(({ title }: { title: string }) => title)).to.include("Notes on the Analytical Engine");
  });

  it("are written with the permission only", async () => {
    const article = { data: { title: "Mine", kind: "news" } };
    expect((await test.public.post("/api/articles", article)).status).to.equal(403);
    expect((await test.as(["api::article.article.create"]).post("/api/articles", article)).status).to.equal(201);
  });
});
