import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { isPlinthError } from "@plinth/core";
import type { StorageProvider } from "@plinth/plugin-upload";
import { expect } from "chai";
import { createS3Provider } from "#plugins/upload-s3/src/create-s3-provider.js";
import { type S3Storage, serveS3 } from "../upload/serve-s3.js";

const MEBIBYTE = 1024 ** 2;

function fileOf(key: string, content: Buffer | string, mime = "text/plain") {
  return { key, mime, size: Buffer.byteLength(content), stream: () => Readable.from([Buffer.from(content)]) };
}

async function listKeys(provider: StorageProvider): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for await (const { key, size, modifiedAt } of provider.list?.() ?? []) {
    expect(Date.now() - modifiedAt.getTime()).to.be.below(60_000);
    found[key] = size;
  }
  return found;
}

describe("Files in S3", () => {
  let s3: S3Storage;
  let provider: StorageProvider;

  before(async () => {
    s3 = await serveS3();
    provider = createS3Provider(s3.options);
  });
  after(async () => {
    await provider.close?.();
    await s3.stop();
  });
  afterEach(async () => {
    for (const key of Object.keys(await listKeys(provider))) await provider.delete(key);
  });

  it("are read as they were put, at their url as well", async () => {
    const { url } = await provider.put(fileOf("a_1.txt", "hello"));
    expect(url).to.equal(`${s3.options.endpoint}/media/a_1.txt`);
    expect((await buffer(await provider.open("a_1.txt"))).toString()).to.equal("hello");
    const answer = await fetch((await provider.signUrl?.("a_1.txt")) ?? "");
    expect(answer.headers.get("content-type")).to.equal("text/plain");
    expect(await answer.text()).to.equal("hello");
  });

  it("are asked for by caches each time, but those that are never replaced", async () => {
    const cachingOf = async (key: string) =>
      (await fetch((await provider.signUrl?.(key)) ?? "")).headers.get("cache-control");
    await provider.put(fileOf("a_1.txt", "hello"));
    await provider.put({ ...fileOf("small_a_1.txt", "hello"), isFinal: true });
    expect(await cachingOf("a_1.txt")).to.equal("public, no-cache");
    expect(await cachingOf("small_a_1.txt")).to.equal("public, max-age=604800");
  });

  it("are replaced under their key", async () => {
    await provider.put(fileOf("a_1.txt", "hello"));
    await provider.put(fileOf("a_1.txt", "good bye"));
    expect(await listKeys(provider)).to.deep.equal({ "a_1.txt": 8 });
  });

  it("are not read, put, deleted or signed under a key that leads elsewhere", async () => {
    for (const key of ["../a.txt", "a/b.txt", ".hidden", "..", "", "a b.txt"]) {
      for (const use of [
        () => provider.put(fileOf(key, "x")),
        () => provider.open(key),
        () => provider.delete(key),
        () => provider.signUrl?.(key),
      ]) {
        const error = await use()?.catch((thrown: unknown) => thrown);
        expect(isPlinthError(error) && error.code, key).to.equal("PLINTH_UPLOAD_KEY_INVALID");
      }
    }
  });

  it("are read in part", async () => {
    await provider.put(fileOf("a_1.txt", "0123456789"));
    const part = async (range: { start: number; end?: number }) =>
      (await buffer(await provider.open("a_1.txt", range))).toString();
    expect(await part({ start: 2, end: 4 })).to.equal("234");
    expect(await part({ start: 7 })).to.equal("789");
  });

  it("of many parts arrive whole", async () => {
    const content = randomBytes(21 * MEBIBYTE);
    const small = createS3Provider({ ...s3.options, partSize: 5 * MEBIBYTE });
    await small.put(fileOf("a_1.bin", content, "application/octet-stream"));
    const digest = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
    expect(digest(await buffer(await small.open("a_1.bin")))).to.equal(digest(content));
    await small.close?.();
  });

  it("that break off leave nothing", async () => {
    const stream = () =>
      Readable.from(
        (async function* () {
          for (let part = 0; part < 3; part += 1) yield await Promise.resolve(randomBytes(5 * MEBIBYTE));
          throw new Error("the disk is gone");
        })(),
      );
    const put = provider.put({ key: "a_1.bin", mime: "application/octet-stream", size: 40 * MEBIBYTE, stream });
    await expectRejection(put, "the disk is gone");
    expect(await listKeys(provider)).to.deep.equal({});
  });

  it("are deleted, twice if need be", async () => {
    await provider.put(fileOf("a_1.txt", "hello"));
    await provider.delete("a_1.txt");
    await provider.delete("a_1.txt");
    expect(await listKeys(provider)).to.deep.equal({});
    await expectRejection(provider.open("a_1.txt"), "key does not exist");
  });

  it("of a prefix do not see those of others", async () => {
    const other = createS3Provider({ ...s3.options, prefix: "site/media/" });
    await provider.put(fileOf("a_1.txt", "hello"));
    expect((await other.put(fileOf("b_1.txt", "you"))).url).to.equal(`${s3.options.endpoint}/media/site/media/b_1.txt`);
    expect(await listKeys(other)).to.deep.equal({ "b_1.txt": 3 });
    await other.close?.();
  });

  it("that browsers would run are sent to be downloaded", async () => {
    await provider.put(fileOf("a_1.html", "<script>alert(1)</script>", "text/html"));
    const { headers } = await fetch((await provider.signUrl?.("a_1.html")) ?? "");
    expect(headers.get("content-disposition")).to.equal("attachment");
  });

  it("have urls that hold for the time that is configured", async () => {
    const short = createS3Provider({ ...s3.options, signedUrlExpires: 60 });
    expect(await short.signUrl?.("a_1.txt")).to.include("X-Amz-Expires=60");
    await short.close?.();
  });

  it("have urls of the address that is configured", async () => {
    const behind = createS3Provider({ ...s3.options, baseUrl: "https://cdn.example.com/m/", prefix: "x/" });
    expect((await behind.put(fileOf("a_1.txt", "hello"))).url).to.equal("https://cdn.example.com/m/x/a_1.txt");
    const signed = new URL((await behind.signUrl?.("a_1.txt")) ?? "").origin;
    expect(await behind.origins?.()).to.deep.equal(["https://cdn.example.com", signed]);
    await behind.close?.();
  });

  it("are not sent with a key that the storage does not know", async () => {
    const stranger = createS3Provider({ ...s3.options, credentials: { accessKeyId: "x", secretAccessKey: "y" } });
    await expectRejection(stranger.put(fileOf("a_1.txt", "hello")), "");
    expect(await listKeys(provider)).to.deep.equal({});
    await stranger.close?.();
  });

  it("need options that can be", () => {
    const wrong = [
      {},
      { bucket: "a", endpoint: "nowhere" },
      { bucket: "a", prefix: "no-slash" },
      { bucket: "a", part: 1 },
    ];
    for (const options of [...wrong, { bucket: "a", credentials: {} }, { bucket: "a", partSize: 1024 }]) {
      expect(() => createS3Provider(options))
        .to.throw("providerOptions.")
        .with.property("code", "PLINTH_UPLOAD_CONFIG_INVALID");
    }
  });
});

async function expectRejection(promise: Promise<unknown>, text: string): Promise<void> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).to.be.instanceOf(Error);
  expect((error as Error).message).to.include(text);
}
