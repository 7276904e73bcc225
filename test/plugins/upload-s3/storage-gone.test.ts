import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { serveUploads } from "../upload/serve-uploads.js";

describe("Uploads of an app whose S3 is gone", () => {
  eitherDatabase(import.meta.url, (database) => {
    const providerOptions: Record<string, unknown> = {};
    const sockets = new Set<Socket>();
    let silent: Server;
    before("open an address that takes requests and answers none", async () => {
      silent = createServer((socket) => void sockets.add(socket.on("error", () => undefined).resume()));
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

    async function expectRefused(): Promise<number> {
      const since = performance.now();
      const { status, headers, body } = await uploads().send([{ name: "a.txt", content: "hello" }]);
      const took = performance.now() - since;
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
      return took;
    }

    it("are answered 503 within 15 s, and leave no row", async function () {
      this.timeout(60_000);
      const took = await expectRefused();
      await close();
      const refused = await expectRefused();
      console.log(
        `[fleet] S3 gone: 503 after ${(took / 1000).toFixed(1)} s where it is silent, ${(refused / 1000).toFixed(1)} s where it refuses; 0 rows kept`,
      );
      expect(took).to.be.lessThan(15_000);
      expect(refused).to.be.lessThan(15_000);
    });
  });
});
