import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { expect } from "chai";
import { ON_BUILT } from "../../projects.js";
import { MULTIPART, multipart } from "./raw-upload.js";
import { makeImage } from "./sample-files.js";
import type { Said } from "./serve-measured.js";
import { FULL } from "./serve-uploads.js";
import { type S3Storage, serveS3 } from "./serve-s3.js";

const MEBIBYTE = 1024 ** 2;

const FILE_BYTES = 1024 * MEBIBYTE;
const PARALLEL = 200;
const PHOTOS = 60;

/** What resident memory may grow by, for one large file and for many at once. */
const FILE_GROWTH = 200 * MEBIBYTE;
const PARALLEL_GROWTH = 300 * MEBIBYTE;

const SERVER = join(import.meta.dirname, "serve-measured.ts");

/** An app in a process of its own. */
interface Measured {
  readonly url: string;
  /** Resident bytes: now, and the most since it was last asked. */
  memory(): Promise<{ readonly peak: number; readonly now: number }>;
  stop(): Promise<void>;
}

async function serveMeasured(upload: object): Promise<Measured> {
  const child = fork(SERVER, [JSON.stringify(upload)], { execArgv: ON_BUILT });
  const heard = async () => (await once(child, "message"))[0] as Said;
  const gone = once(child, "exit");
  const first = await heard();
  return {
    url: "url" in first ? first.url : "",
    memory: async () => {
      child.send("memory");
      return (await heard()) as { peak: number; now: number };
    },
    stop: async () => {
      child.disconnect();
      await gone;
    },
  };
}

/** Sends a file of zeros, part by part. */
async function sendLarge(url: string, size: number): Promise<number | undefined> {
  const frame = multipart([{ name: "files", filename: "large.bin", content: "@" }]);
  const at = frame.indexOf("@\r\n");
  const chunk = Buffer.alloc(MEBIBYTE);
  const body = Readable.from(
    (function* () {
      yield frame.subarray(0, at);
      for (let sent = 0; sent < size; sent += chunk.length) yield chunk;
      yield frame.subarray(at + 1);
    })(),
  );
  const headers = {
    authorization: `Bearer ${FULL}`,
    "content-type": MULTIPART,
    "content-length": size + frame.length - 1,
  };
  const sending = request(`${url}/api/upload`, { method: "POST", headers });
  const answered = once(sending, "response");
  await pipeline(body, sending);
  const [response] = await answered;
  response.resume();
  return response.statusCode;
}

async function sendImage(url: string, image: Buffer): Promise<number> {
  const form = new FormData();
  form.append("files", new Blob([image]), "photo.jpg");
  const headers = { authorization: `Bearer ${FULL}` };
  const response = await fetch(`${url}/api/upload`, { method: "POST", headers, body: form });
  await response.text();
  return response.status;
}

describe("Memory and speed of uploads", function () {
  this.timeout(600_000);
  let directory: string;
  let s3: S3Storage;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "measure-test-"));
    s3 = await serveS3();
  });
  after(async () => {
    await s3.stop();
    await rm(directory, { recursive: true });
  });

  const limits = () => ({ sizeLimit: "2gb", temporaryDirectory: join(directory, "temporary") });
  const local = () => ({ ...limits(), providerOptions: { directory: join(directory, "storage") } });

  for (const [storage, configOf] of Object.entries({
    "local storage": local,
    S3: () => ({ ...limits(), provider: "@plinth/upload-s3", providerOptions: s3.options }),
  })) {
    it(`a file of ${FILE_BYTES / MEBIBYTE} MiB through ${storage} stays out of memory`, async () => {
      const app = await serveMeasured(configOf());
      try {
        expect(await sendImage(app.url, await makeImage(1000, 1000))).to.equal(201);
        const { now } = await app.memory();
        const started = performance.now();
        expect(await sendLarge(app.url, FILE_BYTES)).to.equal(201);
        const seconds = (performance.now() - started) / 1000;
        const growth = (await app.memory()).peak - now;
        report(
          `${FILE_BYTES / MEBIBYTE} MiB through ${storage}: ${mebibytes(growth)} MiB more, ${seconds.toFixed(1)} s`,
        );
        expect(growth).to.be.below(FILE_GROWTH);
      } finally {
        await app.stop();
      }
    });
  }

  it(`${PARALLEL} uploads at once stay under a bound, and images come at a speed`, async () => {
    const app = await serveMeasured(local());
    try {
      const photo = await makeImage(2000, 1500);
      expect(await sendImage(app.url, photo)).to.equal(201);
      const { now } = await app.memory();
      const statuses = await Promise.all(Array.from({ length: PARALLEL }, () => sendImage(app.url, photo)));
      expect(new Set(statuses)).to.deep.equal(new Set([201]));
      const growth = (await app.memory()).peak - now;
      report(
        `${PARALLEL} photos of 3 megapixels, ${mebibytes(photo.length)} MiB each, at once: ${mebibytes(growth)} MiB more`,
      );
      expect(growth).to.be.below(PARALLEL_GROWTH);

      const started = performance.now();
      for (let sent = 0; sent < PHOTOS; sent += 2)
        await Promise.all([sendImage(app.url, photo), sendImage(app.url, photo)]);
      const rate = PHOTOS / ((performance.now() - started) / 1000);
      report(`${rate.toFixed(1)} photos of 3 megapixels a second, four formats each, two at a time`);
      expect(rate).to.be.above(0.2);
    } finally {
      await app.stop();
    }
  });
});

const mebibytes = (bytes: number): string => (bytes / MEBIBYTE).toFixed(1);

const report = (text: string): void => console.log(`      ${text}`);
