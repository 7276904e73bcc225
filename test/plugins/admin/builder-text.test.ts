import { expect } from "chai";
import { newText, rewriteText } from "#plugins/admin/src/builder/schema-text.js";

const FILE = `{
    "kind": "collectionType",
    "x-team": [ "red",
      "blue" ],
    "attributes": {
        "title": { "type": "string",   "required": true },
        "pages": {
            "type": "integer",
            "min": 1e0
        }
    }
}`;

const change = (text: string, edit: (value: Record<string, unknown>) => void) => {
  const value = JSON.parse(text) as Record<string, unknown>;
  edit(value);
  return rewriteText(text, value);
};
const attributesOf = (value: Record<string, unknown>) => value["attributes"] as Record<string, unknown>;

describe("the text of a schema file that the builder changes", () => {
  it("is the same where nothing has changed, whatever it looks like", () => {
    for (const text of [FILE, `\uFEFF${FILE}\n\n`, FILE.replaceAll("\n", "\r\n"), '{"a":[],"b":{}}', "{}", " {} "])
      expect(rewriteText(text, JSON.parse(text.replace("\uFEFF", "")))).to.equal(text);
  });

  it("keeps indentation, spaces, keys that nobody knows and a missing last line break where something is added", () => {
    const text = change(FILE, (value) => {
      attributesOf(value)["isbn"] = { type: "string", regex: "^\\d+$" };
    });
    expect(text).to.equal(
      FILE.replace(
        '"min": 1e0\n        }',
        '"min": 1e0\n        },\n        "isbn": { "type": "string", "regex": "^\\\\d+$" }',
      ),
    );
  });

  it("changes a short object in its line, and a long one in its lines", () => {
    const text = change(FILE, (value) => {
      attributesOf(value)["title"] = { type: "string", required: true, maxLength: 80 };
      attributesOf(value)["pages"] = { type: "integer", min: 1, max: 9 };
    });
    expect(text).to.include('"title": { "type": "string", "required": true, "maxLength": 80 },');
    expect(text).to.include('"min": 1e0,\n            "max": 9\n        }');
  });

  it("breaks a line that would become too long", () => {
    const values = Array.from({ length: 20 }, (_, index) => `value number ${index}`);
    const text = change(FILE, (value) => {
      attributesOf(value)["title"] = { type: "enumeration", enum: values };
    });
    expect(text).to.include('        "title": {\n            "type": "enumeration",\n            "enum": [\n');
    expect(JSON.parse(text).attributes.title.enum).to.deep.equal(values);
  });

  it("moves what has another place with its text, and removes what is gone", () => {
    const text = change(FILE, (value) => {
      const { title, pages } = attributesOf(value);
      value["attributes"] = { pages, title };
      delete value["kind"];
    });
    expect(text).to.match(
      /"pages": \{\n {12}"type": "integer",\n {12}"min": 1e0\n {8}\},\n {8}"title": \{ "type": "string", {3}/,
    );
    expect(text).not.to.include("kind");
  });

  it("has the line breaks of the file", () => {
    const text = change(FILE.replaceAll("\n", "\r\n"), (value) => {
      attributesOf(value)["isbn"] = { type: "string" };
    });
    expect(text.replaceAll("\r\n", "")).not.to.include("\n");
    expect(text).to.include('\r\n        "isbn"');
  });

  it("writes many lines where the file has no short objects, as the generator does", () => {
    const text = newText({ attributes: { title: { type: "string" } } });
    const next = change(text, (value) => {
      attributesOf(value)["tags"] = { type: "enumeration", enum: ["a"] };
    });
    const expected = newText({ attributes: { title: { type: "string" }, tags: { type: "enumeration", enum: ["a"] } } });
    expect(next).to.equal(expected);
  });
});
