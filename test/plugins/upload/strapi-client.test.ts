import { type StrapiClient, strapi } from "@strapi/client";
import { expect } from "chai";
import type { PlinthApp } from "@plinth/core";
import { copyTemplate, loadForTest, startForTest } from "../../projects.js";
import { makeImage } from "./sample-files.js";

const TOKEN = "a-token-for-this-test";

describe("the files of the sample app, by @strapi/client", () => {
  let plinth: PlinthApp;
  let client: StrapiClient;

  before("start a copy", async function () {
    this.timeout(60_000);
    const started = await startForTest(await loadForTest(copyTemplate(), { variables: { PLINTH_TOKEN: TOKEN } }));
    plinth = started.plinth;
    client = strapi({ baseURL: `${started.url}/api`, auth: TOKEN });
  });

  after("stop it", () => plinth?.stop());

  it("are found, the sample image with its formats among them, one by one and by filter", async () => {
    const [cover] = await client.files.find({ filters: { name: { $contains: "engine" } }, sort: "name:asc" });
    expect(cover).to.include({ name: "analytical-engine.png", mime: "image/png", width: 1200, height: 630 });
    expect(cover?.formats).to.have.all.keys("large", "medium", "small", "thumbnail");
    expect(await client.files.findOne(cover?.id ?? 0)).to.deep.equal(cover);
    const articles = await client
      .collection("articles")
      .find({ populate: "cover", filters: { cover: { id: cover?.id } } });
    expect(articles.data.map(({ title }) => title)).to.deep.equal(["Notes on the Analytical Engine"]);
  });

  it("are uploaded from a buffer and from a blob, changed and deleted", async () => {
    const picture = await makeImage(300, 200, "png");
    const fileInfo = { name: "other.png", alternativeText: "grey", caption: "noise" };
    const [fromBuffer] = await client.files.upload(picture, { filename: "a.png", mimetype: "image/png", fileInfo });
    expect(fromBuffer).to.include({ ...fileInfo, width: 300 });
    const [fromBlob] = await client.files.upload(new Blob([new Uint8Array(picture)], { type: "image/png" }));
    expect(fromBlob).to.include({ mime: "image/png", height: 200 });
    const id = fromBuffer?.id ?? 0;
    const updated = await client.files.update(id, { name: "new.png", alternativeText: "", caption: "c" });
    expect(updated).to.include({ id, name: "new.png", alternativeText: "", caption: "c" });
    expect(await client.files.delete(id)).to.include({ id, name: "new.png" });
    const failure = await client.files.findOne(id).catch((error: unknown) => error);
    expect(failure).to.be.an("error").with.property("name", "FileNotFoundError");
  });
});
