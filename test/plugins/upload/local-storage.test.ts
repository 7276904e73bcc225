import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { isPlinthError } from "@plinth/core";
import { storage } from "@plinth/plugin-upload";
import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { makeImage } from "./sample-files.js";
import { serveUploads, type Uploads } from "./serve-uploads.js";

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10"/></svg>';

describe("the local storage", () => {
  eitherDatabase(import.meta.url, (database) => {
    const uploads = serveUploads(database);
    const get = (url: string, headers: Record<string, string> = {}) => fetch(`${uploads().url}${url}`, { headers });
    const upload = async (app: Uploads, name: string, content: string | Buffer) => {
      const { status, body } = await app.send([{ name, content }]);
      expect(status, JSON.stringify(body)).to.equal(201);
      return body[0];
    };

    it("serves files to everybody, with their type, and to pages of other origins", async () => {
      const picture = await makeImage(8, 8, "png");
      const { url } = await upload(uploads(), "a.png", picture);
      const answer = await get(url);
      expect(answer.status).to.equal(200);
      expect(Buffer.from(await answer.arrayBuffer()).equals(picture)).to.equal(true);
      const header = (name: string) => answer.headers.get(name);
      expect(header("content-type")).to.equal("image/png");
      expect(header("content-length")).to.equal(String(picture.length));
      expect(header("x-content-type-options")).to.equal("nosniff");
      expect(header("cache-control")).to.equal("public, no-cache");
      expect(header("cross-origin-resource-policy")).to.equal("cross-origin");
      expect(header("content-disposition")).to.equal(null);
    });

    it("refuses keys that lead elsewhere, before anything is read, written or deleted", async () => {
      const provider = uploads().plinth.app.service(storage);
      const outside = join(dirname(uploads().directory), "outside.txt");
      writeFileSync(outside, "untouched");
      const stream = () => Readable.from(["overwritten"]);
      for (const key of [
        "../outside.txt",
        "a/../../outside.txt",
        outside,
        ".hidden",
        "..",
        "",
        "a\u0000b",
        "a b.txt",
      ]) {
        for (const use of [
          () => provider.put({ key, mime: "text/plain", size: 11, stream }),
          () => provider.open(key),
          () => provider.delete(key),
        ]) {
          const error = await use().catch((thrown: unknown) => thrown);
          expect(isPlinthError(error) && error.code, key).to.equal("PLINTH_UPLOAD_KEY_INVALID");
        }
      }
      expect(readFileSync(outside, "utf8")).to.equal("untouched");
      rmSync(outside);
    });

    it("has caches ask for a picture that can be replaced, and keep its formats, which get new addresses", async () => {
      const send = async (size: number, path = "/api/upload") => {
        const { status, body } = await uploads().send(
          [{ name: "pic.png", content: await makeImage(size, size, "png") }],
          { path },
        );
        expect(status, JSON.stringify(body)).to.be.oneOf([200, 201]);
        return Array.isArray(body) ? body[0] : body;
      };
      const cachingOf = async (url: string) => (await get(url)).headers.get("cache-control");
      const first = await send(600);
      const etag = (await get(first.url)).headers.get("etag") ?? "";
      expect(await cachingOf(first.url)).to.equal("public, no-cache");
      expect(await cachingOf(first.formats.thumbnail.url)).to.equal("public, max-age=604800");
      expect((await get(first.url, { "if-none-match": etag })).status).to.equal(304);
      const next = await send(500, `/api/upload?id=${first.id}`);
      expect(next.url).to.equal(first.url);
      expect((await get(first.url, { "if-none-match": etag })).status).to.equal(200);
      expect(await cachingOf(first.url)).to.equal("public, no-cache");
      expect(next.formats.thumbnail.url).to.not.equal(first.formats.thumbnail.url);
      expect(await cachingOf(next.formats.thumbnail.url)).to.equal("public, max-age=604800");
      await uploads().ask("DELETE", `/api/upload/files/${first.id}`);
      expect((await get(first.url)).status).to.equal(404);
    });

    it("says that a file is unchanged to those who have it", async () => {
      const { url } = await upload(uploads(), "a.txt", "unchanged");
      const etag = (await get(url)).headers.get("etag") ?? "";
      expect(etag).to.match(/^".+"$/);
      expect((await get(url, { "if-none-match": etag })).status).to.equal(304);
      expect((await get(url, { "if-none-match": '"other"' })).status).to.equal(200);
    });

    it("has a new ETag when the content was replaced", async () => {
      const { id, url } = await upload(uploads(), "a.txt", "one");
      const old = (await get(url)).headers.get("etag") ?? "";
      await uploads().send([{ name: "b.txt", content: "another" }], { path: `/api/upload?id=${id}` });
      const answer = await get(url, { "if-none-match": old });
      expect([answer.status, await answer.text()]).to.deep.equal([200, "another"]);
    });

    it("serves one range, and the whole file where the range is of an older content", async () => {
      const { url } = await upload(uploads(), "a.txt", "0123456789");
      const ranges: Record<string, [number, string, string | null]> = {
        "bytes=2-4": [206, "234", "bytes 2-4/10"],
        "bytes=7-": [206, "789", "bytes 7-9/10"],
        "bytes=-2": [206, "89", "bytes 8-9/10"],
        "bytes=5-99": [206, "56789", "bytes 5-9/10"],
        "bytes=10-": [416, "", "bytes */10"],
        "bytes=0-1,4-5": [200, "0123456789", null],
        "lines=1-2": [200, "0123456789", null],
      };
      for (const [range, [status, text, contentRange]] of Object.entries(ranges)) {
        const answer = await get(url, { range });
        expect(answer.status, range).to.equal(status);
        expect(await answer.text(), range).to.equal(text);
        expect(answer.headers.get("content-range"), range).to.equal(contentRange);
      }
      expect((await get(url, { range: "bytes=2-4", "if-range": '"old"' })).status).to.equal(200);
    });

    it("answers HEAD without the content", async () => {
      const { url } = await upload(uploads(), "a.txt", "0123456789");
      const answer = await fetch(`${uploads().url}${url}`, { method: "HEAD" });
      expect([answer.status, answer.headers.get("content-length"), await answer.text()]).to.deep.equal([200, "10", ""]);
    });

    it("sends pictures that are documents into a sandbox, and saves pages and archives", async () => {
      const { url: svg } = await upload(uploads(), "a.svg", SVG);
      const drawn = await get(svg);
      expect(drawn.headers.get("content-type")).to.equal("image/svg+xml");
      expect(drawn.headers.get("content-security-policy")).to.match(/^sandbox; default-src 'none'/);
      const { url: html } = await upload(
        uploads(),
        "a.html",
        "<!doctype html><title>x</title><script>alert(1)</script>",
      );
      const page = await get(html);
      expect(page.headers.get("content-security-policy")).to.match(/^sandbox/);
      expect(page.headers.get("content-disposition")).to.equal("attachment");
    });

    it("knows no other file of this machine", async () => {
      for (const path of ["..%2f..%2fpackage.json", "%2e%2e%2fpackage.json", ".hidden", "a%00.txt", "none.png"]) {
        expect((await get(`/uploads/${path}`)).status, path).to.equal(404);
      }
    });
  });
});
