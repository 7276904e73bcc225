import { rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { makeImage } from "./sample-files.js";
import { runCheck } from "./run-check.js";
import { serveUploads } from "./serve-uploads.js";

describe("plinth upload check", () => {
  eitherDatabase(import.meta.url, (database) => {
    const uploads = serveUploads(database);
    const age = (key: string) => {
      const dayAgo = new Date(Date.now() - 24 * 60 * 60 * 1000);
      utimesSync(join(uploads().directory, key), dayAgo, dayAgo);
    };
    const upload = async () =>
      (await uploads().send([{ name: "a.png", content: await makeImage(600, 300, "png") }])).body[0];
    const check = (options: Readonly<Record<string, unknown>> = {}) => runCheck(uploads().plinth.app, options);

    it("says that storage and table agree", async () => {
      await upload();
      expect(await check()).to.deep.equal(["Storage and table agree."]);
    });

    it("lists files that nobody knows, unless they were stored just now", async () => {
      writeFileSync(join(uploads().directory, "orphan_0123456789.png"), "left behind");
      expect(await check()).to.deep.equal(["Storage and table agree."]);
      age("orphan_0123456789.png");
      expect(JSON.parse((await check({ json: true })).join("\n"))).to.deep.equal([
        { kind: "orphan", key: "orphan_0123456789.png" },
      ]);
    });

    it("lists files and formats that are not stored, and repairs all of it", async () => {
      const [whole, formats] = [await upload(), await upload()];
      rmSync(join(uploads().directory, `${whole.hash}.png`));
      rmSync(join(uploads().directory, `small_${formats.hash}.png`));
      const found = JSON.parse((await check({ json: true })).join("\n"));
      expect(found).to.have.deep.members([
        { kind: "orphan", key: "orphan_0123456789.png" },
        { kind: "missing", key: `${whole.hash}.png`, id: whole.id },
        { kind: "missing format", key: `small_${formats.hash}.png`, id: formats.id, format: "small" },
      ]);
      expect((await check({ repair: true })).at(-1)).to.equal("Repaired 3.");
      expect(await check()).to.deep.equal(["Storage and table agree."]);
      expect((await uploads().ask("GET", `/api/upload/files/${whole.id}`)).status).to.equal(404);
      const { body } = await uploads().ask("GET", `/api/upload/files/${formats.id}`);
      expect(Object.keys(body.formats)).to.deep.equal(["thumbnail"]);
      expect(uploads().stored().join()).not.to.include("orphan").and.not.to.include(whole.hash);
    });
  });
});
