import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect } from "chai";
import { createS3Provider } from "#plugins/upload-s3/src/create-s3-provider.js";
import { eitherDatabase } from "../../databases.js";
import { type S3Storage, serveS3 } from "../upload/serve-s3.js";
import { serveUploads } from "../upload/serve-uploads.js";
import { askHealth, doctorOn, untilHealth } from "../upload/ask-health.js";

describe("The health of a storage in S3", () => {
  eitherDatabase("pglite", (database) => {
    // One will do: it waits for 15 s, twice.
    if (database.kind === "postgres") return;
    const providerOptions: Record<string, unknown> = {};
    let storage: S3Storage;
    before("start a storage", async () => {
      storage = await serveS3();
      Object.assign(providerOptions, storage.options);
    });
    const uploads = serveUploads(database, {
      server: { management: 0 },
      upload: { provider: "@plinth/upload-s3", providerOptions },
    });
    after(() => storage.stop());

    it("is degraded while it is gone, which keeps the process ready, and ok when it is back", async () => {
      const { plinth } = uploads();
      await untilHealth(plinth, "storage", "ok");
      expect(await doctorOn(plinth, "storage")).to.equal(undefined);
      const port = Number(new URL(storage.options.endpoint).port);
      await storage.stop();
      const gone = await untilHealth(plinth, "storage", "degraded");
      const { code, status, found } = await askHealth(plinth, "storage");
      expect([code, status]).to.deep.equal([200, "degraded"]);
      expect(found?.reason).to.include("ECONNREFUSED");
      expect(await doctorOn(plinth, "storage")).to.include({ weight: "error" });
      storage = await serveS3(port);
      const back = await untilHealth(plinth, "storage", "ok");
      console.log(
        `[fleet] S3 gone: storage is degraded after ${gone.toFixed(1)} s, and ok ${back.toFixed(1)} s after it is back; ready is 200`,
      );
      expect(Math.max(gone, back), "it looks every 15 s").to.be.lessThan(30);
    });

    it("fails in time where something is there that answers nothing", async () => {
      const sockets = new Set<Socket>();
      const silent = createServer((socket) => void sockets.add(socket.on("error", () => undefined).resume()));
      await once(silent.listen(0, "127.0.0.1"), "listening");
      const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
      const provider = createS3Provider({ ...storage.options, endpoint, timeout: 500 });
      try {
        const error = await provider.check?.().catch((thrown: unknown) => thrown);
        expect(error).to.have.property("name", "TimeoutError");
        expect(sockets.size, "it is tried twice").to.equal(2);
      } finally {
        await provider.close?.();
        for (const socket of sockets) socket.destroy();
        await new Promise((closed) => silent.close(closed));
      }
    });

    it("says that there is no such bucket, or that the key may not look at it", async () => {
      const looking = (over: object) => createS3Provider({ ...storage.options, ...over }).check?.();
      expect(await looking({})).to.deep.equal({});
      const code = await looking({ bucket: "other" })?.catch((error: { readonly code: string }) => error.code);
      expect(code).to.equal("PLINTH_UPLOAD_CONFIG_INVALID");
      const credentials = { accessKeyId: "somebody", secretAccessKey: "else" };
      expect(await looking({ credentials }))
        .to.have.property("problem")
        .that.includes("s3:ListBucket");
    });
  });
});
