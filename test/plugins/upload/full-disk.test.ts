import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { StorageProvider } from "@plinth/plugin-upload";
import { expect } from "chai";
import { MalformedUploadError } from "#plugins/upload/src/errors.js";
import { namingStorageFaults } from "#plugins/upload/src/services/storage-faults.js";
import { eitherDatabase } from "../../databases.js";
import { serveUploads } from "./serve-uploads.js";

/** What the system gives as a disk that is always full. */
const FULL_DISK = "/dev/full";

/** Keeps files in a directory, or, while it is full, on the full disk. */
class FillingStorage implements StorageProvider {
  readonly name = "filling";
  isFull = false;
  directory = "";

  async put({ key, stream }: Parameters<StorageProvider["put"]>[0]) {
    await pipeline(stream(), createWriteStream(this.isFull ? FULL_DISK : join(this.directory, key)));
    return { url: `/${key}` };
  }

  async open(key: string) {
    return createReadStream(join(this.directory, key));
  }

  async delete(key: string) {
    await rm(join(this.directory, key), { force: true });
  }
}

if (existsSync(FULL_DISK))
  describe("a full disk", () => {
    eitherDatabase(import.meta.url, (database) => {
      const storage = new FillingStorage();
      const uploads = serveUploads(database, { upload: { provider: () => storage, providerOptions: {} } });
      const send = () => uploads().send([{ name: "a.txt", content: "hello" }]);

      before("make the storage", async () => {
        storage.directory = uploads().directory;
        await mkdir(storage.directory, { recursive: true });
      });

      it("is a 507 with a code for who uploads, leaves nothing behind, and is over when there is room", async () => {
        storage.isFull = true;
        const { status, body } = await send();
        expect(status).to.equal(507);
        const kept = [...(await readdir(storage.directory)), ...uploads().temporary()].length;
        console.log(`[fleet] disk full: ${status}, ${kept} files kept`);
        expect(body.error).to.deep.equal({
          status: 507,
          name: "InsufficientStorageError",
          message:
            "There is no space left for files. Nothing of this was kept. Files that were deleted may take space for some more days.",
          details: {},
          code: "PLINTH_UPLOAD_NO_SPACE",
        });
        expect((await uploads().ask("GET", "/api/upload/files")).body).to.deep.equal([]);
        expect(uploads().temporary()).to.deep.equal([]);
        expect(await readdir(storage.directory)).to.deep.equal([]);
        storage.isFull = false;
        expect((await send()).status).to.equal(201);
      });
    });

    it("is recognised behind what a parser makes of it, and nothing else is taken for one", async () => {
      const failed = async (path: string) => {
        const cause = await writeFile(path, "x").catch((error: unknown) => error);
        return new MalformedUploadError({ reason: String(cause) }, { cause });
      };
      const codeOf = async (path: string) => {
        const error = await failed(path);
        return namingStorageFaults(() => Promise.reject(error)).catch((thrown: { code: string }) => thrown.code);
      };
      expect(await codeOf(FULL_DISK)).to.equal("PLINTH_UPLOAD_NO_SPACE");
      expect(await codeOf("/dev/full/x")).to.equal("PLINTH_UPLOAD_MALFORMED");
    });
  });
