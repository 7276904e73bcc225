import { expect } from "chai";
import type { RawAttribute, RawContentType } from "#core/schema/raw.js";
import { eitherDatabase } from "../../databases.js";
import { serveCorpusTypes } from "../../corpus-app.js";

const uid = (name: string) => `api::${name}.${name}`;
const to = (relation: string, name: string, sides: RawAttribute = {}): RawAttribute => ({
  type: "relation",
  relation,
  target: uid(name),
  ...sides,
});
const type = (name: string, pluralName: string, draftAndPublish: boolean, attributes: RawContentType["attributes"]) =>
  ({
    uid: uid(name),
    info: { singularName: name, pluralName },
    options: { draftAndPublish },
    attributes,
  }) as RawContentType;

/** Stories and writers have drafts, labels have none; labels link to stories and back, stories to stories. */
const schemas = {
  contentTypes: [
    type("story", "stories", true, {
      title: { type: "string", required: true },
      writer: to("manyToOne", "writer", { inversedBy: "stories" }),
      cover: to("oneToOne", "writer"),
      labels: to("manyToMany", "label", { inversedBy: "stories" }),
      parent: to("manyToOne", "story", { inversedBy: "children" }),
      children: to("oneToMany", "story", { mappedBy: "parent" }),
      related: to("manyToMany", "story"),
      twin: to("oneToOne", "story"),
      box: { type: "component", component: "story.box" },
      parts: { type: "component", component: "story.box", repeatable: true },
    }),
    type("writer", "writers", true, {
      name: { type: "string", required: true },
      stories: to("oneToMany", "story", { mappedBy: "writer" }),
    }),
    type("label", "labels", false, {
      name: { type: "string" },
      stories: to("manyToMany", "story", { mappedBy: "labels" }),
      lead: to("manyToOne", "story"),
      others: to("manyToMany", "story"),
    }),
  ],
  components: [
    { uid: "story.box", attributes: { writer: to("oneToOne", "writer"), stories: to("oneToMany", "story") } },
  ],
};

type Entry = { readonly documentId: string } & Readonly<Record<string, unknown>>;

/** What an answer shows of a relation: names in a list, a name, or null. */
function namesIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(namesIn);
  if (typeof value !== "object" || value === null) return value ?? null;
  const { title, name } = value as Entry;
  return title ?? name;
}

describe("What users of other systems reported of drafts and relations", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveCorpusTypes(database, { schemas });

    const ask = async (method: string, path: string, data?: object): Promise<Entry> => {
      const { status, body } = await app().request(method, `/api${path}`, data ? { body: { data } } : {});
      expect(status, `${method} ${path}: ${JSON.stringify(body)}`).to.be.lessThan(300);
      return body.data as Entry;
    };
    const make = async (path: string, data: object, status: "draft" | "published" = "draft") =>
      (await ask("POST", `/${path}?status=${status}`, data)).documentId;
    const story = (title: string, data: object = {}, status?: "draft" | "published") =>
      make("stories", { title, ...data }, status);
    const writer = (name: string, data: object = {}, status?: "draft" | "published") =>
      make("writers", { name, ...data }, status);
    const label = (name: string, data: object = {}) => make("labels", { name, ...data }, "published");
    const act = (path: string, id: string, action: string) => ask("POST", `/${path}/${id}/actions/${action}`);
    const change = (path: string, id: string, data: object, status = "draft") =>
      ask("PUT", `/${path}/${id}?status=${status}`, data);
    /** The names that a relation shows in both versions. */
    const shown = async (path: string, id: string, relation: string) => {
      const read = async (status: string) => {
        const query = `status=${status}&populate[${relation}]=true`;
        const { body } = await app().request("GET", `/api/${path}/${id}?${query}`);
        return namesIn(body.data?.[relation]);
      };
      return { draft: await read("draft"), published: await read("published") };
    };
    const inBox = async (id: string, status: string) => {
      const populate = "populate[box][populate]=*&populate[parts][populate]=*";
      const { box, parts } = await ask("GET", `/stories/${id}?status=${status}&${populate}`);
      return [box, ...((parts as unknown[]) ?? [])].map((part) => {
        const { writer: one, stories } = part as Record<string, unknown>;
        return [namesIn(one), namesIn(stories)];
      });
    };

    it("a story published before its writer shows the writer as soon as the writer is published", async () => {
      const ada = await writer("Ada");
      const id = await story("One", { writer: ada, cover: ada }, "published");
      expect(await shown("stories", id, "writer")).to.deep.equal({ draft: "Ada", published: null });
      await act("writers", ada, "publish");
      for (const relation of ["writer", "cover"])
        expect(await shown("stories", id, relation)).to.deep.equal({ draft: "Ada", published: "Ada" });
      expect(await shown("writers", ada, "stories")).to.deep.equal({ draft: ["One"], published: ["One"] });
    });

    it("the same inside of components and lists of them", async () => {
      const ada = await writer("Ada");
      const later = await story("Later");
      const content = { writer: ada, stories: [later] };
      const id = await story("Boxes", { box: content, parts: [content] }, "published");
      expect(await inBox(id, "published")).to.deep.equal([
        [null, []],
        [null, []],
      ]);
      await act("writers", ada, "publish");
      await act("stories", later, "publish");
      const all = [
        ["Ada", ["Later"]],
        ["Ada", ["Later"]],
      ];
      expect(await inBox(id, "published")).to.deep.equal(all);
      await act("writers", ada, "unpublish");
      await act("writers", ada, "publish");
      await act("stories", later, "publish");
      expect(await inBox(id, "published")).to.deep.equal(all);
      expect(await inBox(id, "draft")).to.deep.equal(all);
    });

    it("a target that is published, unpublished and published again is still linked, in its place", async () => {
      const [first, second, third] = [await story("First"), await story("Second"), await story("Third")];
      const id = await story("List", { related: [third, first, second], twin: first }, "published");
      for (const target of [first, second, third]) await act("stories", target, "publish");
      await act("stories", first, "unpublish");
      expect(await shown("stories", id, "related")).to.deep.equal({
        draft: ["Third", "First", "Second"],
        published: ["Third", "Second"],
      });
      expect((await shown("stories", id, "twin")).published).to.equal(null);
      await act("stories", first, "publish");
      await change("stories", third, { title: "Third" }, "published");
      const order = ["Third", "First", "Second"];
      expect(await shown("stories", id, "related")).to.deep.equal({ draft: order, published: order });
      expect((await shown("stories", id, "twin")).published).to.equal("First");
    });

    it("the owner can be unpublished and published again as well", async () => {
      const ada = await writer("Ada", {}, "published");
      const news = await label("News");
      const id = await story("One", { writer: ada, labels: [news] }, "published");
      await act("stories", id, "unpublish");
      expect(await shown("writers", ada, "stories")).to.deep.equal({ draft: ["One"], published: [] });
      expect(await shown("labels", news, "stories")).to.deep.equal({ draft: ["One"], published: [] });
      await act("stories", id, "publish");
      expect(await shown("writers", ada, "stories")).to.deep.equal({ draft: ["One"], published: ["One"] });
      expect(await shown("labels", news, "stories")).to.deep.equal({ draft: ["One"], published: ["One"] });
    });

    it("discarding a draft brings all its relations back, their order included", async () => {
      const [ada, ben] = [await writer("Ada", {}, "published"), await writer("Ben", {}, "published")];
      const [a, b, c] = [await label("A"), await label("B"), await label("C")];
      const other = await story("Other", {}, "published");
      const before = { writer: ada, labels: [c, a], related: [other], box: { writer: ada, stories: [other] } };
      const id = await story("One", before, "published");
      const after = { writer: ben, labels: [a, b], related: [], box: { writer: ben } };
      await change("stories", id, after);
      expect(await shown("stories", id, "labels")).to.deep.equal({ draft: ["A", "B"], published: ["C", "A"] });
      await act("stories", id, "discard-draft");
      const both = (value: unknown) => ({ draft: value, published: value });
      expect(await shown("stories", id, "labels")).to.deep.equal(both(["C", "A"]));
      expect(await shown("stories", id, "writer")).to.deep.equal(both("Ada"));
      expect(await shown("stories", id, "related")).to.deep.equal(both(["Other"]));
      expect((await inBox(id, "draft"))[0]).to.deep.equal(["Ada", ["Other"]]);
      expect(await shown("writers", ben, "stories")).to.deep.equal(both([]));
      expect(await shown("labels", b, "stories")).to.deep.equal(both([]));
    });

    it("a story can link to itself, and keeps doing so", async () => {
      const id = await story("Self");
      await change("stories", id, { parent: id, related: [id], twin: id, box: { stories: [id] } });
      const expectSelf = async (isPublished: boolean) => {
        const both = (value: unknown, nothing: unknown) => ({ draft: value, published: isPublished ? value : nothing });
        expect(await shown("stories", id, "parent")).to.deep.equal(both("Self", null));
        expect(await shown("stories", id, "children")).to.deep.equal(both(["Self"], null));
        expect(await shown("stories", id, "related")).to.deep.equal(both(["Self"], null));
        expect(await shown("stories", id, "twin")).to.deep.equal(both("Self", null));
      };
      await expectSelf(false);
      await act("stories", id, "publish");
      await expectSelf(true);
      await act("stories", id, "publish");
      await act("stories", id, "discard-draft");
      await expectSelf(true);
      await act("stories", id, "unpublish");
      await expectSelf(false);
      await act("stories", id, "publish");
      await expectSelf(true);
      expect((await inBox(id, "published"))[0]).to.deep.equal([null, ["Self"]]);
    });

    it("stories that are each other's parent can be published in any order", async () => {
      const left = await story("Left");
      const right = await story("Right", { parent: left });
      await change("stories", left, { parent: right });
      for (const id of [right, left, left, right]) await act("stories", id, "publish");
      for (const [id, name] of [
        [left, "Right"],
        [right, "Left"],
      ] as const) {
        expect(await shown("stories", id, "parent")).to.deep.equal({ draft: name, published: name });
        expect(await shown("stories", id, "children")).to.deep.equal({ draft: [name], published: [name] });
      }
    });

    it("a label, which has no drafts, links to a draft: it shows once the story is published", async () => {
      const id = await story("One");
      const other = await story("Two", {}, "published");
      const news = await label("News", { lead: id, others: [id, other] });
      expect(await shown("labels", news, "lead")).to.deep.equal({ draft: "One", published: null });
      expect(await shown("labels", news, "others")).to.deep.equal({ draft: ["One", "Two"], published: ["Two"] });
      await act("stories", id, "publish");
      await act("stories", id, "unpublish");
      await act("stories", id, "publish");
      expect(await shown("labels", news, "lead")).to.deep.equal({ draft: "One", published: "One" });
      expect(await shown("labels", news, "others")).to.deep.equal({ draft: ["One", "Two"], published: ["One", "Two"] });
    });

    it("a story's draft links to a label at once, its published version when it is published", async () => {
      const news = await label("News");
      const id = await story("One", {}, "published");
      await change("stories", id, { labels: { connect: [news] } });
      expect(await shown("labels", news, "stories")).to.deep.equal({ draft: ["One"], published: [] });
      await act("stories", id, "publish");
      await change("labels", news, { name: "News!" }, "published");
      expect(await shown("labels", news, "stories")).to.deep.equal({ draft: ["One"], published: ["One"] });
      expect(await shown("stories", id, "labels")).to.deep.equal({ draft: ["News!"], published: ["News!"] });
    });

    it("a two-way link is the same from either side, whichever wrote it", async () => {
      const id = await story("One", {}, "published");
      const other = await story("Two", {}, "published");
      const ada = await writer("Ada", { stories: [other, id] }, "published");
      expect(await shown("stories", id, "writer")).to.deep.equal({ draft: "Ada", published: "Ada" });
      expect(await shown("writers", ada, "stories")).to.deep.equal({
        draft: ["Two", "One"],
        published: ["Two", "One"],
      });
      await change("stories", id, { writer: null }, "published");
      expect(await shown("writers", ada, "stories")).to.deep.equal({ draft: ["Two"], published: ["Two"] });
      const news = await label("News", { stories: [id] });
      expect(await shown("stories", id, "labels")).to.deep.equal({ draft: ["News"], published: ["News"] });
      await change("stories", id, { labels: { disconnect: [news] } }, "published");
      expect(await shown("labels", news, "stories")).to.deep.equal({ draft: [], published: [] });
    });

    it("a deleted target is gone from drafts, published versions and components, and nothing else is", async () => {
      const [ada, ben] = [await writer("Ada", {}, "published"), await writer("Ben", {}, "published")];
      const other = await story("Other", {}, "published");
      const id = await story(
        "One",
        { writer: ada, related: [other], box: { writer: ada, stories: [other] } },
        "published",
      );
      await ask("DELETE", `/writers/${ada}`);
      expect(await shown("stories", id, "writer")).to.deep.equal({ draft: null, published: null });
      expect(await shown("stories", id, "related")).to.deep.equal({ draft: ["Other"], published: ["Other"] });
      expect((await inBox(id, "published"))[0]).to.deep.equal([null, ["Other"]]);
      await change("stories", id, { writer: ben }, "published");
      expect(await shown("writers", ben, "stories")).to.deep.equal({ draft: ["One"], published: ["One"] });
    });
  });
});
