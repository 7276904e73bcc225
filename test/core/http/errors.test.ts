import { expect } from "chai";
import { createError } from "#core/base/error.js";
import { handlerOf } from "#core/http/request-info.js";
import type { Handler } from "#core/http/types.js";
import { openRoute, startServer, stopServers, type TestServer } from "./start-server.js";

const Busy = createError<{ where: string }>("PLINTH_TEST_BUSY", 503, (d) => `${d.where} does not answer`, {
  cause: "A test.",
  remedy: "None.",
});
const Closed = createError<object>("PLINTH_TEST_CLOSED", 503, () => "The lock of 10.0.0.7 is held", {
  cause: "A test.",
  remedy: "None.",
  answer: "Closed for maintenance until noon.",
});
const Full = createError<object>("PLINTH_TEST_FULL", 507, () => "/var/lib is full", {
  cause: "A test.",
  remedy: "None.",
});
const Wrong = createError<{ key: string }>("PLINTH_TEST_WRONG", 400, (d) => `Invalid key ${d.key}`, {
  cause: "A test.",
  remedy: "None.",
});
const Broken = createError<object>("PLINTH_TEST_BROKEN", 500, () => "secret table plinth_x", {
  cause: "A test.",
  remedy: "None.",
});

function throwing(error: unknown): Handler {
  return () => {
    throw error;
  };
}

async function failWith(handler: Handler): Promise<{ server: TestServer; response: Response; body: unknown }> {
  const server = await startServer({ routes: [openRoute("GET", "/fail", handler)] });
  const response = await server.request("/api/fail");
  return { server, response, body: await response.json() };
}

describe("error answers", () => {
  afterEach(stopServers);

  it("show name, message, details and code of our errors", async () => {
    const { response, body } = await failWith(throwing(new Wrong({ key: "nope" })));
    expect(response.status).to.equal(400);
    expect(response.headers.get("content-type")).to.equal("application/json; charset=utf-8");
    expect(body).to.deep.equal({
      data: null,
      error: {
        status: 400,
        name: "ValidationError",
        message: "Invalid key nope",
        details: { key: "nope" },
        code: "PLINTH_TEST_WRONG",
      },
    });
  });

  it("show nothing of an unexpected error, and log it under the request id of the answer", async () => {
    for (const thrown of [new TypeError("secret x is undefined"), new Broken({}), "secret text", undefined]) {
      const { server, response, body } = await failWith(throwing(thrown));
      expect(response.status).to.equal(500);
      expect(body).to.deep.equal({
        data: null,
        error: { status: 500, name: "InternalServerError", message: "Internal Server Error" },
      });
      const failures = server.log.filter((line) => line.msg === "A request failed");
      expect(failures).to.have.length(1);
      expect(failures[0]).to.include({ path: "/api/fail", requestId: response.headers.get("x-request-id") });
    }
  });

  it("tell a client of a 503 or 507 its code and a sentence, and the log the rest", async () => {
    const where = "10.0.0.7:5432/blog";
    const { server, response, body } = await failWith(throwing(new Busy({ where })));
    expect(response.status).to.equal(503);
    expect(Number(response.headers.get("retry-after"))).to.be.within(1, 3);
    expect(body).to.deep.equal({
      data: null,
      error: {
        status: 503,
        name: "ServiceUnavailableError",
        message: "The server cannot answer this at the moment. Try again later.",
        details: {},
        code: "PLINTH_TEST_BUSY",
      },
    });
    const failure = server.log.find((line) => line.msg === "A request failed");
    expect(failure).to.have.nested.property("err.message", `${where} does not answer`);
    expect(failure).to.have.deep.nested.property("err.details", { where });
    const full = await failWith(throwing(new Full({})));
    expect(full.response.status).to.equal(507);
    expect(JSON.stringify(full.body)).to.contain("PLINTH_TEST_FULL").and.not.to.contain("/var/lib");
  });

  it("are in the words that an error declares for clients", async () => {
    const { body } = await failWith(throwing(new Closed({})));
    expect(body).to.have.nested.property("error.message", "Closed for maintenance until noon.");
  });

  it("show of a fault the same without a koa context", async () => {
    const read = handlerOf(() => Promise.reject(new Busy({ where: "10.0.0.7:5432/blog" })));
    const { response, body } = await failWith(read);
    expect(Number(response.headers.get("retry-after"))).to.be.within(1, 3);
    expect(body).to.have.nested.property("error.code", "PLINTH_TEST_BUSY");
    expect(JSON.stringify(body)).not.to.contain("10.0.0.7");
  });

  it("pass on what koa's ctx.throw says to the client, and hide its 5xx", async () => {
    const known = await failWith((ctx) => ctx.throw(409, "Taken"));
    expect(known.body).to.deep.equal({
      data: null,
      error: { status: 409, name: "ConflictError", message: "Taken", details: {} },
    });
    const hidden = await failWith((ctx) => ctx.throw(502, "secret upstream"));
    expect(hidden.response.status).to.equal(500);
    expect(JSON.stringify(hidden.body)).not.to.contain("secret");
  });

  it("are 404 where a handler answers nothing", async () => {
    const { response, body } = await failWith(() => undefined);
    expect(response.status).to.equal(404);
    expect(body).to.have.nested.property("error.name", "NotFoundError");
  });

  it("keep the request id that a client sends, unless it is not one", async () => {
    const { server } = await failWith(() => undefined);
    const idOf = async (id: string) =>
      (await server.request("/api/fail", { headers: { "x-request-id": id } })).headers.get("x-request-id");
    expect(await idOf("trace-1.2")).to.equal("trace-1.2");
    expect(await idOf("not an id")).to.match(/^[0-9a-f-]{36}$/);
  });
});
