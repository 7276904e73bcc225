import { createRequire } from "node:module";
import { expect } from "chai";
import { FORM_ERRORS } from "#plugins/upload/src/request/formidable-internals.js";

const require = createRequire(import.meta.url);

describe("what our code takes for granted of formidable", () => {
  it("the numbers of its errors", () => {
    const { errors } = createRequire(require.resolve("koa-body"))("formidable") as { errors: Record<string, unknown> };
    expect(errors).to.include(FORM_ERRORS);
  });
});
