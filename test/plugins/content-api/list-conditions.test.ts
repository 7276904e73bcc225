import { expect } from "chai";
import fc from "fast-check";
import qs from "qs";
import { eitherDatabase } from "../../databases.js";
import { serveGraphql } from "../graphql/serve-graphql.js";

const recipe = "api::recipe.recipe";
const tag = "api::tag.tag";
const localized = { i18n: { localized: true } };
const toMany = { type: "relation", relation: "manyToMany" };

const schemas = {
  contentTypes: [
    {
      uid: recipe,
      info: { singularName: "recipe", pluralName: "recipes", displayName: "Recipe" },
      options: { draftAndPublish: true },
      pluginOptions: localized,
      attributes: {
        title: { type: "string", pluginOptions: localized },
        tags: { ...toMany, target: tag, inversedBy: "recipes" },
        also: { ...toMany, target: recipe },
        best: { type: "relation", relation: "manyToOne", target: tag },
        steps: { type: "component", component: "kitchen.step", repeatable: true },
        first: { type: "component", component: "kitchen.step" },
      },
    },
    {
      uid: "api::note.note",
      info: { singularName: "note", pluralName: "notes", displayName: "Note" },
      attributes: { name: { type: "string" }, about: { ...toMany, target: recipe } },
    },
    {
      uid: tag,
      info: { singularName: "tag", pluralName: "tags", displayName: "Tag" },
      attributes: {
        name: { type: "string" },
        color: { type: "string" },
        // An attribute that has the name of an operator of GraphQL.
        every: { type: "integer" },
        recipes: { ...toMany, target: recipe, mappedBy: "tags" },
      },
    },
  ],
  components: [
    {
      uid: "kitchen.step",
      category: "kitchen",
      info: { displayName: "Step" },
      attributes: {
        text: { type: "string" },
        minutes: { type: "integer" },
        tools: { type: "relation", relation: "oneToMany", target: tag },
      },
    },
  ],
};

const users = {
  gardener: [`${recipe}.find`, { action: `${tag}.find`, where: { color: { $ne: "red" } } }],
  /** Reads and changes what has no tag A. */
  plain: [
    { action: `${recipe}.find`, where: { tags: { $none: { name: "A" } } } },
    { action: `${recipe}.update`, where: { tags: { $none: { name: "A" } } } },
    `${recipe}.publish`,
    `${recipe}.findDrafts`,
    `${tag}.find`,
  ],
  /** Changes what leads to nothing that is called so in the same version. */
  careful: [
    { action: `${recipe}.update`, where: { also: { $none: { title: "secret" } } } },
    `${recipe}.publish`,
    `${recipe}.find`,
    `${recipe}.findDrafts`,
  ],
};

interface Tag {
  readonly name: string | null;
  readonly color: string | null;
}
interface Step {
  readonly text: string;
  readonly minutes: number | null;
}
interface Recipe {
  readonly title: string;
  readonly tags: readonly number[];
  readonly steps: readonly Step[];
}

const TAGS: readonly Tag[] = [
  { name: "A", color: "red" },
  { name: "B", color: "green" },
  { name: "C", color: null },
  { name: null, color: "green" },
];
const steps = (...minutes: (number | null)[]): Step[] => minutes.map((value) => ({ text: "stir", minutes: value }));
const RECIPES: readonly Recipe[] = [
  { title: "bare", tags: [], steps: [] },
  { title: "a", tags: [0], steps: steps(1) },
  { title: "ab", tags: [0, 1], steps: steps(1, 5) },
  { title: "b", tags: [1], steps: steps(5, null) },
  { title: "bc", tags: [1, 2], steps: steps(null) },
  { title: "nameless", tags: [3, 1], steps: steps(7, 9) },
  { title: "all", tags: [0, 1, 2, 3], steps: steps(1, 2, 3) },
];

/** A condition on one entry, and which entries fulfil it: a comparison with null does not. */
type Condition<Entry> = readonly [filter: object, holds: (entry: Entry) => boolean];
const OF_TAG: readonly Condition<Tag>[] = [
  [{ name: { $eq: "A" } }, ({ name }) => name === "A"],
  [{ name: { $ne: "A" } }, ({ name }) => name !== null && name !== "A"],
  [{ not: { name: { $eq: "B" } } }, ({ name }) => name !== null && name !== "B"],
  [{ name: { $null: true } }, ({ name }) => name === null],
  [
    { color: { $in: ["red", "green"] }, name: { $notNull: true } },
    ({ name, color }) => color !== null && name !== null,
  ],
  [{ or: [{ name: { $eq: "C" } }, { color: { $eq: "red" } }] }, ({ name, color }) => name === "C" || color === "red"],
];
const OF_STEP: readonly Condition<Step>[] = [
  [{ minutes: { $gt: 4 } }, ({ minutes }) => minutes !== null && minutes > 4],
  [{ minutes: { $null: true } }, ({ minutes }) => minutes === null],
  [{ text: { $eq: "stir" } }, () => true],
];

const QUANTIFIERS = ["$some", "$none", "$every"] as const;
type Quantifier = (typeof QUANTIFIERS)[number];
const holdsFor = <Entry>(quantifier: Quantifier, entries: readonly Entry[], holds: (entry: Entry) => boolean) => {
  if (quantifier === "$every") return entries.every(holds);
  return entries.some(holds) === (quantifier === "$some");
};

type Question = readonly [filter: object, holds: (recipe: Recipe) => boolean];
const quantifier = fc.constantFrom(...QUANTIFIERS);
const simple: fc.Arbitrary<Question> = fc.oneof(
  fc.tuple(quantifier, fc.constantFrom(...OF_TAG)).map(
    ([word, [filter, holds]]): Question => [
      { tags: { [word]: filter } },
      ({ tags }) =>
        holdsFor(
          word,
          tags.flatMap((index) => TAGS[index] ?? []),
          holds,
        ),
    ],
  ),
  fc
    .tuple(quantifier, fc.constantFrom(...OF_STEP))
    .map(
      ([word, [filter, holds]]): Question => [
        { steps: { [word]: filter } },
        (each) => holdsFor(word, each.steps, holds),
      ],
    ),
);
const question: fc.Arbitrary<Question> = fc.oneof(
  simple,
  simple.map(([filter, holds]): Question => [{ not: filter }, (each) => !holds(each)]),
  fc
    .tuple(simple, simple)
    .map(
      ([[one, first], [two, second]]): Question => [
        { or: [one, { not: two }] },
        (each) => first(each) || !second(each),
      ],
    ),
);

/** The same filter in the words of REST, or of GraphQL. */
function spell(filter: unknown, sign: "$" | ""): unknown {
  if (Array.isArray(filter)) return filter.map((item) => spell(item, sign));
  if (typeof filter !== "object" || filter === null) return filter;
  const isWord = (key: string) => key.startsWith("$") || key === "not" || key === "or";
  const rename = (key: string) => (isWord(key) ? sign + key.replace("$", "") : key);
  return Object.fromEntries(Object.entries(filter).map(([key, value]) => [rename(key), spell(value, sign)]));
}

describe("What some, none or every entry of a list fulfils", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveGraphql(database, { schemas, users });
    const ids: string[] = [];

    const create = async (path: string, data: object): Promise<string> => {
      const { status, body } = await app().request("POST", `/api/${path}`, { body: { data } });
      expect(status, JSON.stringify(body)).to.equal(201);
      return body.data.documentId;
    };
    const ask = async (path: string, filters: object, token?: string): Promise<string[]> => {
      const query = qs.stringify({ filters }, { encodeValuesOnly: true });
      const sent = await app().request("GET", `/api/${path}?sort=id&${query}`, token === undefined ? {} : { token });
      expect(sent.status, JSON.stringify(sent.body)).to.equal(200);
      return sent.body.data.map(({ title, name }: { title?: string; name?: string }) => title ?? name);
    };

    before("write tags and recipes", async () => {
      for (const each of TAGS) ids.push(await create("tags", each));
      for (const each of RECIPES) await create("recipes", { ...each, tags: each.tags.map((index) => ids[index]) });
    });

    it("is the same over REST, GraphQL and from code as the words say, also below a negation", async () => {
      await fc.assert(
        fc.asyncProperty(question, async ([filter, holds]) => {
          const expected = RECIPES.filter(holds).map(({ title }) => title);
          const filters = spell(filter, "$") as Readonly<Record<string, unknown>>;
          expect(await ask("recipes", filters), `REST ${JSON.stringify(filters)}`).to.deep.equal(expected);
          const read = { filters, status: "published", sort: "id" } as const;
          const rows = await app().plinth.app.documents(recipe).findMany(read);
          expect(rows.map(({ title }) => title)).to.deep.equal(expected);
        }),
        { numRuns: 80 },
      );
    });

    it("is written in GraphQL without the sign", async () => {
      const query = 'query ($f: RecipeFiltersInput) { recipes(filters: $f, sort: "title") { title } }';
      const titles = async (filters: object) => {
        const { data, errors } = await app().send(query, { variables: { f: filters } });
        expect(errors).to.equal(undefined);
        return data.recipes.map(({ title }: { title: string }) => title);
      };
      await fc.assert(
        fc.asyncProperty(
          question.filter(([filter]) => !JSON.stringify(filter).includes('"tags":{"$every"')),
          async ([filter, holds]) => {
            const expected = RECIPES.filter(holds).map(({ title }) => title);
            expect(await titles(spell(filter, "") as object), JSON.stringify(filter)).to.deep.equal(expected.sort());
          },
        ),
        { numRuns: 40 },
      );
    });

    it("an attribute that is called as such an operator is the attribute over GraphQL", async () => {
      const { data, errors } = await app().send(
        '{ tags(filters: { every: { null: true }, name: { eq: "A" } }) { name every } }',
      );
      expect(errors).to.equal(undefined);
      expect(data.tags).to.deep.equal([{ name: "A", every: null }]);
      const below = await app().send('{ recipes(filters: { tags: { every: { name: { eq: "A" } } } }) { title } }');
      expect(below.errors?.[0]?.message).to.match(/"name" is not defined by type "IntFilterInput"/u);
    });

    it("takes ids of documents in place of conditions", async () => {
      expect(await ask("recipes", { tags: { $none: ids[0] } })).to.deep.equal(["bare", "b", "bc", "nameless"]);
      expect(await ask("recipes", { tags: { $none: [ids[0], ids[2]] } })).to.deep.equal(["bare", "b", "nameless"]);
      expect(await ask("recipes", { tags: { $every: [ids[0], ids[1]] } })).to.deep.equal(["bare", "a", "ab", "b"]);
    });

    it("stands beside conditions on one entry, and beside others of its kind", async () => {
      expect(await ask("recipes", { tags: { $none: { name: "A" }, name: "B" } })).to.deep.equal([
        "b",
        "bc",
        "nameless",
      ]);
      const both = { tags: { $some: { name: "A" }, $every: { color: { $notNull: true } } } };
      expect(await ask("recipes", both)).to.deep.equal(["a", "ab"]);
    });

    it("knows no entry where there is none, unlike a condition on some entry", async () => {
      expect(await ask("recipes", { tags: { name: { $null: true } } })).to.include("bare");
      expect(await ask("recipes", { tags: { $some: { name: { $null: true } } } })).to.deep.equal(["nameless", "all"]);
    });

    it("goes through lists in lists, and through the other side of a relation", async () => {
      await create("recipes", { title: "tooled", steps: [{ tools: [ids[0], ids[1]] }, { tools: [] }] });
      const titles = (filters: object) => ask("recipes", { title: "tooled", ...filters });
      expect(await titles({ steps: { $some: { tools: { $every: { name: "A" } } } } })).to.deep.equal(["tooled"]);
      expect(await titles({ steps: { $every: { tools: { $some: { name: "A" } } } } })).to.deep.equal([]);
      expect(await titles({ first: { tools: { $none: { name: "A" } } } })).to.deep.equal(["tooled"]);
      expect(await titles({ first: { tools: { $some: { name: "A" } } } })).to.deep.equal([]);
      expect(await ask("tags", { recipes: { $none: { title: "bc" } }, name: { $notNull: true } })).to.deep.equal(["A"]);
      expect(await ask("recipes", { tags: { $some: { recipes: { $none: { title: "bc" } } } } })).to.deep.equal([
        "a",
        "ab",
        "nameless",
        "all",
      ]);
    });

    it("finds what is not translated", async () => {
      const id = await create("recipes", { title: "translated" });
      await app().request("PUT", `/api/recipes/${id}?locale=fr`, { body: { data: { title: "traduit" } } });
      const untranslated = await ask("recipes", { localizations: { $none: { locale: "fr" } } });
      expect(untranslated).to.include("bare").and.not.include("translated");
      expect(await ask("recipes", { localizations: { $some: { locale: "fr" } } })).to.deep.equal(["translated"]);
    });

    it("looks at entries that the caller may see, and tells nothing of the others", async () => {
      const seen = (filters: object) => ask("recipes", filters, "gardener");
      expect(await seen({ tags: { $some: { name: "A" } } })).to.deep.equal([]);
      expect(await seen({ title: "a", tags: { $none: { name: { $notNull: true } } } })).to.deep.equal(["a"]);
      expect(await seen({ title: "ab", tags: { $every: { name: "B" } } })).to.deep.equal(["ab"]);
      const { status } = await app().request("GET", "/api/recipes?filters[tags][$none][name]=A", { token: "" });
      expect(status).to.equal(403);
    });

    it("looks at drafts where drafts are read, and at what is published elsewhere", async () => {
      const id = await create("recipes", { title: "changed", tags: [ids[0]] });
      await app().request("PUT", `/api/recipes/${id}?status=draft`, { body: { data: { tags: [ids[1]] } } });
      const titles = async (status: string) =>
        (
          await app().request(
            "GET",
            `/api/recipes?status=${status}&filters[title]=changed&filters[tags][$none][name]=A`,
          )
        ).body.data.length;
      expect([await titles("published"), await titles("draft")]).to.deep.equal([0, 1]);
    });

    it("is about the versions and the language that are shown, from a type that has neither", async () => {
      const about = await create("recipes", { title: "published" });
      await app().request("PUT", `/api/recipes/${about}?status=draft`, { body: { data: { title: "changed" } } });
      await app().request("PUT", `/api/recipes/${about}?locale=fr`, { body: { data: { title: "publié" } } });
      await create("notes", { name: "n", about: [about] });
      const found = async (query: string) => (await app().request("GET", `/api/notes?${query}`)).body.data.length;
      const every = (title: string, more = "") => found(`filters[about][$every][title]=${title}${more}`);
      expect(await every("published")).to.equal(1);
      expect(await every("changed")).to.equal(0);
      expect(await every("changed", "&status=draft")).to.equal(1);
      expect(await found("filters[about][$none][title]=changed")).to.equal(1);
      expect(await found("filters[about][$none][title]=publié")).to.equal(1);
      expect(await found("filters[about][title]=changed")).to.equal(1);
    });

    it("holds in the rules of roles, for reading and for what may be changed", async () => {
      const titles = async () => await ask("recipes", { title: { $in: ["a", "ab", "b", "bare"] } }, "plain");
      expect(await titles()).to.deep.equal(["bare", "b"]);
      const { body } = await app().request(
        "GET",
        "/api/recipes?filters[title][$in][]=a&filters[title][$in][]=b&sort=title",
      );
      const [withA, without] = body.data.map(({ documentId }: { documentId: string }) => documentId);
      const put = async (id: string, data: object) =>
        (await app().request("PUT", `/api/recipes/${id}`, { token: "plain", body: { data } })).status;
      expect(await put(withA, { title: "a" })).to.equal(404);
      expect(await put(without, { title: "b" })).to.equal(200);
      expect(await put(without, { tags: { connect: [ids[0]] } })).to.equal(403);
    });

    it("looks at the version of each row that a rule is asked about", async () => {
      const target = await create("recipes", { title: "secret" });
      await app().request("PUT", `/api/recipes/${target}?status=draft`, { body: { data: { title: "open" } } });
      const id = await create("recipes", { title: "leads there", also: [target] });
      const put = async (query: string) => {
        const body = { data: { title: "changed" } };
        return (await app().request("PUT", `/api/recipes/${id}${query}`, { token: "careful", body })).status;
      };
      expect([await put("?status=draft"), await put("")]).to.deep.equal([200, 404]);
    });

    it("chooses entries of a populated list as well", async () => {
      const populate = { tags: { filters: { recipes: { $none: { title: "bc" } } }, sort: "name", fields: ["name"] } };
      const query = qs.stringify({ filters: { title: "all" }, populate }, { encodeValuesOnly: true });
      const { body } = await app().request("GET", `/api/recipes?${query}`);
      expect(body.data[0].tags.map(({ name }: { name: string | null }) => name)).to.deep.equal(["A", null]);
    });

    it("is refused on a relation to one, with the operator and its place", async () => {
      const { status, body } = await app().request("GET", "/api/recipes?filters[best][$none][name]=A");
      expect([status, body.error.code, body.error.details.path]).to.deep.equal([
        400,
        "PLINTH_QUERY_LIST_OPERATOR",
        "best",
      ]);
      const { errors } = await app().send('{ tags(filters: { none: { name: { eq: "A" } } }) { name } }');
      expect(errors?.[0]?.message).to.equal("Invalid key $none");
    });
  });
});
