import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import { createError, errorCatalogue, isPlinthError, PlinthError, reasonOf } from "#core/base/error.js";
import { writeProject } from "../../projects.js";

const texts = { cause: "A test threw it.", remedy: "None is needed." };
const GoneError = createError<{ what: string }>("PLINTH_TESTING_GONE", 404, (d) => `${d.what} is gone.`, texts);
const OddError = createError<object>("PLINTH_TESTING_ODD", 400, () => "Odd.", { ...texts, name: "ApplicationError" });

describe("errors with a code", () => {
  it("build their message from their details and keep the cause", () => {
    const cause = new TypeError("no");
    const error = new GoneError({ what: "Tea" }, { cause });
    expect(error).to.be.instanceOf(PlinthError).and.instanceOf(Error);
    expect(error.message).to.equal("Tea is gone.");
    expect(error.details).to.deep.equal({ what: "Tea" });
    expect(error.cause).to.equal(cause);
  });

  it("are named on the wire after their status unless they say otherwise", () => {
    const nameOf = (status: number, area: string) =>
      createError<object>(`PLINTH_TESTING_${area}` as "PLINTH_TESTING_X", status, () => "", texts).wireName;
    expect(nameOf(400, "A")).to.equal("ValidationError");
    expect(nameOf(401, "B")).to.equal("UnauthorizedError");
    expect(nameOf(403, "C")).to.equal("ForbiddenError");
    expect(GoneError.wireName).to.equal("NotFoundError");
    expect(nameOf(413, "D")).to.equal("PayloadTooLargeError");
    expect(nameOf(429, "E")).to.equal("RateLimitError");
    expect(nameOf(418, "F")).to.equal("ApplicationError");
    expect(nameOf(500, "G")).to.equal("InternalServerError");
    expect(nameOf(599, "H")).to.equal("InternalServerError");
    expect(OddError.wireName).to.equal("ApplicationError");
  });

  it("become JSON without their stack or cause", () => {
    const json: unknown = JSON.parse(JSON.stringify(new GoneError({ what: "Tea" }, { cause: new Error("secret") })));
    expect(json).to.deep.equal({
      code: "PLINTH_TESTING_GONE",
      status: 404,
      name: "NotFoundError",
      message: "Tea is gone.",
      details: { what: "Tea" },
    });
  });

  it("are recognised by their code, not by their class", () => {
    expect(GoneError.is(new GoneError({ what: "Tea" }))).to.equal(true);
    expect(GoneError.is(new OddError({}))).to.equal(false);
    expect(isPlinthError(Object.assign(new Error(), { code: "ECONNREFUSED" }))).to.equal(false);
    expect(isPlinthError(Object.assign(new Error(), { code: "PLINTH_X_Y", wireName: "Error" }))).to.equal(true);
    expect(isPlinthError({ code: "PLINTH_TESTING_GONE", wireName: "Error" })).to.equal(false);
  });

  it("may be declared again by a newer version of their file, and by no other file", async () => {
    const core = JSON.stringify(import.meta.resolve("@plinth/core"));
    const declaration = `import { createError } from ${core};
      export const Gone = createError("PLINTH_TESTING_VERSIONS", 404, () => "", { cause: "It was.", remedy: "Look." });`;
    const root = writeProject({ "errors.mjs": declaration, "others.mjs": declaration });
    const read = (file: string, version: number) =>
      import(`${pathToFileURL(join(root, file)).href}?version=${version}`);
    await read("errors.mjs", 1);
    await read("errors.mjs", 2);
    const refused = await read("others.mjs", 2).catch((error: unknown) => error);
    expect(refused).to.have.property("code", "PLINTH_ERROR_DUPLICATE_CODE");
  });

  it("refuse a code that is taken (PLINTH_ERROR_DUPLICATE_CODE)", () => {
    expect(() => createError("PLINTH_TESTING_GONE", 500, () => "", texts))
      .to.throw("PLINTH_TESTING_GONE is declared twice")
      .with.property("code", "PLINTH_ERROR_DUPLICATE_CODE");
  });
});

describe("the error catalogue", () => {
  it("lists every declared error in order of its code, with cause and remedy", () => {
    const entries = errorCatalogue();
    const codes = entries.map(({ code }) => code);
    expect(codes).to.deep.equal([...codes].sort());
    expect(new Set(codes).size).to.equal(codes.length);
    expect(entries).to.deep.include({
      code: "PLINTH_TESTING_GONE",
      status: 404,
      wireName: "NotFoundError",
      answer: undefined,
      ...texts,
    });
    for (const { code, cause, remedy } of entries) {
      expect(cause, `cause of ${code}`).to.match(/\.$/);
      expect(remedy, `remedy of ${code}`).to.match(/\.$/);
    }
  });

  it("cannot be changed from outside", () => {
    expect(errorCatalogue()[0]).to.be.frozen;
    (errorCatalogue() as unknown[]).length = 0;
    expect(errorCatalogue()).not.to.be.empty;
  });
});

describe("the reason of a failure", () => {
  it("is the message of an error, and the text of anything else that is thrown", () => {
    expect(reasonOf(new Error("broken"))).to.equal("broken");
    expect(reasonOf("plain text")).to.equal("plain text");
    expect(reasonOf(undefined)).to.equal("undefined");
  });

  it("is a text also where the message is none, or cannot be read", () => {
    expect(reasonOf(Object.assign(new Error("x"), { message: { reason: "no such user" } }))).to.equal(
      'Error: {"reason":"no such user"}',
    );
    expect(reasonOf(Object.assign(new TypeError("x"), { message: undefined }))).to.equal("TypeError: undefined");
    const unreadable = Object.defineProperty(new Error("x"), "message", {
      get: () => {
        throw new Error("no");
      },
    });
    const circle: { self?: object } = {};
    circle.self = circle;
    const circular = Object.assign(new Error("x"), { message: circle });
    for (const cause of [unreadable, circular, Object.create(null), new AggregateError([Object.create(null)])])
      expect(reasonOf(cause)).to.equal("a failure whose reason cannot be read");
  });
});
