import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { type App, createPlinth, definePlugin, isPlinthError, type Plugin } from "@plinth/core";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { files, type ProviderFactory, type StorageProvider, uploadPlugin } from "@plinth/plugin-upload";
import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { makeImage } from "./sample-files.js";
import { runCheck } from "./run-check.js";
import { serveUploads } from "./serve-uploads.js";

/** Keeps files in memory, and fails on demand: what a package would export. */
class MemoryStorage implements StorageProvider {
  readonly name = "memory";
  readonly files = new Map<string, Buffer>();
  failsAt: (key: string) => boolean = () => false;
  isClosed = false;

  async put({ key, stream }: Parameters<StorageProvider["put"]>[0]) {
    const content = Buffer.concat(await stream().toArray());
    if (this.failsAt(key)) throw new TypeError("The storage is full.");
    this.files.set(key, content);
    return { url: `https://files.example.com/${key}`, metadata: { region: "here" } };
  }

  async open(key: string) {
    return Readable.from([this.files.get(key) ?? Buffer.alloc(0)]);
  }

  async delete(key: string) {
    this.files.delete(key);
  }

  async signUrl(key: string) {
    return `https://files.example.com/${key}?signature=1`;
  }

  async close() {
    this.isClosed = true;
  }
}

describe("a storage provider", () => {
  eitherDatabase(import.meta.url, (database) => {
    const memory = new MemoryStorage();
    const provider: ProviderFactory = () => memory;
    const uploads = serveUploads(database, { upload: { provider, providerOptions: {}, signUrls: true } });
    let picture: Buffer;

    before("draw a picture", async () => {
      picture = await makeImage(600, 300, "png");
    });

    const names = async () =>
      (await uploads().ask("GET", "/api/upload/files?fields=name&sort=id")).body.map(
        ({ name }: { name: string }) => name,
      );

    it("may come from elsewhere; its urls are signed wherever files are shown, and stored without", async () => {
      const { status, body } = await uploads().send([{ name: "a.png", content: picture }]);
      expect(status, JSON.stringify(body)).to.equal(201);
      const [file] = body;
      expect(file).to.include({ provider: "memory", isUrlSigned: true });
      expect(file.provider_metadata).to.deep.equal({ region: "here" });
      const signed = `https://files.example.com/${file.hash}.png?signature=1`;
      const formats = `https://files.example.com/small_${file.hash}.png?signature=1`;
      const author = (
        await uploads().ask("POST", "/api/authors?populate=avatar", {
          body: { data: { name: "Ada", avatar: file.id } },
        })
      ).body.data;
      const shown = [
        file,
        (await uploads().ask("GET", `/api/upload/files/${file.id}`)).body,
        author.avatar,
        (await uploads().ask("GET", `/api/authors/${author.documentId}?populate=avatar`)).body.data.avatar,
      ];
      expect(shown.map(({ url }) => url)).to.deep.equal(shown.map(() => signed));
      expect(shown.map((each) => each.formats.small.url)).to.deep.equal(shown.map(() => formats));
      const [row] = await uploads().plinth.app.db.query<{ url: string }>({
        text: "select url from files where id = $1",
        values: [file.id],
      });
      expect(row?.url).to.equal(`https://files.example.com/${file.hash}.png`);
    });

    it("that fails at any file of a request leaves none of it, in storage and table", async () => {
      const [stored, known] = [[...memory.files.keys()], await names()];
      for (const fails of ["small_", "thumbnail_", "second_"]) {
        memory.failsAt = (key) => key.startsWith(fails);
        const { status } = await uploads().send([
          { name: "first.png", content: picture },
          { name: "second.png", content: picture },
        ]);
        expect(status, fails).to.equal(500);
        expect([...memory.files.keys()], fails).to.deep.equal(stored);
      }
      memory.failsAt = () => false;
      expect(await names()).to.deep.equal(known);
    });

    it("that fails while a file is replaced leaves the old content and what is said of it", async () => {
      const [file] = (await uploads().send([{ name: "old.png", content: picture }])).body;
      const stored = new Map(memory.files);
      for (const fails of ["small_", file.hash]) {
        memory.failsAt = (key) => key.startsWith(fails);
        const content = await makeImage(700, 700, "png");
        const { status } = await uploads().send([{ name: "new.png", content }], { path: `/api/upload?id=${file.id}` });
        expect(status, fails).to.equal(500);
        expect(memory.files, fails).to.deep.equal(stored);
      }
      memory.failsAt = () => false;
      expect((await uploads().ask("GET", `/api/upload/files/${file.id}`)).body).to.deep.equal(file);
    });

    it("without a list cannot be checked, and says so", async () => {
      const error = await runCheck(uploads().plinth.app).catch((thrown: unknown) => thrown);
      expect(isPlinthError(error) && error.code).to.equal("PLINTH_UPLOAD_NOT_LISTABLE");
    });
  });
});

describe("the configuration of upload", () => {
  const root = mkdtempSync(join(tmpdir(), "plinth-upload-config-"));
  after(() => rmSync(root, { recursive: true }));

  const startWith = async (upload: unknown, others: readonly Plugin[] = []): Promise<unknown> => {
    const plinth = createPlinth({
      root,
      plugins: [...others, contentApiPlugin, uploadPlugin],
      pluginConfigs: { upload },
      config: { log: { level: "silent" }, database: { client: "pglite", directory: ":memory:" } },
    });
    const error = await plinth.start({ listen: false }).catch((thrown: unknown) => thrown);
    await plinth.stop();
    return error;
  };
  /** The plugin's own error; the kernel says around it in which phase it was thrown. */
  const codeOf = (error: unknown): string => {
    const inner = error instanceof Error ? error.cause : undefined;
    return isPlinthError(inner) ? codeOf(inner) : isPlinthError(error) ? error.code : String(error);
  };

  it("is checked at start, every problem at once", async () => {
    const error = await startWith({ sizeLimit: "big", maxFiles: 0, onDeleteInUse: "ask", provider: 3, sizelimit: 1 });
    const { message } = error as Error;
    for (const key of ["sizeLimit", "maxFiles", "onDeleteInUse", "provider", "sizelimit"])
      expect(message).to.include(key);
  });

  it("names a provider that exists, with options that it knows, and one that signs where urls are to be signed", async () => {
    const codes = [
      await startWith({ provider: "there-is-no-such-package" }),
      await startWith({ provider: "koa" }),
      await startWith({ providerOptions: { folder: "x" } }),
      await startWith({ signUrls: true }),
    ].map(codeOf);
    expect(codes).to.deep.equal([
      "PLINTH_UPLOAD_PROVIDER_INVALID",
      "PLINTH_UPLOAD_PROVIDER_INVALID",
      "PLINTH_UPLOAD_CONFIG_INVALID",
      "PLINTH_UPLOAD_CONFIG_INVALID",
    ]);
  });

  it("has plugins that use files when they start come after it", async () => {
    const bootstrap = async ({ app }: { app: App }) => void (await app.service(files).add(import.meta.filename));
    expect(codeOf(await startWith({}, [definePlugin({ name: "early", bootstrap })]))).to.equal(
      "PLINTH_UPLOAD_STORAGE_CLOSED",
    );
    expect(await startWith({}, [definePlugin({ name: "later", after: ["upload"], bootstrap })])).to.equal(undefined);
  });
});
