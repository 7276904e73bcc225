import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { RegisterContext } from "@plinth/core";
import { expect } from "chai";
import { admin, adminPlugin } from "@plinth/plugin-admin";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { uploadPlugin } from "@plinth/plugin-upload";
import { readClientFiles } from "#plugins/admin/src/page/client-files.js";
import { PageExtensions } from "#plugins/admin/src/page/page-extensions.js";
import { eitherDatabase } from "../../databases.js";
import { serveAdmin } from "./serve-admin.js";

const BRAND = {
  ...{ name: 'Ink & "Paper"', logo: "https://brand.example.com/logo.svg" },
  accent: 'red"><script>',
};
const HTML = { accept: "text/html,application/xhtml+xml" };
const MAX_GZIP_BEFORE_SIGN_IN = 110 * 1024;
const MAX_GZIP_BEFORE_FIRST_SCREEN = 220 * 1024;
const MAX_BROTLI_IN_ALL = 1.2 * 1024 * 1024;

/** A file as it is sent: fetch would unpack it. */
function fetchRaw(
  url: string,
  encodings: string,
): Promise<{ readonly headers: Record<string, unknown>; readonly body: Buffer }> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { "accept-encoding": encodings } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
    }).on("error", reject);
  });
}

eitherDatabase(import.meta.url, (database) =>
  describe("the admin page as browsers load it", () => {
    const folder = mkdtempSync(join(tmpdir(), "plinth-page-"));
    const module = pathToFileURL(join(folder, "extension.js"));
    writeFileSync(module, "export default { api: 1 };\n");
    after(() => rmSync(folder, { recursive: true, force: true }));
    const app = serveAdmin(database, {
      app: {
        register: ({ extension }: RegisterContext<object>) => extension(admin).add("app", { module }),
      } as never,
    });

    it("is one page at every address below /admin that no route has, for browsers", async () => {
      const first = await app().ask("GET", "/admin", HTML);
      const deep = await app().ask("GET", "/admin/content/api::article.article/new?locale=fr", HTML);
      expect(first.status).to.equal(200);
      expect(first.headers.get("content-type")).to.equal("text/html; charset=utf-8");
      expect(first.headers.get("cache-control")).to.equal("no-cache");
      expect(deep.text).to.equal(first.text);
    });

    it("answers API clients as before: 404 with a body of JSON", async () => {
      for (const path of ["/admin", "/admin/anything", "/"]) {
        const { status, body } = await app().ask("GET", path, { accept: "application/json" });
        expect(status, path).to.equal(404);
        expect(body.error.name).to.equal("NotFoundError");
      }
    });

    it("leads browsers from / to the page", async () => {
      const { status, headers } = await app().ask("GET", "/", HTML);
      expect([status, headers.get("location")]).to.deep.equal([302, "/admin"]);
    });

    it("allows scripts of its own, and the one import map by its hash", async () => {
      const { text, headers } = await app().ask("GET", "/admin", HTML);
      const map = /<script type="importmap">(.*?)<\/script>/.exec(text)?.[1] ?? "";
      const hash = createHash("sha256").update(map).digest("base64");
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).to.include(`script-src 'self' 'sha256-${hash}';`).and.include("default-src 'none'");
      expect(policy).to.include("frame-ancestors 'none'");
      expect(Object.keys(JSON.parse(map).imports)).to.deep.equal([
        "react",
        "react-dom",
        "react/jsx-runtime",
        "@plinth/plugin-admin/extend",
      ]);
      for (const path of Object.values<string>(JSON.parse(map).imports))
        expect((await app().ask("GET", path)).status, path).to.equal(200);
    });

    it("sends files compressed as the browser takes them, to be kept for a year", async () => {
      const { file } = readClientFiles().entries.main;
      const url = `${app().url}/admin/assets/${file}`;
      const [br, gzip, plain] = await Promise.all(["gzip, br", "gzip", "identity"].map((each) => fetchRaw(url, each)));
      expect(br?.headers["content-encoding"]).to.equal("br");
      expect(gzip?.headers["content-encoding"]).to.equal("gzip");
      expect(plain?.headers["content-encoding"]).to.equal(undefined);
      expect(brotliDecompressSync(br?.body ?? "").equals(plain?.body ?? Buffer.of())).to.equal(true);
      expect(gunzipSync(gzip?.body ?? "").equals(plain?.body ?? Buffer.of())).to.equal(true);
      expect(br?.headers["cache-control"]).to.equal("public, max-age=31536000, immutable");
      expect(br?.headers["vary"]).to.include("Accept-Encoding");
      expect(plain?.body.toString()).not.to.include("__VITE_PRELOAD__");
    });

    it("has no file but those of the build", async () => {
      for (const name of ["page.json", ".source-hash", "..%2findex.js", "main.js", "constructor"])
        expect((await app().ask("GET", `/admin/assets/${name}`)).status, name).to.equal(404);
    });

    it("serves the modules that plugins and the app add, and preloads them", async () => {
      const { text } = await app().ask("GET", "/admin", HTML);
      const path = /<link rel="modulepreload" href="(\/admin\/extensions\/[^"]+)">/.exec(text)?.[1] ?? "";
      const sent = await app().ask("GET", path);
      expect(sent.text).to.equal("export default { api: 1 };\n");
      expect(sent.headers.get("content-type")).to.equal("text/javascript; charset=utf-8");
      expect((await app().ask("GET", "/admin/extensions/other.js")).status).to.equal(404);
    });

    it("stops the start for two modules of one name, and for one that cannot be read", () => {
      const extensions = new PageExtensions();
      extensions.add("maps", { module });
      expect(() => extensions.add("maps", { module })).to.throw('"maps" has added a module to the admin page already.');
      expect(() => extensions.add("other", { module: pathToFileURL(join(folder, "gone.js")) })).to.throw(
        /gone\.js, cannot be read/,
      );
    });

    it("says how to build the page where it was not built", () => {
      expect(() => readClientFiles(folder)).to.throw(
        `The admin page has not been built: ${folder} holds no page.json.`,
      );
    });

    it("keeps its sizes: scripts before sign-in, before the first screen, and all files", async () => {
      const { entries, files } = readClientFiles();
      const { file, imports } = entries.main;
      const gzipped = async (name: string) => (await fetchRaw(`${app().url}/admin/assets/${name}`, "gzip")).body.length;
      const total = async (names: readonly string[]) =>
        (await Promise.all(names.map(gzipped))).reduce((sum, size) => sum + size, 0);
      // Behind the name stands a hash of eight characters: `field` is not `field-input`.
      const named = (...parts: readonly string[]) =>
        Object.keys(files).filter((name) => parts.includes(/^(.+)-[\w-]{8}\.js$/.exec(name)?.[1] ?? ""));
      const start = await total([file, ...imports, ...named("en")]);
      const entrance = await total(named("entrance", "sign-in-form", "state", "field", "button"));
      expect(start + entrance).to.be.at.most(MAX_GZIP_BEFORE_SIGN_IN);
      const shell = await total(
        named("app", "session", "router", "list-screen", "cell", "locale-select", "use-rested"),
      );
      expect(start + entrance + shell).to.be.at.most(MAX_GZIP_BEFORE_FIRST_SCREEN);
      const all = await Promise.all(
        Object.keys(files).map(async (name) => (await fetchRaw(`${app().url}/admin/assets/${name}`, "br")).body.length),
      );
      expect(all.reduce((sum, size) => sum + size, 0)).to.be.at.most(MAX_BROTLI_IN_ALL);
    });
  }),
);

eitherDatabase(import.meta.url, (database) => {
  describe("the pictures that the admin page shows", () => {
    const storage = {
      name: "far",
      put: () => Promise.resolve({ url: "https://files.example.com/a.png" }),
      open: () => Promise.reject(new Error("unused")),
      delete: () => Promise.resolve(),
      origins: () => Promise.resolve(["https://files.example.com"]),
    };
    const served = serveAdmin(database, {
      plugins: [contentApiPlugin, apiTokensPlugin, uploadPlugin, adminPlugin],
      pluginConfigs: {
        upload: { provider: () => storage },
        admin: { brand: BRAND, mediaOrigins: ["https://cdn.example.com"] },
      },
    });

    it("stand below the name and colour of the owner, which cannot end the attribute that holds them", async () => {
      const { text } = await served().ask("GET", "/admin", HTML);
      expect(text).to.include('<html lang="en" style="--accent: red&quot;&gt;&lt;script&gt;">');
      expect(text).to.include("<title>Ink &amp; &quot;Paper&quot;</title>").and.not.include('"Paper"');
      const facts = /data-page="([^"]*)"/.exec(text)?.[1]?.replaceAll("&quot;", '"').replaceAll("&amp;", "&") ?? "";
      expect(JSON.parse(facts)).to.deep.equal({ brand: { name: BRAND.name, logo: BRAND.logo }, extensions: [] });
    });

    it("may come from the storage of files, the server of the logo and those of the configuration", async () => {
      const { headers } = await served().ask("GET", "/admin", HTML);
      const origins = "https://brand.example.com https://cdn.example.com https://files.example.com";
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).to.include(`img-src 'self' data: blob: ${origins};`);
      expect(policy).to.include(`media-src 'self' data: blob: ${origins};`);
    });
  });
});
