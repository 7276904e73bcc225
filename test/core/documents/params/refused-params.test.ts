import { expect } from "chai";
import { PUBLIC_BUDGET } from "#core/documents/params/read-budget.js";
import { answerOf, publicAbility, read, refusal } from "./read-query.js";

const invalidKey = (param: string, key: string, path: string | null) => ({
  status: 400,
  name: "ValidationError",
  message: `Invalid key ${key}${path === null || path === key ? "" : ` at ${path}`}`,
  details: { key, path, source: "query", param },
});

describe("A name that cannot be used is refused with its key and path", () => {
  const cases: [query: string, key: string, path: string | null][] = [
    ["filters[nope][$eq]=1", "nope", null],
    ["filters[Title]=x", "Title", null],
    ["filters[author.name]=x", "author.name", null],
    ["filters[$or][0][nope]=1", "nope", null],
    ["filters[$xor][0][title]=x", "$xor", null],
    ["filters[0][slug]=a&filters[views]=1", "0", null],
    ["filters[]=a", "0", null],
    ["filters[constructor]=1", "constructor", null],
    ["filters[title][$like]=x", "$like", "title"],
    ["filters[title][like]=x", "like", "title"],
    ["filters[title][$eq][foo]=x", "foo", "title"],
    ["filters[author][nope]=1", "nope", "author"],
    ["filters[author][$like]=1", "$like", "author"],
    ["filters[author][0][name]=Ada", "name", "author"],
    ["filters[privateNote][$eq]=x", "privateNote", "privateNote"],
    ["filters[secret][$notNull]=true", "secret", "secret"],
    ["filters[createdBy][id]=1", "createdBy", "createdBy"],
    ["filters[sections][__component]=sections.hero", "sections", "sections"],
    ["filters[related][privateNote]=x", "privateNote", "related.privateNote"],
    ["filters[cover][name]=a.png", "name", "cover"],
    ["sort=nope", "nope", null],
    ["sort=1", "1", null],
    ["sort=author.nope", "nope", "author"],
    ["sort=title.nope", "nope", "title"],
    ["sort=author", "author", "author"],
    ["sort=extra", "extra", "extra"],
    ["sort=secret", "secret", "secret"],
    ["sort=sections.title", "sections", "sections"],
    ["sort=createdBy.firstname", "createdBy", "createdBy"],
    ["fields=title,nope", "nope", null],
    ["fields=", "", null],
    ["fields[0]=&fields[1]=title", "", null],
    ["fields=*,secret", "secret", "secret"],
    ["fields=author", "author", "author"],
    ["populate=true", "true", "true"],
    ["populate=1", "1", "1"],
    ["populate=title", "title", "title"],
    ["populate=createdBy", "createdBy", "createdBy"],
    ["populate=author.nope", "nope", "author.nope"],
    ["populate[0]=author&populate[1]=nope", "nope", "nope"],
    ["populate[author]=", "", "author"],
    ["populate[author]=avatar", "avatar", "author.avatar"],
    ["populate[author][avatar]=true", "avatar", "author.avatar"],
    ["populate[author][populate]=avatar,articles", "avatar,articles", "author"],
    ["populate[author][populate][name]=true", "name", "author.populate.name"],
    ["populate[author][pagination][limit]=2", "pagination", "author"],
    ["populate[author][count]=maybe", "count", "author"],
    ["populate[sections][on]=x", "on", "sections.on"],
    ["populate[author][start]=1&populate[author][limit]=2", "start", "author"],
    ["populate[categories][filters][nope]=1", "nope", null],
    ["populate[related][fields]=privateNote", "privateNote", "privateNote"],
    ["populate[sections][on][sections.nope]=true", "sections.nope", "sections.on.sections.nope"],
    ["populate[sections][on][shared.seo]=true", "shared.seo", "sections.on.shared.seo"],
    ["populate[sections][on][sections.hero][populate]=nope", "nope", "nope"],
    ["populate[sections][populate]=image", "populate", "sections"],
    ["populate[sections][fields]=title", "fields", "sections"],
    ["populate=sections.nope", "nope", "sections.nope"],
    ["pagination[foo]=1", "foo", null],
  ];
  for (const [query, key, path] of cases) {
    it(`${query} names "${key}"`, () => {
      const param = query.slice(0, query.search(/[=[]/));
      expect(answerOf(refusal(query))).to.deep.equal(invalidKey(param, key, path));
    });
  }
});

describe("What is said of all entries of a list", () => {
  const noList =
    "it is about the entries of a list: a relation to many, several files, localizations or a repeatable component";
  const inGroup = "it stands directly below the list; write groups around the list";
  const cases: [query: string, key: string, path: string, problem: string][] = [
    ["filters[author][$none][name]=Ada", "$none", "author", noList],
    ["filters[seo][$every][metaTitle]=x", "$every", "seo", noList],
    ["filters[cover][$none]=1", "$none", "cover", noList],
    ["filters[categories][parent][$some][slug]=a", "$some", "categories.parent", noList],
    ["filters[categories][$or][0][$none][slug]=a", "$none", "categories", inGroup],
    ["filters[categories][$not][$some][slug]=a", "$some", "categories", inGroup],
    ["filters[categories][$none][$none][slug]=a", "$none", "categories", inGroup],
  ];
  for (const [query, key, path, problem] of cases) {
    it(`${query} is refused, with the place of the operator`, () => {
      expect(answerOf(refusal(query))).to.deep.equal({
        status: 400,
        name: "ValidationError",
        message: `Invalid operator ${key} at ${path}: ${problem}`,
        details: { key, path, source: "query", param: "filters", problem },
      });
    });
  }

  const shapes: [query: string | object, expected: string][] = [
    [{ filters: { categories: { $none: null } } }, "an object of conditions, an id or a list of ids"],
    ["filters[links][$none]=1", "an object of conditions"],
  ];
  for (const [query, expected] of shapes) {
    it(`${JSON.stringify(query)} needs ${expected}`, () => {
      const { status, message } = refusal(query);
      expect(status).to.equal(400);
      expect(message).to.match(new RegExp(`expected ${expected}$`, "u"));
    });
  }

  it("is an unknown name where nothing is related", () => {
    expect(answerOf(refusal("filters[$none][slug]=a"))).to.deep.equal(invalidKey("filters", "$none", null));
    expect(answerOf(refusal("filters[slug][$none]=a"))).to.deep.equal(invalidKey("filters", "$none", "slug"));
  });
});

describe("What the actor may not find", () => {
  const asPublic = { ability: publicAbility };

  it("cannot be filtered by, at any depth", () => {
    const answer = answerOf(refusal("filters[author][$null]=true", asPublic));
    expect(answer).to.deep.equal(invalidKey("filters", "author", "author"));
    const path = "categories.articles.author";
    const deep = answerOf(refusal("filters[categories][articles][author][name]=Ada", asPublic));
    expect(deep).to.deep.equal(invalidKey("filters", "author", path));
  });

  it("cannot be sorted by", () => {
    expect(answerOf(refusal("sort=author.name", asPublic))).to.deep.equal(invalidKey("sort", "author", "author"));
  });

  it("is left out of populate without a word, named or by *", () => {
    expect(read("populate=author", asPublic).query.selection.populate).to.deep.equal([]);
    const fields = read("populate=*", asPublic).query.selection.populate.map(({ field }) => field);
    expect(fields).to.include.members(["categories", "cover", "localizations"]).and.not.include("author");
  });
});

describe("A value that does not fit is refused", () => {
  const messages: [query: string, message: string][] = [
    [
      "filters[views][$eq]=abc",
      'views must be a `number` type, but the final value was: `NaN` (cast from the value `"abc"`).',
    ],
    ["filters[views]=99999999999", "views must be between -2147483648 and 2147483647"],
    ["filters[id]=x", 'id must be a `number` type, but the final value was: `NaN` (cast from the value `"x"`).'],
    ["filters[title]=%00", "title must not contain the NUL character"],
    ["filters[views][$between][0]=1", "Invalid filters, views, $between: expected a list of two values"],
    ["filters[views][$gt][0]=1&filters[views][$gt][1]=2", "Invalid filters, views, $gt: expected one value"],
    ["filters[rating][$null]=maybe", "Invalid filters, rating, $null: expected true or false"],
    ["filters[$or][slug]=a", "Invalid filters, $or: expected a list of objects of conditions"],
    ["filters[$and]=&filters[views]=1", "Invalid filters, $and: expected a list of objects of conditions"],
    ["filters=&filters[views]=1", "Invalid key 0"],
    [
      "filters[extra][$contains]=a",
      "Invalid operator $contains at extra: an attribute of kind json takes $eq, $ne, $null, $notNull",
    ],
    ["filters[seo]=1", "Invalid operator $eq at seo: an attribute of kind component takes $null, $notNull"],
    ["pagination=5", "Invalid pagination: expected an object"],
    ["pagination[pageSize]=abc", "Invalid pagination pageSize: expected a whole number"],
    ["pagination[page]=1.5", "Invalid pagination page: expected a whole number"],
    ["status=archived", 'Invalid status "archived": expected "draft" or "published"'],
    ["status[]=draft", 'Invalid status ["draft"]: expected "draft" or "published"'],
    ["locale[]=en&locale[]=fr", "Invalid locale: expected one text without NUL characters"],
    ["_q[]=a", "Invalid _q: expected one text without NUL characters"],
    [
      "publicationFilter=modified&hasPublishedVersion=true",
      "Use either publicationFilter or hasPublishedVersion, not both",
    ],
  ];
  for (const [query, message] of messages) {
    it(`${query}: ${message}`, () => {
      const error = refusal(query);
      expect([error.status, error.wireName, error.message]).to.deep.equal([400, "ValidationError", message]);
    });
  }

  const bare: [query: string, message: string, name?: string][] = [
    ["filters[eventAt]=notadate", "Invalid format, expected a timestamp or an ISO date"],
    ["filters=x", "The filters parameter must be an object or an array"],
    ["filters[startsAt][$eq]=notatime", "Invalid time format, expected HH:mm:ss.SSS"],
    ["sort=views:sideways", "Invalid order. order can only be one of asc|desc|ASC|DESC"],
    ["sort=views:desc:asc", "Invalid order. order can only be one of asc|desc|ASC|DESC"],
    ["pagination[withCount]=maybe", 'Invalid withCount parameter. Expected "t","1","true","false","0","f"'],
    [
      "hasPublishedVersion=maybe",
      "Invalid value for 'hasPublishedVersion'. Expected boolean or 'true'/'false' string.",
    ],
    [
      "pagination[page]=1&pagination[limit]=2",
      "Cannot use both page & offset pagination in the same query",
      "PaginationError",
    ],
    [
      "populate[author][on][sections.hero]=true",
      'Using fragments is not permitted to populate "author" in "api::article.article"',
    ],
  ];
  for (const [query, message, name = "ValidationError"] of bare) {
    it(`${query} is answered with empty details`, () => {
      expect(answerOf(refusal(query))).to.deep.equal({ status: 400, name, message, details: {} });
    });
  }

  it("an unknown publicationFilter is answered with the list of known ones", () => {
    const error = refusal("publicationFilter=nope");
    expect(error.message).to.match(
      /^Invalid value for 'publicationFilter'\. Expected one of: never-published, .*-draft\.$/,
    );
    expect(error.details).to.deep.equal({ source: "query", param: "publicationFilter" });
  });

  it("parameters deeper than 20 levels are refused, however they are written", () => {
    const deep = (n: number): object => (n === 0 ? { name: "x" } : { parent: deep(n - 1) });
    expect(refusal({ filters: deep(30) }, {}, "category").code).to.equal("PLINTH_QUERY_TOO_DEEP");
    expect(refusal(`sort=${"parent.".repeat(30)}name`, {}, "category").code).to.equal("PLINTH_QUERY_TOO_DEEP");
    expect(refusal(`populate=${"parent.".repeat(30)}parent`, {}, "category").code).to.equal("PLINTH_QUERY_TOO_DEEP");
  });

  it("a sort leads through one to-many relation, whatever its keys", () => {
    const error = refusal("sort=articles.categories.name", {}, "author");
    expect(error).to.include({ status: 400, code: "PLINTH_QUERY_SORT_STEPS" });
    expect(refusal("sort=categories.name,related.title").code).to.equal("PLINTH_QUERY_SORT_STEPS");
    const nested = { populate: { categories: { sort: ["articles.categories.name"] } } };
    expect(refusal(nested).code).to.equal("PLINTH_QUERY_SORT_STEPS");
    expect(read("sort=categories.name,author.name,categories.name").query.sort).to.have.length(2);
    expect(read("sort=articles.categories.name", { visibility: "code" }, "author").query.sort).to.have.length(1);
  });

  it("more conditions, listed values or populated attributes than a read may have are refused at once", () => {
    const many = (length: number) => Array.from({ length }, (_, i) => ({ title: `t${i}` }));
    const started = process.cpuUsage();
    for (const [input, what] of [
      [{ filters: { $or: many(40_000) } }, "conditions"],
      [{ filters: { $and: Array.from({ length: 40_000 }, () => ({})) } }, "conditions"],
      [
        { populate: { categories: { filters: { name: { $or: many(40_000).map(() => ({ $eq: "a" })) } } } } },
        "conditions",
      ],
      [{ sort: Array.from({ length: 40_000 }, () => "title") }, "conditions"],
      [{ filters: { title: { $in: many(40_000).map(({ title }) => title) } } }, "listValues"],
    ] as const) {
      const error = refusal(input);
      expect(error).to.include({ status: 400, code: "PLINTH_QUERY_TOO_MANY" });
      expect(error.details).to.include({ what });
    }
    expect(process.cpuUsage(started).user / 1000, "milliseconds of processor").to.be.below(1000);
    const budget = { ...PUBLIC_BUDGET, populated: 3 };
    expect(refusal("populate[categories][populate]=*&populate[author]=true", { budget }).details).to.deep.equal({
      what: "populated",
      param: "populate",
      limit: 3,
    });
    expect(read({ filters: { $or: many(1000) } }, { visibility: "code" }).query.filter).to.include({ op: "or" });
  });
});
