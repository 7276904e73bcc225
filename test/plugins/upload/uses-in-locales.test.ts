/** Tests of where a file counts as used in documents with several locales. */
import { createPlinth, type PlinthApp } from "@plinth/core";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { uploadPlugin } from "@plinth/plugin-upload";
import { expect } from "chai";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eitherDatabase } from "../../databases.js";
import { makeImage } from "./sample-files.js";

const OWN = { pluginOptions: { i18n: { localized: true } } };
const TOKEN = "a-token-of-the-test";
const refs = { type: "component", component: "shared.ref", repeatable: true } as const;

/** What the tests read of answers. */
interface Answer {
  readonly data: Readonly<Record<string, unknown>> & { readonly documentId: string };
  readonly related: readonly object[];
}

const contentTypes = {
  "api::article.article": {
    kind: "collectionType",
    info: { singularName: "article", pluralName: "articles", displayName: "Article" },
    options: { draftAndPublish: true },
    ...OWN,
    attributes: { title: { type: "string", ...OWN }, refs: { ...refs, ...OWN }, sharedRefs: refs },
  },
  "api::album.album": {
    kind: "collectionType",
    info: { singularName: "album", pluralName: "albums", displayName: "Album" },
    options: { draftAndPublish: true },
    ...OWN,
    attributes: { title: { type: "string", ...OWN }, photos: { type: "media", multiple: true } },
  },
} as const;
const components = {
  "shared.ref": { info: { displayName: "Ref" }, attributes: { image: { type: "media", multiple: false } } },
} as const;

describe("the uses of a file in documents with several locales", () => {
  eitherDatabase(import.meta.url, (database) => {
    const directory = mkdtempSync(join(tmpdir(), "plinth-uses-"));
    let plinth: PlinthApp;
    let url = "";
    before("start an app", async () => {
      plinth = createPlinth({
        root: import.meta.dirname,
        plugins: [contentApiPlugin, uploadPlugin],
        app: { contentTypes, components },
        config: {
          server: { port: 0, host: "127.0.0.1" },
          log: { level: "silent" },
          i18n: { defaultLocale: "en", locales: ["en", "fr"] },
          access: { tokens: { [TOKEN]: "all" } },
          database: database.config(),
        },
        pluginConfigs: { upload: { providerOptions: { directory }, onDeleteInUse: "refuse" } },
      });
      url = (await plinth.start()) ?? "";
    });
    after("stop it", async () => {
      await plinth.stop();
      await rm(directory, { recursive: true, force: true });
    });

    const ask = async (method: string, path: string, data?: object) => {
      const response = await fetch(`${url}/api${path}`, {
        method,
        headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
        ...(data ? { body: JSON.stringify({ data }) } : {}),
      });
      return { status: response.status, body: (await response.json()) as Answer };
    };
    const upload = async (name: string): Promise<number> => {
      const form = new FormData();
      form.append("files", new Blob([await makeImage(8, 8, "png")], { type: "image/png" }), name);
      const headers = { authorization: `Bearer ${TOKEN}` };
      const response = await fetch(`${url}/api/upload`, { method: "POST", headers, body: form });
      const [file] = (await response.json()) as { id: number }[];
      return file?.id as number;
    };
    const usesOf = async (file: number) => {
      const { body } = await ask("GET", `/upload/files/${file}/uses`);
      return body.data;
    };
    const relatedOf = async (file: number) =>
      (await ask("GET", `/upload/files/${file}?populate=related`)).body.related.length;

    it("end with the last component that shows it, in whichever locale that is", async () => {
      const file = await upload("shown-in-english.png");
      const made = await ask("POST", "/articles", { title: "en", refs: [{ image: file }] });
      const path = `/articles/${made.body.data.documentId}`;
      expect((await ask("PUT", `${path}?locale=fr`, { title: "fr" })).status).to.equal(200);
      expect(await relatedOf(file)).to.equal(1);
      expect((await ask("PUT", path, { refs: [] })).status).to.equal(200);
      expect(await usesOf(file)).to.deep.equal([]);
      expect(await relatedOf(file)).to.equal(0);
      expect((await ask("DELETE", `/upload/files/${file}`)).status).to.equal(200);
    });

    it("are there in each locale that shows it, through components that are shared or not", async () => {
      const file = await upload("shown-in-both.png");
      const made = await ask("POST", "/articles", { title: "en", refs: [{ image: file }], sharedRefs: [] });
      const path = `/articles/${made.body.data.documentId}`;
      await ask("PUT", `${path}?locale=fr`, { title: "fr", sharedRefs: [{ image: file }] });
      await ask("PUT", path, { refs: [] });
      expect(await usesOf(file)).to.have.length.above(0);
      expect((await ask("DELETE", `/upload/files/${file}`)).status).to.equal(409);
      await ask("PUT", path, { sharedRefs: [] });
      expect(await usesOf(file)).to.deep.equal([]);
      expect((await ask("DELETE", `/upload/files/${file}`)).status).to.equal(200);
    });

    it("are those of every locale, where the locales share nothing but a list of files", async () => {
      const [first, second] = [await upload("first.png"), await upload("second.png")];
      const made = await ask("POST", "/albums", { title: "en", photos: [first] });
      const path = `/albums/${made.body.data.documentId}`;
      const photosOf = async (locale: string, status: string) => {
        const { body } = await ask("GET", `${path}?locale=${locale}&status=${status}&populate=photos`);
        return (body.data["photos"] as readonly { readonly id: number }[]).map(({ id }) => id);
      };
      await ask("PUT", `${path}?locale=fr`, { title: "fr" });
      expect(await photosOf("fr", "published")).to.deep.equal([first]);
      await ask("PUT", path, { photos: [second, first] });
      for (const locale of ["en", "fr"])
        for (const status of ["draft", "published"])
          expect(await photosOf(locale, status), `${locale} ${status}`).to.deep.equal([second, first]);
    });
  });
});
