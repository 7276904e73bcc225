import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { serveUploads } from "../upload/serve-uploads.js";
import { timeOf } from "../../usual-time.js";

/** How often a request is sent at most, and the milliseconds that each may wait, where the app says nothing else. */
const TRIES = 2;
const TIMEOUT = 5_000;

describe("Uploads of an app whose S3 is gone", () => {
  eitherDatabase(import.meta.url, (database) => {
    const providerOptions: Record<string, unknown> = {};
    const sockets = new Set<Socket>();
    let tries = 0;
    const noteTry = (bytes: Buffer): void => {
      if (bytes.toString("latin1", 0, 4) === "PUT ") tries += 1;
    };
    let silent: Server;
    before("open an address that takes requests and answers none", async () => {
      silent = createServer((socket) => void sockets.add(socket.on("error", () => undefined).on("data", noteTry)));
      await once(silent.listen(0, "127.0.0.1"), "listening");
      const { port } = silent.address() as AddressInfo;
      const credentials = { accessKeyId: "nobody", secretAccessKey: "nothing" };
      Object.assign(providerOptions, { bucket: "media", endpoint: `http://127.0.0.1:${port}`, credentials });
    });
    const uploads = serveUploads(database, { upload: { provider: "@plinth/upload-s3", providerOptions } });
    const close = async () => {
      for (const socket of sockets) socket.destroy();
      if (silent.listening) await new Promise((closed) => silent.close(closed));
    };
    after(close);

    async function expectRefused(): Promise<void> {
      const { status, headers, body } = await uploads().send([{ name: "a.txt", content: "hello" }]);
      expect(status, JSON.stringify(body)).to.equal(503);
      expect(body.error).to.deep.equal({
        status: 503,
        name: "ServiceUnavailableError",
        message: "Files cannot be stored at the moment. Nothing of this was kept. Try again later.",
        details: {},
        code: "PLINTH_UPLOAD_STORAGE_UNREACHABLE",
      });
      expect(Number(headers.get("retry-after"))).to.be.within(1, 3);
      expect((await uploads().ask("GET", "/api/upload/files")).body).to.deep.equal([]);
      expect(uploads().temporary()).to.deep.equal([]);
    }

    it("are answered 503 after two tries of five seconds, and leave no row", async () => {
      const took = await timeOf(expectRefused);
      expect(tries).to.be.within(1, TRIES);
      await close();
      const refused = await timeOf(expectRefused);
      console.log(
        `[fleet] S3 gone: 503 after ${(took / 1000).toFixed(1)} s where it is silent, ${(refused / 1000).toFixed(1)} s where it refuses; 0 rows kept`,
      );
      // A third try would wait as long as the others.
      expect(took).to.be.lessThan((TRIES + 1) * TIMEOUT);
      expect(refused).to.be.lessThan(took);
    });
  });
});
