import { createPlinth, definePlugin, type PlinthApp } from "@plinth/core";
import { openApiPlugin } from "@plinth/plugin-openapi";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect } from "chai";
import { pino } from "pino";
import { parseConfig } from "#plugins/openapi/src/config.js";
import { createOpenApi } from "#plugins/openapi/src/document/openapi-service.js";
import { emptyFolder, runPlinth, scaffoldedApp } from "../../core/cli/plinth-command.js";
import { operationsOf } from "./requests.js";

/** A route of a plugin that answers with errors of its own. */
const teapot = definePlugin({
  name: "teapot",
  register: ({ route }) =>
    route("content-api", {
      createRoutes: () => [
        {
          ...{ method: "GET", path: "/tea", type: "content-api", handler: () => ({}) },
          config: { auth: false },
          description: {
            ...{ tag: "Tea", summary: "Ask for tea", errors: [410, 418, 503] },
            answers: { 200: { description: "Tea" } },
          },
        },
      ],
    }),
});

describe("the plugin for OpenAPI", () => {
  describe("its configuration", () => {
    it("says what the document says of the API", () => {
      expect(parseConfig(undefined)).to.include({ title: "API", server: "/" });
      expect(parseConfig({ title: "Shop", server: "https://api.example.org" })).to.include({
        title: "Shop",
        version: "1.0.0",
        server: "https://api.example.org",
      });
    });

    it("is refused with every problem that it has", () => {
      expect(() => parseConfig({ titel: "Shop", version: 2, server: "" }))
        .to.throw(/titel is not known.*version must be a string.*server must be a string/)
        .with.property("code", "PLINTH_OPENAPI_CONFIG_INVALID");
      expect(() => parseConfig(["Shop"]))
        .to.throw()
        .with.property("code", "PLINTH_OPENAPI_CONFIG_INVALID");
    });
  });

  describe("in an app without swagger-ui-dist", () => {
    const root = emptyFolder();
    let plinth: PlinthApp;
    let url: string;

    before("start it", async () => {
      const config = { database: { client: "pglite", directory: ":memory:" }, server: { port: 0 } };
      const log = pino({ level: "silent" });
      plinth = createPlinth({ root, plugins: [openApiPlugin, teapot], environment: "development", config, log });
      url = (await plinth.start()) ?? "";
    });
    after("stop it", () => plinth?.stop());

    it("a document is kept where it is not larger than all that may be kept", () => {
      const openApi = createOpenApi(plinth.app, parseConfig(undefined));
      expect(openApi.document()).to.equal(openApi.document());
      const none = createOpenApi(plinth.app, parseConfig(undefined), 1000);
      expect(none.document()).to.not.equal(none.document());
      expect(none.document()).to.deep.equal(openApi.document());
    });

    it("every error that a route says it answers with is told, whatever its status", async () => {
      const { paths } = createOpenApi(plinth.app, parseConfig(undefined)).document();
      const { responses } = paths["/api/teapot/tea"]?.get ?? {};
      expect(responses?.["410"]).to.deep.equal({ $ref: "#/components/responses/Error410" });
      expect(responses?.["418"]).to.deep.equal({ $ref: "#/components/responses/OtherError" });
      expect(Object.keys(responses ?? {}))
        .to.include("5XX")
        .and.not.include("503");
      const { valid, errors } = await new Validator().validate(
        createOpenApi(plinth.app, parseConfig(undefined)).document() as never,
      );
      expect([valid, errors]).to.deep.equal([true, undefined]);
    });

    it("the document is served, and the page says what to install", async () => {
      expect((await fetch(`${url}/api/openapi.json`)).status).to.equal(200);
      for (const path of ["/api/openapi", "/api/openapi/swagger-ui.css"]) {
        const missing = await fetch(`${url}${path}`);
        const { error } = (await missing.json()) as { error: { code: string; message: string } };
        expect([missing.status, error.code]).to.deep.equal([404, "PLINTH_OPENAPI_PAGE_MISSING"]);
        expect(error.message).to.include("npm install --save-dev swagger-ui-dist");
      }
    });
  });

  describe("plinth openapi", () => {
    const cwd = scaffoldedApp();

    it("prints the document, whole or of a role", async () => {
      const { code, stdout, stderr } = await runPlinth(["openapi"], { cwd });
      expect(code, stderr).to.equal(0);
      const { valid } = await new Validator().validate(JSON.parse(stdout));
      expect(valid).to.equal(true);
      const ofPublic = JSON.parse((await runPlinth(["openapi", "--role", "public"], { cwd })).stdout);
      const methods = operationsOf(ofPublic).filter(({ path }) => path.startsWith("/api/articles"));
      expect(new Set(methods.map(({ method }) => method))).to.deep.equal(new Set(["GET"]));
    });

    it("fails for a role that nobody grants anything", async () => {
      const { code, stderr } = await runPlinth(["openapi", "--role", "nosuch"], { cwd });
      expect(code).to.equal(1);
      expect(stderr).to.include('No role of type "nosuch" has any permission');
    });
  });
});
