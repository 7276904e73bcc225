import { expect } from "chai";
import fc from "fast-check";
import qs from "qs";
import { parseQueryString } from "#core/http/query-string.js";

function parsed(text: string): unknown {
  return JSON.parse(JSON.stringify(parseQueryString(text)));
}

function errorOf(text: string): unknown {
  try {
    return parseQueryString(text);
  } catch (error) {
    const { code, status, details } = error as { code: string; status: number; details: unknown };
    return { code, status, details };
  }
}

function limitError(limit: string, max: number): unknown {
  return { code: "PLINTH_HTTP_QUERY_LIMIT", status: 400, details: { limit, max } };
}

describe("query string", () => {
  it("has nested keys, lists, and repeated keys as lists", () => {
    expect(parsed("filters[a][$in][]=1&filters[a][$in][]=2&sort=x&sort=y&fields=*&&")).to.deep.equal({
      filters: { a: { $in: ["1", "2"] } },
      sort: ["x", "y"],
      fields: "*",
    });
  });

  it("reads a list with a single high index as a list of one", () => {
    expect(parsed("filters[slug][$in][50]=technology")).to.deep.equal({ filters: { slug: { $in: ["technology"] } } });
    expect(parsed("a[99]=x")).to.deep.equal({ a: ["x"] });
  });

  it("refuses what is beyond a limit and says which, instead of dropping it", () => {
    const many = (n: number, part: (i: number) => string) => Array.from({ length: n }, (_, i) => part(i)).join("&");
    expect(errorOf("a[100]=x")).to.deep.equal(limitError("arrayLimit", 100));
    expect(errorOf(many(101, () => "a[]=1"))).to.deep.equal(limitError("arrayLimit", 100));
    expect(errorOf(many(101, () => "a=1"))).to.deep.equal(limitError("arrayLimit", 100));
    expect(parsed(many(100, () => "a[]=1"))).to.deep.equal({ a: Array(100).fill("1") });
    expect(errorOf(many(1001, (i) => `p${i}=1`))).to.deep.equal(limitError("parameterLimit", 1000));
    expect(errorOf(`a${"[x]".repeat(21)}=1`)).to.deep.equal(limitError("depth", 20));
    expect(errorOf(`a${"[x]".repeat(20)}=1`)).to.have.property("a");
  });

  it("refuses __proto__ anywhere, however it is written", () => {
    for (const text of ["__proto__=1", "a[__proto__][b]=1", "a[%5F_proto__]=1", "__proto__[x]=1", "a[b][__proto__]"]) {
      expect(errorOf(text), text).to.have.property("code", "PLINTH_HTTP_FORBIDDEN_KEY");
    }
    expect(({} as Record<string, unknown>)["x"]).to.equal(undefined);
  });

  it("keeps other names of prototypes as keys that can be refused by name", () => {
    expect(parsed("filters[constructor]=1&filters[hasOwnProperty]=2&toString=3")).to.deep.equal({
      filters: { constructor: "1", hasOwnProperty: "2" },
      toString: "3",
    });
    expect(Object.getPrototypeOf(parseQueryString("a[b]=1")["a"])).to.equal(null);
  });

  it("gives back every value of any nested object within the limits", () => {
    const key = fc.stringMatching(/^[a-z$_]{1,6}$/).filter((text) => text !== "__proto__");
    const text = fc.string({ minLength: 1, maxLength: 8 });
    const tree = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: "small" }, text, fc.array(text, { minLength: 1, maxLength: 5 }), tie("object")),
      object: fc.dictionary(key, tie("value"), { minKeys: 1, maxKeys: 4 }),
    })).object;
    fc.assert(
      fc.property(tree, (object) => {
        expect(parsed(qs.stringify(object))).to.deep.equal(JSON.parse(JSON.stringify(object)));
      }),
      { numRuns: 200 },
    );
  });

  it("never throws anything but a 400 for any text", () => {
    const part = fc.oneof(fc.string(), fc.constantFrom("[", "]", "[]", "=", "&", "%", "%5B", "a", "[0]", "[101]", "."));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        try {
          parseQueryString(parts.join(""));
        } catch (error) {
          expect(error).to.have.property("status", 400);
        }
      }),
      { numRuns: 500 },
    );
  });
});
