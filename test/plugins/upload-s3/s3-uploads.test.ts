import { expect } from "chai";
import { createS3Provider } from "#plugins/upload-s3/src/create-s3-provider.js";
import { eitherDatabase } from "../../databases.js";
import { makeImage } from "../upload/sample-files.js";
import { type S3Storage, serveS3 } from "../upload/serve-s3.js";
import { serveUploads } from "../upload/serve-uploads.js";

describe("Uploads of an app that keeps files in S3", () => {
  eitherDatabase(import.meta.url, (database) => {
    let s3: S3Storage;
    // Filled before the app starts, because the storage has a port only then.
    const providerOptions: Record<string, unknown> = {};
    before(async () => {
      s3 = await serveS3();
      Object.assign(providerOptions, s3.options);
    });
    after(() => s3.stop());
    const uploads = serveUploads(database, {
      upload: { provider: "@plinth/upload-s3", providerOptions, signUrls: true },
    });

    const keys = async () => {
      const provider = createS3Provider(s3.options);
      const found: string[] = [];
      for await (const { key } of provider.list?.() ?? []) found.push(key);
      await provider.close?.();
      return found.sort();
    };

    it("show urls that are signed, and whose files anybody can read until they end", async () => {
      const image = await makeImage(600, 300, "png");
      const { status, body } = await uploads().send([{ name: "photo.png", content: image }]);
      expect(status, JSON.stringify(body)).to.equal(201);
      expect(body[0]).to.include({ provider: "s3", isUrlSigned: true });
      for (const { url } of [body[0], body[0].formats.thumbnail, body[0].formats.small]) {
        expect(url).to.include("X-Amz-Signature=");
        expect((await fetch(url)).headers.get("content-type")).to.equal("image/png");
      }
      expect(await keys()).to.have.length(3);
    });

    it("keep their key when they are replaced, and leave nothing when they are deleted", async () => {
      const [file] = (await uploads().ask("GET", "/api/upload/files")).body;
      const content = await makeImage(300, 100, "png");
      const { body } = await uploads().send([{ name: "new.png", content }], { path: `/api/upload?id=${file.id}` });
      expect(body).to.include({ hash: file.hash, width: 300 });
      expect(await keys())
        .to.have.length(2)
        .and.to.include(`${file.hash}.png`);
      expect((await uploads().ask("DELETE", `/api/upload/files/${file.id}`)).status).to.equal(200);
      expect(await keys()).to.deep.equal([]);
    });

    it("leave nothing when a request is refused", async () => {
      const files = [
        { name: "good.txt", content: "hello" },
        { name: "fake.png", content: "no image" },
      ];
      expect((await uploads().send(files)).status).to.equal(400);
      expect(await keys()).to.deep.equal([]);
    });
  });
});
