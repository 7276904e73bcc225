import { runInNewContext } from "node:vm";
import type { PlinthApp } from "@plinth/core";
import { expect } from "chai";
import { copyTemplate, loadForTest, startForTest } from "../../projects.js";
import { operationsOf } from "./requests.js";

const TOKEN = "a-token-for-this-test";
const SECRET = "long-enough-for-production-0123456789";
const SECRETS = { API_TOKEN_SALT: SECRET, ADMIN_JWT_SECRET: SECRET, JWT_SECRET: SECRET };

describe("the sample app's document", () => {
  let plinth: PlinthApp;
  let url: string;
  const get = async (path: string, token = "") => {
    const response = await fetch(`${url}${path}`, token ? { headers: { authorization: `Bearer ${token}` } } : {});
    const text = await response.text();
    return { status: response.status, headers: response.headers, text };
  };
  const namesAt = async (path: string, token = "") =>
    operationsOf(JSON.parse((await get(path, token)).text)).map(({ operation }) => operation.operationId);

  async function serve(environment: string): Promise<void> {
    const setup = await loadForTest(copyTemplate(), { environment, variables: { ...SECRETS, PLINTH_TOKEN: TOKEN } });
    ({ plinth, url } = await startForTest(setup));
  }

  describe("while developing", () => {
    before("start", async () => {
      await serve("development");
    });
    after("stop", () => plinth?.stop());

    it("is open to everybody, whole or by role", async () => {
      expect(await namesAt("/api/openapi.json")).to.include.members(["createArticle", "getAdminApiTokens"]);
      const open = await namesAt("/api/openapi.json?role=public");
      expect(open).to.include.members(["findArticles", "findArticle"]);
      expect(open).to.not.include.oneOf(["createArticle", "findMe", "getAdminApiTokens"]);
      expect(await namesAt("/api/openapi.json?role=authenticated")).to.include("findMe");
    });

    it("of a role that nobody grants anything is a 400 that names those there are", async () => {
      const { status, text } = await get("/api/openapi.json?role=nosuch");
      const { error } = JSON.parse(text);
      expect([status, error.code]).to.deep.equal([400, "PLINTH_OPENAPI_UNKNOWN_ROLE"]);
      expect(error.message).to.include("public").and.to.include("authenticated");
    });

    it("has a page that sends objects within objects as the API reads them", async () => {
      type Page = { requestInterceptor(request: { url: string }): { url: string } };
      const pages: Page[] = [];
      const sandbox = { SwaggerUIBundle: (page: Page) => pages.push(page), URLSearchParams };
      runInNewContext((await get("/api/openapi/start.js")).text, sandbox);
      const send = (query: Readonly<Record<string, string>>) => {
        const asked = `${url}/api/articles?${new URLSearchParams({ fields: "title", ...query })}`;
        return pages[0]?.requestInterceptor({ url: asked }).url.replace(url, "") ?? "";
      };
      const filters = {
        "filters[author]": '{"name":{"$startsWith":"Ada"}}',
        "filters[readingMinutes]": '{"$in":[12,3]}',
      };
      const { text } = await get(send(filters));
      expect(JSON.parse(text).data.map(({ title }: { title: string }) => title)).to.deep.equal([
        "Notes on the Analytical Engine",
      ]);
      const braces = send({ "filters[title]": "{as it is}" });
      expect(decodeURIComponent(braces)).to.equal("/api/articles?fields=title&filters[title]={as+it+is}");
      expect(pages[0]?.requestInterceptor({ url: "./openapi.json" })).to.deep.equal({ url: "./openapi.json" });
    });

    it("has a page to try it, whose every file is served here", async () => {
      const page = await get("/api/openapi");
      expect(page.headers.get("content-type")).to.include("text/html");
      expect(page.headers.get("content-security-policy")).to.include("default-src 'none'");
      const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = ""]) => path);
      expect(files).to.have.length(3);
      for (const file of files) {
        expect(file).to.match(/^\.\//);
        const { status, text } = await get(new URL(file, `${url}/api/openapi`).pathname);
        expect([status, text.length > 100], file).to.deep.equal([200, true]);
      }
      const slashed = await fetch(`${url}/api/openapi/`, { redirect: "manual" });
      expect([slashed.status, slashed.headers.get("location")]).to.deep.equal([302, "../openapi"]);
      for (const file of ["nosuch.js", "..%2fpackage.json"]) {
        expect((await get(`/api/openapi/${file}`)).status).to.equal(404);
      }
    });
  });

  describe("in production", () => {
    before("start", async () => {
      await serve("production");
    });
    after("stop", () => plinth?.stop());

    it("is closed until it is granted, and there is no page", async () => {
      expect((await get("/api/openapi.json")).status).to.equal(403);
      expect((await get("/api/openapi")).status).to.equal(404);
      expect(await namesAt("/api/openapi.json", TOKEN)).to.include("createArticle");
      expect(await namesAt("/api/openapi.json?role=public", TOKEN)).not.to.include("createArticle");
    });
  });
});
