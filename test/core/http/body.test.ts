import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { openRoute, startServer, stopServers } from "./start-server.js";

const JSON_TYPE = "application/json";
const echo = openRoute("POST", "/echo", (ctx) => ({
  body: ctx.request.body === undefined ? "none" : ctx.request.body,
}));

async function post(
  body: string | Uint8Array<ArrayBuffer>,
  type: string,
  headers: Record<string, string> = {},
): Promise<[number, unknown]> {
  const { request } = await startServer({ routes: [echo] });
  const init = { method: "POST", headers: { "content-type": type, ...headers }, body };
  const response = await request("/api/echo", init);
  return [response.status, await response.json()];
}

async function errorOf(body: string | Uint8Array<ArrayBuffer>, type: string, headers = {}): Promise<unknown> {
  const [status, answer] = await post(body, type, headers);
  const { error } = answer as { error: { status: number; name: string } };
  expect(error.status).to.equal(status);
  return error;
}

describe("request body", () => {
  afterEach(stopServers);

  it("parses JSON, whatever charset and vendor its type names", async () => {
    for (const type of [JSON_TYPE, "application/json; charset=utf-8", "application/vnd.api+json"]) {
      expect(await post('{"data":{"title":"Ünï"}}', type), type).to.deep.equal([
        200,
        { body: { data: { title: "Ünï" } } },
      ]);
    }
  });

  it("parses forms with nested keys", async () => {
    const [, answer] = await post(
      "data[title]=From%20form&data[tags][]=a&data[tags][]=b",
      "application/x-www-form-urlencoded",
    );
    expect(answer).to.deep.equal({ body: { data: { title: "From form", tags: ["a", "b"] } } });
  });

  it("takes text, XML and multipart for no body", async () => {
    for (const type of ["text/plain", "application/xml", "multipart/form-data; boundary=x"]) {
      expect(await post("--x--", type), type).to.deep.equal([200, { body: "none" }]);
    }
  });

  it("answers malformed JSON with SyntaxError and the reason, without details", async () => {
    for (const text of ['{"data":', "[1,", '{"a":1}}']) {
      const error = await errorOf(text, JSON_TYPE);
      expect(error).to.include({ status: 400, name: "SyntaxError" });
      expect(error).to.have.all.keys("status", "name", "message", "code");
    }
    expect(await errorOf('"x"', JSON_TYPE)).to.include({ message: "invalid JSON, only supports object and array" });
  });

  it("refuses a __proto__ key in JSON and in forms", async () => {
    expect(await errorOf('{"data":{"__proto__":{"admin":true}}}', JSON_TYPE)).to.include({
      status: 400,
      name: "SyntaxError",
    });
    expect(await errorOf('{"a":{"\\u005f_proto__":1}}', JSON_TYPE)).to.include({ status: 400 });
    expect(await errorOf("data[__proto__][admin]=1", "application/x-www-form-urlencoded")).to.include({
      status: 400,
      name: "ValidationError",
    });
  });

  it("hands on a constructor key as data of its own, which reaches no prototype", async () => {
    const text = '{"data":{"constructor":{"prototype":{"admin":true}}}}';
    expect(await post(text, JSON_TYPE)).to.deep.equal([200, { body: JSON.parse(text) }]);
    expect(({} as Record<string, unknown>)["admin"]).to.equal(undefined);
  });

  it("answers more than 1 MB with 413 without details, before and after decompression", async () => {
    const large = JSON.stringify({ data: "x".repeat(1_126_400) });
    const expected = {
      status: 413,
      name: "PayloadTooLargeError",
      message: "request entity too large",
      code: "PLINTH_HTTP_BODY_TOO_LARGE",
    };
    expect(await errorOf(large, JSON_TYPE)).to.deep.equal(expected);
    expect(await errorOf(gzipSync(large), JSON_TYPE, { "content-encoding": "gzip" })).to.deep.equal(expected);
  });

  it("accepts a body of just under 1 MB", async () => {
    const [status] = await post(JSON.stringify({ data: "x".repeat(1_000_000) }), JSON_TYPE);
    expect(status).to.equal(200);
  });

  it("answers what cannot be decompressed with a 4xx", async () => {
    expect(await errorOf("{}", JSON_TYPE, { "content-encoding": "gzip" })).to.include({ status: 400 });
    expect(await errorOf("{}", JSON_TYPE, { "content-encoding": "unheard-of" })).to.include({ status: 415 });
  });

  it("answers a form that is nested too deep with the limit", async () => {
    const form = `a${"[x]".repeat(21)}=1`;
    expect(await errorOf(form, "application/x-www-form-urlencoded")).to.have.nested.property("details.limit", "depth");
  });

  it("takes JSON that is nested hundreds of levels deep, and refuses what is deeper", async () => {
    const nested = (levels: number) => ['{"a":'.repeat(levels), "1", "}".repeat(levels)].join("");
    expect((await post(nested(500), JSON_TYPE))[0]).to.equal(200);
    for (const levels of [501, 150_000]) {
      expect(await errorOf(nested(levels), JSON_TYPE)).to.deep.include({ status: 400, details: { max: 500 } });
    }
  });

  it("does not parse JSON that is nested too deep: what is wrong with it further on is not said", async () => {
    for (const text of ["[".repeat(400_000), `${"[".repeat(501)}x`]) {
      expect(await errorOf(text, JSON_TYPE)).to.include({ code: "PLINTH_HTTP_BODY_TOO_DEEP" });
    }
    const ofText = JSON.stringify({ data: `"\\${"[".repeat(1000)}` });
    expect((await post(ofText, JSON_TYPE))[0]).to.equal(200);
  });

  it("takes an empty body of JSON for an object without anything in it", async () => {
    expect(await post("", JSON_TYPE)).to.deep.equal([200, { body: {} }]);
  });

  it("parses the body before it asks who is there: broken JSON of the public is a 400, not a 403", async () => {
    const { request } = await startServer({
      routes: [{ method: "POST", path: "/articles", handler: "article.create" }],
      controllers: { "api::article.article": { create: () => "made" } },
    });
    const headers = { "content-type": JSON_TYPE };
    expect((await request("/api/articles", { method: "POST", headers, body: "{" })).status).to.equal(400);
    expect((await request("/api/articles", { method: "POST", headers, body: "{}" })).status).to.equal(403);
  });
});
