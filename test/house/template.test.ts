import type { PlinthApp } from "@plinth/core";
import { expect } from "chai";
import { copyTemplate, loadForTest, startForTest } from "../projects.js";

const TOKEN = "a-token-for-this-test";

describe("the sample app", () => {
  let plinth: PlinthApp;
  let url: string;

  before("start a copy", async function () {
    this.timeout(60_000);
    const setup = await loadForTest(copyTemplate(), { variables: { PLINTH_TOKEN: TOKEN } });
    ({ plinth, url } = await startForTest(setup));
  });

  after("stop it", () => plinth?.stop());

  const ask = async (path: string, init?: RequestInit) => {
    const response = await fetch(`${url}${path}`, init);
    return { status: response.status, body: response.status === 204 ? undefined : await response.json() };
  };

  it("lists its sample content, relations included, to everybody", async () => {
    const { status, body } = await ask("/api/articles?populate=author&fields=title&sort=title");
    expect(status).to.equal(200);
    expect(body.data.map((article: { title: string; author: { name: string } }) => [article.title, article.author.name])).to.deep.equal([
      ["Invariants for everybody", "Emmy Noether"],
      ["Notes on the Analytical Engine", "Ada Lovelace"],
    ]);
    expect(body.meta.pagination).to.deep.equal({ page: 1, pageSize: 25, pageCount: 1, total: 2 });
  });

  it("serves its single type", async () => {
    const { status, body } = await ask("/api/global");
    expect(status).to.equal(200);
    expect(body.data.siteName).to.equal("Plinth sample");
  });

  it("keeps the attributes to itself that its schemas call private", async () => {
    const { body } = await ask("/api/authors?filters[name]=Ada Lovelace");
    expect(body.data[0]).to.include({ name: "Ada Lovelace" }).and.not.to.have.property("email");
  });

  it("lets the bearer of PLINTH_TOKEN write, and nobody else", async () => {
    const write = (headers: Record<string, string>) =>
      ask("/api/categories", {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ data: { name: "Poetry" } }),
      });
    expect((await write({})).status).to.equal(403);
    expect((await write({ authorization: "Bearer another-token" })).status).to.equal(401);
    expect((await write({ authorization: `Bearer ${TOKEN}` })).status).to.equal(201);
  });

  it("writes its sample content only once", async () => {
    const authors = plinth.app.documents("api::author.author");
    const { writeSampleContent } = await import("../../app-template/src/sample-content.js");
    await writeSampleContent(plinth.app);
    expect(await authors.count()).to.equal(2);
  });
});
