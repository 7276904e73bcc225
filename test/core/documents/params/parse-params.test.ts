import { expect } from "chai";
import type { Filter, OffsetPage, Populate, ZonePopulate } from "#core/database/reads/query.js";
import type { ReadOptions } from "#core/documents/params/parse-params.js";
import { read } from "./read-query.js";

const AUTHOR = ["id", "documentId", "name", "email", "bio", "createdAt", "updatedAt", "publishedAt"];
const populated = (query: string): readonly Populate[] => read(query).query.selection.populate;

function zoneOf(query: string): ZonePopulate {
  const zone = populated(query).find((populate) => populate.kind === "zone");
  if (!zone) throw new TypeError(`No zone in ${query}`);
  return zone;
}

describe("Filters become conditions with values in slots", () => {
  const compare = (field: string, operator: string, value: number) => ({ op: "compare", field, operator, value });
  const entries = (quantifier: string, where: object) => ({ op: "entries", field: "categories", quantifier, where });

  const cases: [query: string, filter: object, ...values: unknown[]][] = [
    ["filters[views]=50", compare("views", "$eq", 1), 50],
    [
      "filters[views][$gt]=20&filters[views][$lt]=50",
      { op: "and", items: [compare("views", "$gt", 1), compare("views", "$lt", 2)] },
      20,
      50,
    ],
    ["filters[slug][]=a&filters[slug][]=b", compare("slug", "$in", 1), ["a", "b"]],
    ["filters[slug][$eq][0]=a", compare("slug", "$in", 1), ["a"]],
    ["filters[slug][$in]=a", compare("slug", "$in", 1), ["a"]],
    [
      "filters[views][$between][]=1&filters[views][$between][]=3",
      { op: "and", items: [compare("views", "$gte", 1), compare("views", "$lte", 2)] },
      1,
      3,
    ],
    ["filters[featured]=t", compare("featured", "$eq", 1), true],
    ["filters[bigviews]=9007199254740993", compare("bigviews", "$eq", 1), "9007199254740993"],
    ["filters[rating][$null]=", { op: "null", field: "rating", isNull: false }],
    ["filters[rating][$notNull]=false", { op: "null", field: "rating", isNull: true }],
    ["filters[views][$not][$gt]=30", { op: "not", item: compare("views", "$gt", 1) }, 30],
    ["filters[$not][slug]=a", { op: "not", item: compare("slug", "$eq", 1) }, "a"],
    [
      "filters[$or][0][slug]=a&filters[$or][1][views]=1",
      { op: "or", items: [compare("slug", "$eq", 1), compare("views", "$eq", 2)] },
      "a",
      1,
    ],
    [
      "filters[views][$or][0]=1&filters[views][$or][1][$gt]=5",
      { op: "or", items: [compare("views", "$eq", 1), compare("views", "$gt", 2)] },
      1,
      5,
    ],
    ["filters[author][name]=Ada", { op: "related", field: "author", where: compare("name", "$eq", 1) }, "Ada"],
    ["filters[author]=12", { op: "related", field: "author", where: compare("id", "$eq", 1) }, 12],
    ["filters[author]=a1b2", { op: "related", field: "author", where: compare("documentId", "$eq", 1) }, "a1b2"],
    ["filters[author][$null]=true", { op: "null", field: "author", isNull: true }],
    [
      "filters[author][id][$null]=true",
      { op: "related", field: "author", where: { op: "null", field: "id", isNull: true } },
    ],
    [
      "filters[author][$not][$null]=true",
      { op: "related", field: "author", where: { op: "not", item: { op: "null", field: "id", isNull: true } } },
    ],
    ["filters[categories][$some][slug]=a", entries("some", compare("slug", "$eq", 1)), "a"],
    [
      "filters[categories][$none][]=a1&filters[categories][$none][]=12",
      entries("none", { op: "or", items: [compare("id", "$in", 1), compare("documentId", "$in", 2)] }),
      [12],
      ["a1"],
    ],
    ["filters[categories][$every]=a1", entries("every", compare("documentId", "$eq", 1)), "a1"],
    [
      "filters[categories][$none][slug]=a&filters[categories][name]=b",
      {
        op: "and",
        items: [
          entries("none", compare("slug", "$eq", 1)),
          { op: "related", field: "categories", where: compare("name", "$eq", 2) },
        ],
      },
      "a",
      "b",
    ],
    ["filters[cover][$null]=true", { op: "null", field: "cover", isNull: true }],
    ["filters[seo][metaTitle]=x", { op: "related", field: "seo", where: compare("metaTitle", "$eq", 1) }, "x"],
  ];
  for (const [query, filter, ...values] of cases) {
    it(query, () => {
      const prepared = read(query);
      expect(prepared.query.filter).to.deep.equal(filter);
      expect(prepared.values.slice(0, values.length + 1)).to.deep.equal(["en", ...values]);
    });
  }

  it("a list of row ids and document ids matches either", () => {
    const { query, values } = read("filters[author][]=12&filters[author][]=a1b2");
    const where = (query.filter as Filter & { op: "related" }).where as Filter & { op: "or" };
    expect(where.items.map((item) => (item as { field: string }).field)).to.deep.equal(["id", "documentId"]);
    expect(values.slice(1, 3)).to.deep.equal([[12], ["a1b2"]]);
  });

  it("an empty $in matches nothing and an empty $notIn everything", () => {
    expect(read({ filters: { slug: { $in: [] } } }).query.filter).to.deep.equal({ op: "constant", value: false });
    expect(read({ filters: { slug: { $notIn: [] } } }).query.filter).to.deep.equal({ op: "constant", value: true });
  });

  it("null from code asks for what is empty", () => {
    const filter = read({ filters: { slug: null, author: null, kind: { $ne: null } } }).query.filter;
    const isNull = (field: string, yes: boolean) => ({ op: "null", field, isNull: yes });
    expect(filter).to.deep.equal({
      op: "and",
      items: [isNull("slug", true), isNull("author", true), isNull("kind", false)],
    });
  });

  it("requests of the same form have equal Queries, whatever their values", () => {
    const one = read("filters[title][$eq]=a&filters[views][$in][]=1&pagination[page]=2");
    const two = read("filters[title][$eq]=b&filters[views][$in][]=7&filters[views][$in][]=8&pagination[page]=3");
    expect(one.query).to.deep.equal(two.query);
  });
});

describe("Sort is read in every form it can be written in", () => {
  const key = (direction: string, ...path: string[]) => ({ path, direction });
  const cases: [query: string, ...keys: object[]][] = [
    ["sort=views", key("asc", "views")],
    ["sort=featured:desc, views:ASC", key("desc", "featured"), key("asc", "views")],
    ["sort[]=featured:desc&sort[]=views", key("desc", "featured"), key("asc", "views")],
    ["sort=slug&sort=title", key("asc", "slug"), key("asc", "title")],
    ["sort[featured]=desc&sort[views]=asc", key("desc", "featured"), key("asc", "views")],
    ["sort[0][featured]=desc&sort[1][views]=asc", key("desc", "featured"), key("asc", "views")],
    ["sort[author][name]=desc", key("desc", "author", "name")],
    ["sort=categories.parent.slug", key("asc", "categories", "parent", "slug")],
    ["sort=seo.metaTitle:desc", key("desc", "seo", "metaTitle")],
    ["sort=views,,slug", key("asc", "views"), key("asc", "slug")],
    ["sort=slug,slug:desc", key("asc", "slug")],
    ["sort=:desc"],
    ["sort="],
  ];
  for (const [query, ...keys] of cases) {
    it(query, () => {
      expect(read(query).query.sort).to.deep.equal(keys);
    });
  }
});

describe("Fields", () => {
  it("by default are id, documentId, the scalars of the schema, and the system fields; nothing private, no password", () => {
    expect(read("", {}, "author").query.selection.fields).to.deep.equal(AUTHOR);
    expect(read("").query.selection.fields)
      .to.include.members(["locale", "extra"])
      .and.not.include.members(["privateNote"]);
    expect(read("").query.selection.fields).not.to.include("secret");
  });

  it("that are asked for come with id and documentId, in the order of the schema", () => {
    expect(read("fields=views, title,views").query.selection.fields).to.deep.equal([
      "id",
      "documentId",
      "title",
      "views",
    ]);
    expect(read("fields[0]=title,views").query.selection.fields).to.deep.equal(["id", "documentId", "title", "views"]);
    expect(read("fields=documentId").query.selection.fields).to.deep.equal(["id", "documentId"]);
  });

  it("are all of them for * and for an empty list from code", () => {
    const all = read("").query.selection.fields;
    expect(read("fields=*").query.selection.fields).to.deep.equal(all);
    expect(read({ fields: [] }).query.selection.fields).to.deep.equal(all);
  });

  it("include private attributes for administrators and code that asks for them, for nobody else, and never passwords", () => {
    const fieldsOf = (options: Partial<ReadOptions>) => read({}, options).query.selection.fields;
    for (const options of [{ visibility: "admin" }, { visibility: "code", withPrivate: true }] as const)
      expect(fieldsOf(options)).to.include("privateNote").and.not.include("secret");
    for (const options of [{ visibility: "code" }, { visibility: "public", withPrivate: true }] as const)
      expect(fieldsOf(options)).to.not.include("privateNote");
  });
});

describe("Populate is read in every form it can be written in", () => {
  const author = { kind: "relation", field: "author", sort: [], selection: { fields: AUTHOR, populate: [] } };

  for (const query of ["populate=author", "populate[0]=author", "populate[author]=true", "populate[author][sort]="]) {
    it(`${query} is one relation with its scalars`, () => {
      expect(populated(query)).to.deep.equal([author]);
    });
  }

  for (const query of ["populate=", "populate[author]=false", "", "populate[]="]) {
    it(`"${query}" populates nothing`, () => {
      expect(populated(query)).to.deep.equal([]);
    });
  }

  it("* is everything, one level deep, in the order of the schema", () => {
    const everything = populated("populate=*");
    const names = ["author", "categories", "related", "cover", "gallery", "seo", "links", "sections", "localizations"];
    expect(everything.map(({ field }) => field)).to.deep.equal(names);
    expect(JSON.stringify(everything)).not.to.include('"populate":[{');
  });

  it("dotted names, nested lists and nested objects are the same Query", () => {
    const dotted = populated("populate=categories.parent.parent");
    expect(populated("populate[categories][populate][parent][populate][0]=parent")).to.deep.equal(dotted);
    expect(populated("populate[categories][populate][parent][populate][parent]=true")).to.deep.equal(dotted);
  });

  it("dotted names that begin alike are joined", () => {
    const [seo, ...others] = populated("populate[0]=seo.meta&populate[1]=seo.ogImage");
    expect(others).to.deep.equal([]);
    const inner = seo?.kind === "component" ? seo.selection.populate : [];
    expect(inner.map(({ kind, field }) => `${kind} ${field}`)).to.deep.equal(["relation ogImage", "component meta"]);
  });

  it("a relation takes fields, filters and sort of its own", () => {
    const query =
      "populate[categories][fields]=slug&populate[categories][filters][name]=a&populate[categories][sort]=slug:desc";
    expect(populated(query)).to.deep.equal([
      {
        kind: "relation",
        field: "categories",
        filter: { op: "compare", field: "name", operator: "$eq", value: 1 },
        sort: [{ path: ["slug"], direction: "desc" }],
        most: 100,
        selection: { fields: ["id", "documentId", "slug"], populate: [] },
      },
    ]);
  });

  it("count stands for the entries", () => {
    expect(read("populate[articles][count]=true", {}, "author").query.selection.populate).to.deep.equal([
      { kind: "count", field: "articles" },
    ]);
  });

  it("media without a file type in the model is still there, to come out empty", () => {
    const cover = {
      kind: "relation",
      field: "cover",
      sort: [],
      selection: { fields: ["id", "documentId"], populate: [] },
    };
    expect(populated("populate[cover][fields]=name")).to.deep.equal([cover]);
  });

  it("a zone returns the scalars of all its components, or the listed ones only", () => {
    const items = (query: string) => zoneOf(query).items;
    expect(items("populate=sections").map(({ component }) => component)).to.deep.equal([
      "sections.hero",
      "sections.quote",
      "sections.gallery",
    ]);
    expect(items("populate[sections][on][sections.quote][fields]=text")).to.deep.equal([
      { component: "sections.quote", selection: { fields: ["id", "text"], populate: [] } },
    ]);
    const starred = items("populate[sections][populate]=*").map(({ selection }) => selection.populate.length);
    expect(starred).to.deep.equal([2, 1, 1]);
  });

  it("a dotted name reaches into the components of a zone that have it", () => {
    const zone = zoneOf("populate=sections.image");
    expect(zone.items.map(({ selection }) => selection.populate.length)).to.deep.equal([1, 0, 0]);
  });

  it("an empty `on` leaves the zone out", () => {
    expect(read({ populate: { sections: { on: {} } } }).query.selection.populate).to.deep.equal([]);
  });
});

describe("Pagination", () => {
  const page = (query: string) => read(query).pagination;
  const byPage = (number: number, pageSize: number, withCount = true) => ({
    style: "page",
    page: number,
    pageSize,
    withCount,
  });
  const byOffset = (start: number, limit: number) => ({ style: "offset", start, limit, withCount: true });

  const cases: [query: string, pagination: object][] = [
    ["", byPage(1, 25)],
    ["pagination[page]=2&pagination[pageSize]=3", byPage(2, 3)],
    ["pagination[page]=0", byPage(1, 25)],
    ["pagination[page]=-1", byPage(1, 25)],
    ["pagination[page]=", byPage(1, 25)],
    ["pagination[pageSize]=0", byPage(1, 1)],
    ["pagination[pageSize]=1000", byPage(1, 100)],
    ["pagination[withCount]=f", byPage(1, 25, false)],
    ["pagination[start]=30", byOffset(30, 25)],
    ["pagination[start]=-1&pagination[limit]=2", byOffset(0, 2)],
    ["pagination[limit]=-1", byOffset(0, 1)],
    ["pagination[limit]=1e1", byOffset(0, 10)],
    ["pagination[page]=99999999999999999999", byPage(Math.floor(Number.MAX_SAFE_INTEGER / 25), 25)],
  ];
  for (const [query, pagination] of cases) {
    it(`"${query}" is ${JSON.stringify(pagination)}`, () => {
      expect(page(query)).to.deep.equal(pagination);
    });
  }

  it("goes into slots as first row and number of rows", () => {
    const { query, values } = read("pagination[page]=3&pagination[pageSize]=10");
    const { start, limit } = query.page as OffsetPage;
    expect([values[start], values[limit]]).to.deep.equal([20, 10]);
    expect(query.count).to.equal(true);
  });

  it("is the whole list from code, unless code says otherwise; -1 means the maximum there", () => {
    const code = { visibility: "code", defaultStatus: "draft" } as const;
    const fromCode = (params: object) => read(params, { ...code, limits: undefined as never });
    expect(fromCode({}).query.page).to.equal(undefined);
    expect(fromCode({ pagination: { limit: 5 } }).pagination).to.include({ start: 0, limit: 5 });
    expect(fromCode({ pagination: { limit: -1 } }).pagination).to.include({ limit: Number.MAX_SAFE_INTEGER });
  });
});

describe("Status, locale and search", () => {
  it("status is published by default, and any value passes on types without drafts", () => {
    expect(read("").query.status).to.equal("published");
    expect(read("status=draft").query.status).to.equal("draft");
    expect(read("status=nope", {}, "category").query.status).to.equal("published");
    expect(read("status=draft", {}, "category").query.status).to.equal("draft");
  });

  it("hasPublishedVersion is a publicationFilter of the document, and only for types with drafts", () => {
    expect(read("hasPublishedVersion=true").query.publication).to.equal("has-published-version-document");
    expect(read("hasPublishedVersion=false").query.publication).to.equal("never-published-document");
    expect(read("publicationFilter=modified", {}, "category").query.publication).to.equal(undefined);
  });

  it("the locale is the default one, the one asked for, or all; ignored on types that are not localised", () => {
    expect(read("").query.locale).to.equal(0);
    expect(read("locale=").query.locale).to.equal(0);
    const { query, values } = read("locale=fr");
    expect(values[query.locale as number]).to.equal("fr");
    expect(read("locale=*").query.locale).to.equal("*");
    expect(read("locale=fr", {}, "category").query.locale).to.equal(undefined);
  });

  it("an empty search is none", () => {
    expect(read("_q=").query.search).to.equal(undefined);
    const { query, values } = read("_q=alpha");
    expect(values[query.search as number]).to.equal("alpha");
  });
});

describe("One document", () => {
  const one = { kind: "one", documentId: "abc" } as const;

  it("is read by its id where it fulfils filters and search; the sort is checked, and pagination ignored", () => {
    const { query, values, pagination } = read("filters[title]=a&sort=title&pagination[page]=2&_q=x", one);
    expect(query).to.include({ isOne: true, count: false }).and.not.have.any.keys("page");
    expect(query.filter).to.include({ op: "compare", field: "title" });
    expect(values[query.search as number]).to.equal("x");
    expect(query.sort).to.deep.equal([]);
    expect(values[query.documentId as number]).to.equal("abc");
    expect(pagination).to.equal(undefined);
  });

  it("is shown after a write whatever its conditions are, which are checked", () => {
    const written = { ...one, kind: "written" } as const;
    const { query } = read("filters[title]=a&_q=x", written);
    expect(query).to.include({ isOne: true }).and.not.have.any.keys("filter", "search");
    expect(() => read("filters[nope]=a", written))
      .to.throw()
      .with.property("code", "PLINTH_QUERY_INVALID_KEY");
  });

  it("is none for locale=*", () => {
    expect(read("locale=*", one).query.filter).to.deep.equal({ op: "constant", value: false });
  });
});

describe("What comes out", () => {
  it("is frozen at every depth", () => {
    const { query, values } = read("filters[slug][$in][]=a&populate=author.avatar&sort=title");
    const frozen = [
      query,
      query.filter,
      query.sort,
      query.sort[0]?.path,
      query.selection.populate[0],
      values,
      values[1],
    ];
    expect(frozen.map(Object.isFrozen)).to.deep.equal(frozen.map(() => true));
  });
});
