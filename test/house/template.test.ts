import type { AppSetup, PlinthApp, RunContext } from "@plinth/core";
import { expect } from "chai";
import { copyTemplate, loadForTest, startForTest } from "../projects.js";

const TOKEN = "a-token-for-this-test";

interface Body<Data> {
  readonly data: Data;
  readonly meta: { readonly pagination: object };
}

describe("the sample app", () => {
  let setup: AppSetup;
  let plinth: PlinthApp;
  let url: string;

  before("start a copy", async () => {
    setup = await loadForTest(copyTemplate(), { variables: { PLINTH_TOKEN: TOKEN } });
    ({ plinth, url } = await startForTest(setup));
  });

  after("stop it", () => plinth?.stop());

  const ask = async <Data>(path: string, init?: RequestInit) => {
    const response = await fetch(`${url}${path}`, init);
    return { status: response.status, body: (await response.json()) as Body<Data> };
  };

  it("lists its sample content, relations included, to everybody", async () => {
    const { status, body } = await ask<readonly { title: string; author: { name: string } }[]>(
      "/api/articles?populate=author&fields=title&sort=title",
    );
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body.data.map(({ title, author }) => `${author.name}: ${title}`)).to.deep.equal([
      "Emmy Noether: Invariants for everybody",
      "Ada Lovelace: Notes on the Analytical Engine",
    ]);
    expect(body.meta.pagination).to.deep.equal({ page: 1, pageSize: 25, pageCount: 1, total: 2 });
  });

  it("shows what is not in French yet in English", async () => {
    const { body } = await ask<readonly { name: string; locale: string }[]>("/api/categories?locale=fr&sort=name");
    expect(body.data.map(({ name, locale }) => [name, locale])).to.deep.equal([
      ["Sciences", "fr"],
      ["Software", "en"],
    ]);
  });

  it("serves its single type", async () => {
    const { status, body } = await ask<{ siteName: string }>("/api/global");
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body.data.siteName).to.equal("Plinth sample");
  });

  it("keeps the attributes to itself that its schemas call private", async () => {
    const { body } = await ask<readonly object[]>("/api/authors?filters[name]=Ada Lovelace");
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
    await setup.app?.bootstrap?.({ app: plinth.app } as RunContext<object>);
    expect(await authors.count()).to.equal(2);
  });
});
