import { expect } from "chai";
import fc from "fast-check";
import { isPlinthError } from "#core/base/error.js";
import type { ContentModel } from "#core/schema/model.js";
import { corpus, parse, rules } from "./bodies.js";

/** JSON that leans towards the names and values that mean something in a body. */
const names = fc.constantFrom(
  "title",
  "slug",
  "views",
  "bigviews",
  "rating",
  "kind",
  "extra",
  "content",
  "pubDate",
  "eventAt",
  "author",
  "categories",
  "cover",
  "seo",
  "meta",
  "metaTitle",
  "links",
  "label",
  "category",
  "sections",
  "box",
  "boxes",
  "zone",
  "subject",
  "subjects",
  "rank",
  "day",
  "connect",
  "disconnect",
  "set",
  "options",
  "strict",
  "position",
  "before",
  "after",
  "start",
  "end",
  "status",
  "locale",
  "publishedAt",
  "id",
  "documentId",
  "__component",
  "__type",
  "__proto__",
  "constructor",
  "children",
  "type",
  "text",
);
const scalars = fc.oneof(
  fc.constantFrom(
    "sections.hero",
    "sections.quote",
    "part.box",
    "api::page.page",
    "paragraph",
    "draft",
    "2024-02-30",
    "",
    "12",
    "\u0000",
  ),
  fc.constantFrom(null, true, false, 0, -1, 1.5, 1e300, Number.MAX_SAFE_INTEGER),
  fc.string(),
  fc.double(),
);
const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 6 }, scalars, fc.array(tie("value"), { maxLength: 4 }), tie("object")),
  object: fc.dictionary(names, tie("value"), { maxKeys: 6 }),
}));
const bodies = fc.oneof(json, fc.dictionary(names, json, { maxKeys: 3 }));

async function isAcceptedOrRefused(
  model: ContentModel,
  uid: string,
  data: unknown,
  mode: "create" | "update",
): Promise<boolean> {
  try {
    await parse(model, uid, data, { mode });
    return true;
  } catch (error) {
    return isPlinthError(error) && error.status === 400 && JSON.stringify(error) !== undefined;
  }
}

describe("any JSON at all as a body", () => {
  for (const [model, uid] of [
    [corpus, "api::article.article"],
    [corpus, "api::category.category"],
    [rules, "api::page.page"],
    [rules, "api::leaf.leaf"],
  ] as const) {
    it(`is accepted or refused with a 400 for ${uid}`, async () => {
      await fc.assert(
        fc.asyncProperty(bodies, fc.constantFrom("create", "update"), async (data, mode) => {
          expect(await isAcceptedOrRefused(model, uid, data, mode)).to.equal(true);
        }),
        { numRuns: 400 },
      );
    });
  }

  it("is accepted or refused with a 400 as the value of every attribute", async () => {
    const attributes = fc.constantFrom(...(corpus.contentTypes.get("api::article.article")?.attributes.keys() ?? []));
    await fc.assert(
      fc.asyncProperty(attributes, json, async (name, value) => {
        expect(await isAcceptedOrRefused(corpus, "api::article.article", { [name]: value }, "update")).to.equal(true);
      }),
      { numRuns: 1000 },
    );
  });
});
