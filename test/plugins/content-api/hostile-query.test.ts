import { expect } from "chai";
import { serveCorpusApp } from "../../corpus-app.js";
import { seedCorpusApp } from "../../corpus-content.js";
import { eitherDatabase } from "../../databases.js";
import { expectRefusal, fingerprint, PROTOTYPE_NAMES, SQL_TEXTS } from "./hostile-requests.js";

const nested = (name: string, levels: number) => `filters${`[${name}]`.repeat(levels)}=x`;
const NUL = "%00";

/** Query strings that every read and every write of articles refuses, by what is wrong with them. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  "a value of another kind": [
    ...["views", "score", "rating", "bigviews", "id"].map((name) => `filters[${name}]=abc`),
    ...["filters[views]=1.5", "filters[bigviews]=1.5", "filters[id]=", "filters[featured]=maybe"],
    ...["pubDate=tomorrow", "pubDate=2024-02-31", "startsAt=25:00:00", "eventAt=never", "stamp=2024-13-01"].map(
      (pair) => `filters[${pair.replace("=", "][$gt]=")}`,
    ),
    ...["filters[author][id]=abc", "populate[author][filters][id]=abc", "filters[title][$null]=maybe"],
  ],
  "a number out of range": [
    ...["views=2147483648", "views=-2147483649", "views=1e300", "bigviews=9223372036854775808", "id=1e300"],
    ...["rating=1e20", "score=1e400", "id=9223372036854775808"],
  ].map((pair) => `filters[${pair.replace("=", "]=")}`),
  "an unknown name": [
    ...["filters[nope]=1", "filters[author][nope]=1", "filters[author][articles][nope]=1", "filters[$or][0][nope]=1"],
    ...["filters[$not][nope]=1", "filters[seo][nope]=1", "filters[seo][meta][nope]=1", "filters[sections][title]=1"],
    ...["sort=nope", "sort=author.nope", "sort[author][nope]=asc", "sort[0]=nope", "fields=nope", "fields[]=author"],
    ...["populate=nope", "populate=title", "populate=author.nope", "populate[nope]=true", "populate[0]=nope"],
    ...["populate[author][fields]=nope", "populate[author][filters][nope]=1", "populate[author][sort]=nope"],
    ...["populate[author][populate][articles][populate][nope]=true", "populate[seo][populate]=nope"],
  ],
  "an unknown operator or option": [
    ...["filters[$nope]=1", "filters[title][$nope]=1", "filters[author][$nope]=1", "filters[views][$contains]=1"],
    ...[
      "filters[author][$contains]=a",
      "filters[seo][$eq]=1",
      "sort=title:up",
      "sort[title]=up",
      "sort[title]=desc asc",
    ],
    ...["populate[author][nope]=1", "populate[author][pagination][page]=1", "populate[author][limit]=1"],
    ...["populate[sections][on][sections.hero][nope]=1", "populate[sections][on][nope]=true", "populate[author][on]=x"],
  ],
  "a name that nobody may read": [
    ...["secret", "privateNote"].flatMap((name) => [`filters[${name}]=x`, `sort=${name}`, `fields=${name}`]),
    ...["filters[createdBy][id]=1", "sort=updatedBy.id", "populate=createdBy", "fields=createdBy"],
  ],
  "a list, an object or a text where another belongs": [
    ...[
      "filters=x",
      "filters[]=x",
      "filters[0][title]=x",
      "filters[$not]=x",
      "filters[$and][title]=x",
      "filters[$or]=x",
    ],
    ...["filters[author][$or]=x", "filters[title][$in][a]=b", "filters[title][$contains][]=a", "filters[title][a]=b"],
    ...["filters[views][$between]=1", "filters[views][$between][]=1", "sort[title][a][b]=asc", "sort[title][]=asc"],
    ...["fields[a]=title", "fields[0][a]=title", "populate[author]=maybe", "populate[author][fields][a]=name"],
    ...[
      "populate[author][count]=maybe",
      "populate[sections][on]=x",
      "populate[0][a]=author",
      "populate[author][populate][a]=b",
    ],
    ...["_q[]=a", "_q[a]=b", "locale[]=en", "locale[a]=b", "status[]=draft", "status[a]=b", "status=archived"],
    ...["publicationFilter=x", "publicationFilter[]=modified", "hasPublishedVersion=x", "hasPublishedVersion[a]=true"],
  ],
  "a NUL byte": [
    ...["filters[title]=a%00", "filters[title][$contains]=%00", "filters[title][$in][]=%00", "filters[author]=%00"],
    ...["filters[documentId]=%00", "filters[kind]=%00", "filters[author][name]=%00", "filters[$or][0][title]=%00"],
    ...[`filters[${NUL}]=1`, `filters[author][${NUL}]=1`, `filters[title][${NUL}]=1`, `filters[title${NUL}]=1`],
    ...["sort=%00", "sort=title%00", "sort=title:%00", `sort[${NUL}]=asc`, "sort=author.%00"],
    ...["fields=%00", "fields[]=title%00", "populate=%00", "populate=author%00", `populate[${NUL}]=true`],
    ...["populate[author][filters][name]=%00", "populate[author][fields]=%00", "populate[author][sort]=%00"],
    ...["_q=%00", "_q=a%00b", "locale=%00", "status=%00", "publicationFilter=%00", "hasPublishedVersion=%00"],
  ],
  "a name of a prototype": PROTOTYPE_NAMES.flatMap((name) => [
    ...[`filters[${name}]=x`, `filters[${name}][x]=1`, `filters[title][${name}]=x`, `filters[author][${name}]=x`],
    ...[`filters[$or][0][${name}]=x`, `filters[$not][${name}]=x`, `filters[seo][${name}]=x`, `filters[views]=${name}`],
    ...[`sort=${name}`, `sort[${name}]=asc`, `sort=author.${name}`, `sort=title:${name}`, `fields=${name}`],
    ...[`populate=${name}`, `populate[${name}]=true`, `populate[author][${name}]=1`, `populate=author.${name}`],
    ...[`populate[author][fields]=${name}`, `populate[sections][on][${name}]=true`, `populate[author]=${name}`],
    ...[`status=${name}`, `publicationFilter=${name}`, `hasPublishedVersion=${name}`],
  ]),
  "more than the parser takes": [
    ...[nested("$not", 21), nested("author", 30), `populate${"[author][populate]".repeat(12)}=x`],
    ...[`populate=${"author.articles.".repeat(30)}author`, `sort=${"author.articles.".repeat(30)}title`],
    `sort=${"categories.articles.".repeat(3)}title`,
    ...[`filters[title][$in][101]=x`, `filters[title][$in][99999999999]=x`, `fields[101]=title`],
    ...[Array.from({ length: 101 }, () => "fields[]=id").join("&"), Array.from({ length: 1001 }, () => "a=").join("&")],
  ],
  "SQL where a name belongs": SQL_TEXTS.map(encodeURIComponent).flatMap((sql) => [
    ...[`filters[${sql}]=1`, `filters[title][${sql}]=1`, `sort=${sql}`, `sort=title:${sql}`, `sort[${sql}]=asc`],
    ...[`fields=${sql}`, `populate=${sql}`, `populate[${sql}]=true`, `status=${sql}`, `filters[views]=${sql}`],
  ]),
  "a name that reaches the query builder elsewhere": [
    "where",
    "lookup",
    "select",
    "having",
    "groupBy",
    "params",
  ].flatMap((name) => [`${name}=x`, `${name}=`, `${name}[id]=1`, `${name}[]=x`, `title=x&${name}[$or][0][id]=1`]),
  "a prototype's name at its root": [
    "__proto__=x",
    "__proto__[filters][title]=x",
    "__proto__[]=x",
    "__proto__.a=1&[__proto__]=x",
  ],
};

/** Query strings that only lists read. */
const REFUSED_BY_LISTS = [
  ...["pagination=x", "pagination[]=1", "pagination[foo]=1", "pagination[page]=abc", "pagination[pageSize]=1.5"],
  ...["pagination[page]=NaN", "pagination[page]=Infinity", "pagination[page][a]=1", "pagination[limit][]=1"],
  ...["pagination[page]=%00", "pagination[withCount]=maybe", "pagination[withCount][]=true", "pagination[%00]=1"],
  ...["pagination[page]=1&pagination[start]=0", "pagination[page]=1&pagination[page]=2", "page=1", "pageSize=1"],
  ...PROTOTYPE_NAMES.flatMap((name) => [`pagination[${name}]=1`, `pagination[page]=${name}`]),
  ...SQL_TEXTS.map((sql) => `pagination[limit]=${encodeURIComponent(sql)}`),
];

/** Query strings that move to the nearest page there is. @source plugins/content-api/WIRE.md#pagination */
const CLAMPED = ["page=-1", "page=0", "page=1e300", "page=-1e300", "page=99999999999999999999", "pageSize=1e300"]
  .concat(["pageSize=-5", "start=-1", "start=1e300", "limit=0", "limit=-1", "limit=1e300", "page=", "limit="])
  .map((pair) => `pagination[${pair.replace("=", "]=")}`);

/** Query strings that are texts to compare with, or nothing that is asked of this server. */
const HARMLESS = [
  ...SQL_TEXTS.map(encodeURIComponent).flatMap((sql) => [`filters[title]=${sql}`, `_q=${sql}`, `locale=${sql}`]),
  ...SQL_TEXTS.map((sql) => `filters[title][$containsi]=${encodeURIComponent(sql)}`),
  ...PROTOTYPE_NAMES.flatMap((name) => [`filters[title]=${name}`, `_q=${name}`, `locale=${name}`]),
  ...["constructor=1", "toString[a]=1", "foo[bar][]=1", "%00=1", "=1", "&&&", "%", "%zz", "filters[title]=%ED%A0%80"],
  ...[`filters[title]=${"x".repeat(10_000)}`, `_q=${"%F0%9F%92%A9".repeat(100)}`, "filters[title]=%ff%fe"],
];

describe("Hostile query strings", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveCorpusApp(database);
    const content = seedCorpusApp(app);

    for (const [what, queries] of Object.entries(REFUSED)) {
      it(`with ${what} are refused by lists, single documents and writes, which change nothing`, async () => {
        const one = `/api/articles/${content().articles[0]?.documentId}`;
        const before = await fingerprint(app().plinth);
        const body = { data: { title: "Never" } };
        for (const query of queries) {
          await expectRefusal(app(), "GET", `/api/articles?${query}`);
          await expectRefusal(app(), "GET", `${one}?${query}`);
          await expectRefusal(app(), "POST", `/api/articles?${query}`, { body });
          await expectRefusal(app(), "PUT", `${one}?${query}`, { body });
        }
        expect(await fingerprint(app().plinth)).to.deep.equal(before);
      });
    }

    it("too long to be read are refused like any other", async () => {
      const { status } = await expectRefusal(app(), "GET", `/api/articles?filters[title]=${"x".repeat(20_000)}`);
      expect(status).to.equal(431);
    });

    it("with wrong pagination are refused by lists", async () => {
      for (const query of REFUSED_BY_LISTS) await expectRefusal(app(), "GET", `/api/articles?${query}`);
    });

    it("with pages far away get the nearest one", async () => {
      for (const query of CLAMPED) {
        const { status, body } = await app().request("GET", `/api/articles?${query}`);
        expect([status, Array.isArray(body.data)], query).to.deep.equal([200, true]);
      }
    });

    it("with mere texts find nothing, and do no harm", async () => {
      const before = await fingerprint(app().plinth);
      for (const query of HARMLESS) {
        const { status } = await app().request("GET", `/api/articles?${query}`);
        expect(status, query).to.equal(200);
      }
      expect(await fingerprint(app().plinth)).to.deep.equal(before);
    });

    it("are refused by single types and by deletes too", async () => {
      const before = await fingerprint(app().plinth);
      for (const path of ["/api/homepage", "/api/global"]) {
        for (const query of [
          "fields=nope",
          "populate=%00",
          "filters[__proto__]=1",
          "where=1",
          "sort=nope",
          "filters=x",
        ]) {
          await expectRefusal(app(), "GET", `${path}?${query}`);
          await expectRefusal(app(), "PUT", `${path}?${query}`, { body: { data: {} } });
          await expectRefusal(app(), "DELETE", `${path}?${query}`);
        }
      }
      await expectRefusal(app(), "DELETE", `/api/articles/${content().articles[0]?.documentId}?where[id]=1`);
      expect(await fingerprint(app().plinth)).to.deep.equal(before);
    });

    it("and document ids of any kind are a 404 or a 400, and delete nothing", async () => {
      const before = await fingerprint(app().plinth);
      const ids = [
        ...SQL_TEXTS,
        ...PROTOTYPE_NAMES,
        "\u0000",
        "a\u0000b",
        "1",
        "-1",
        "1e300",
        "é".repeat(500),
        "*",
        "%",
      ];
      for (const id of ids) {
        const path = `/api/articles/${encodeURIComponent(id)}`;
        await expectRefusal(app(), "GET", path);
        await expectRefusal(app(), "PUT", path, { body: { data: { title: "x" } } });
        expect((await app().request("DELETE", path)).status, path).to.be.oneOf([204, 400]);
      }
      for (const path of ["/api/articles/%", "/api/articles/%ff", "/api/articles/%E0%A4%A"]) {
        await expectRefusal(app(), "GET", path);
        await expectRefusal(app(), "DELETE", path);
      }
      expect(await fingerprint(app().plinth)).to.deep.equal(before);
    });
  });
});
