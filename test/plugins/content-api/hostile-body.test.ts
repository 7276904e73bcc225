import { expect } from "chai";
import { serveCorpusApp } from "../../corpus-app.js";
import { seedCorpusApp } from "../../corpus-content.js";
import { eitherDatabase } from "../../databases.js";
import { expectRefusal, fingerprint, SQL_TEXTS } from "./hostile-requests.js";
import { NUL, REFUSED_VALUES } from "./hostile-values.js";

const UNKNOWN_KEYS = [
  ...[
    "nope",
    "id",
    "documentId",
    "createdAt",
    "updatedAt",
    "createdBy",
    "updatedBy",
    "localizations",
    "",
    "$set",
    "title.x",
  ],
  ...[
    "constructor",
    "prototype",
    "toString",
    "hasOwnProperty",
    "valueOf",
    NUL,
    `title${NUL}`,
    "\ud800",
    "k".repeat(10_000),
  ],
  ...SQL_TEXTS,
];

/** Bodies that hold no data, as text. */
const UNREADABLE = [
  ...[
    "{",
    '{"data":',
    '{"data":{"title":}}',
    "nul",
    "'",
    '{"data":{"title":"\u0000"}}',
    '{"data":{"title":"x"}}}',
    "\ufeff{",
  ],
  ...[
    '""',
    '"data"',
    "null",
    "1",
    "true",
    "[]",
    "[[]]",
    "{}",
    '{"data":null}',
    '{"data":1}',
    '{"data":"x"}',
    '{"data":[]}',
  ],
  ...[
    '{"data":[{"title":"x"}]}',
    '{"Data":{"title":"x"}}',
    '{"constructor":{"prototype":{"data":{}}}}',
    "NaN",
    "undefined",
  ],
  ...['{"data":{"title":"x","__proto__":{"x":1}}}', '{"__proto__":{"data":{"title":"x"}}}'],
  ...[
    '{"data":{"title":"x","seo":{"__proto__":{"metaTitle":"a"}}}}',
    '{"data":{"title":"x","extra":{"a":[{"__proto__":1}]}}}',
  ],
  ...[`{"data":{"title":"x","extra":${"[".repeat(600)}${"]".repeat(600)}}}`, "[".repeat(100_000)],
  ...[
    `{"data":{"title":"x","extra":${'{"a":'.repeat(150)}1${"}".repeat(150)}}}`,
    `{"data":{"title":"${"x".repeat(1_100_000)}"}}`,
  ],
];

describe("Hostile bodies", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveCorpusApp(database);
    const content = seedCorpusApp(app);
    const pathOf = () => `/api/articles/${content().articles[0]?.documentId}`;
    const unchanged = async (work: () => Promise<void>) => {
      const before = await fingerprint(app().plinth);
      await work();
      expect(await fingerprint(app().plinth)).to.deep.equal(before);
    };

    it("would be noticed if they changed anything", async () => {
      const before = await fingerprint(app().plinth);
      await app().request("PUT", pathOf(), { body: { data: { title: "Changed" } } });
      expect(await fingerprint(app().plinth)).not.to.deep.equal(before);
    });

    for (const [name, values] of Object.entries(REFUSED_VALUES)) {
      it(`with wrong values for ${name} are refused, created or updated, and change nothing`, async () => {
        for (const value of values) {
          await unchanged(async () => {
            const body = { data: { title: "x", [name]: value } };
            await expectRefusal(app(), "POST", "/api/articles", { body });
            await expectRefusal(app(), "PUT", pathOf(), { body });
          });
        }
      });
    }

    it("with unknown keys are refused at every depth, and change nothing", async () => {
      await unchanged(async () => {
        for (const key of UNKNOWN_KEYS) {
          const inside = [{ [key]: 1 }, { links: [{ label: "a", [key]: 1 }] }, { author: { connect: [], [key]: 1 } }];
          if (key !== "id") inside.push({ seo: { metaTitle: "a", [key]: 1 } } as never);
          const [root] = inside;
          for (const data of inside.filter((one) => key !== "id" || one === root)) {
            await expectRefusal(app(), "POST", "/api/articles", { body: { data: { title: "x", ...data } } });
            await expectRefusal(app(), "PUT", pathOf(), { body: { data } });
          }
          await expectRefusal(app(), "PUT", "/api/homepage", { body: { data: { [key]: 1 } } });
        }
      });
    });

    it("that hold no data, or cannot be read, are refused, and change nothing", async () => {
      await unchanged(async () => {
        for (const text of UNREADABLE) {
          for (const path of ["/api/articles", "/api/categories"]) await expectRefusal(app(), "POST", path, { text });
          for (const path of [pathOf(), "/api/global", "/api/homepage"]) {
            await expectRefusal(app(), "PUT", path, { text });
          }
        }
      });
    });

    it("with wrong values for single types are refused, and change nothing", async () => {
      await unchanged(async () => {
        for (const data of [
          { siteName: 5 },
          { siteName: null },
          { siteName: " " },
          { siteName: NUL },
          { defaultSeo: [] },
        ]) {
          await expectRefusal(app(), "PUT", "/api/global", { body: { data } });
        }
        for (const data of [{ heading: {} }, { sections: {} }, { sections: [{}] }, { heading: NUL }]) {
          await expectRefusal(app(), "PUT", "/api/homepage", { body: { data } });
        }
      });
    });

    it("keep half surrogates as the replacement character, and long texts and SQL as they are", async () => {
      const texts = [...SQL_TEXTS, "x".repeat(255), "null", "💩"];
      for (const title of [...texts, "a\ud800b"]) {
        const { status, body } = await app().request("POST", "/api/articles?fields=title", {
          body: { data: { title } },
        });
        expect([status, body.data?.title === title.replace("\ud800", "\ufffd")], title.slice(0, 50)).to.deep.equal([
          201,
          true,
        ]);
      }
    });

    it("in other formats are refused, and change nothing", async () => {
      const cases: [string, string][] = [
        ...[
          "data=x",
          "data[__proto__][title]=x",
          "data[title][a]=b",
          `data${"[a]".repeat(30)}=x`,
          "data[title]=%00",
          "",
        ].map((text): [string, string] => ["application/x-www-form-urlencoded", text]),
        ["application/x-www-form-urlencoded", Array.from({ length: 1001 }, () => "a=1").join("&")],
        ...["text/plain", "application/xml", "multipart/form-data", "application/octet-stream", "nonsense", ""].map(
          (type): [string, string] => [type, '{"data":{"title":"x"}}'],
        ),
      ];
      await unchanged(async () => {
        for (const [type, text] of cases) {
          await expectRefusal(app(), "POST", "/api/articles", { text, headers: { "content-type": type } });
        }
      });
    });

    it("with wrong headers are refused, and change nothing", async () => {
      const text = '{"data":{"title":"x"}}';
      await unchanged(async () => {
        for (const encoding of ["br-nope", "gzip", "deflate", "x".repeat(1000)]) {
          await expectRefusal(app(), "POST", "/api/articles", { text, headers: { "content-encoding": encoding } });
        }
        for (const authorization of [
          "Bearer",
          "Bearer ",
          "Bearer a b",
          "Basic YTpi",
          "Bearer nobody",
          "Bearer __proto__",
        ]) {
          await expectRefusal(app(), "POST", "/api/articles", { text, headers: { authorization } });
        }
      });
    });
  });
});
