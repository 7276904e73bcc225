import { expect } from "chai";
import { changesOf } from "#plugins/admin/client/form/changes.js";
import { FormPeople, ownPath } from "#plugins/admin/client/form/form-people.js";
import { flatten } from "#plugins/admin/client/form/shape.js";
import { FormStore } from "#plugins/admin/client/form/store.js";
import { readEvents } from "#plugins/admin/client/live/read-events.js";
import { initialsOf } from "#plugins/admin/client/live/person-words.js";
import { compareItems, differing, restoreInto } from "#plugins/admin/client/screens/history/compare.js";
import { targetsIn, versionLeaves } from "#plugins/admin/client/screens/history/version-leaves.js";
import { attributes, entry, link, shapes } from "./form-model.js";

const quote = (id: number, text: string) => ({ __component: "sections.quote", id, text, stars: null, source: null });
const store = (more: object = {}) =>
  new FormStore(shapes, attributes, flatten(shapes, attributes, entry(more as never)));
const version = (data: object, names = { data: [], files: [] } as never, like = store().leaves) =>
  versionLeaves({ shapes, attributes, names, like }, { data, problems: [] } as never);

describe("a version and a form", () => {
  it("differ in what is another value, and not in what the version does not have", () => {
    const form = store();
    const read = version({ title: "Old", count: 1 }, undefined, form.leaves);
    const found = differing({ shapes, from: read.leaves, to: form.leaves }, attributes);
    expect(found.filter((name) => read.names.has(name))).to.deep.equal(["title"]);
  });

  it("have the same items by their ids, and by their places where a document got new ones", () => {
    const form = store({ sections: [quote(11, "a"), quote(12, "b")] });
    const byId = version({ sections: [quote(12, "b"), quote(11, "changed")] }, undefined, form.leaves);
    const items = compareItems({ shapes, from: byId.leaves, to: form.leaves }, "sections");
    expect(items.map(({ change, before, place }) => [change, before, place])).to.deep.equal([
      ["changed", 2, 1],
      ["moved", 1, 2],
    ]);
    const byPlace = version({ sections: [quote(1, "a"), quote(2, "b")] }, undefined, form.leaves);
    expect(differing({ shapes, from: byPlace.leaves, to: form.leaves }, attributes)).to.not.include("sections");
  });

  it("tell what came and went, at its place", () => {
    const form = store({ sections: [quote(11, "a"), quote(13, "new")] });
    const read = version({ sections: [quote(11, "a"), quote(12, "gone")] }, undefined, form.leaves);
    const sides = { shapes, from: read.leaves, to: form.leaves };
    expect(compareItems(sides, "sections").map(({ change }) => change)).to.deep.equal(["same", "removed", "added"]);
  });

  it("give a field back as a change, which can be taken back", () => {
    const form = store({ sections: [quote(11, "now")] });
    const read = version({ sections: [quote(11, "then"), quote(12, "removed since")] }, undefined, form.leaves);
    const undo = restoreInto(form, "sections", read.leaves);
    expect(changesOf(form)).to.deep.equal({
      sections: [
        { __component: "sections.quote", id: 11, text: "then" },
        { __component: "sections.quote", text: "removed since" },
      ],
    });
    undo();
    expect(changesOf(form)).to.deep.equal({});
  });

  it("name what is linked by what is there, and by its id where it has no name", () => {
    const data = { tags: [{ documentId: "blue" }, { documentId: "red" }], cover: { documentId: "file" } };
    expect(targetsIn(shapes, attributes, data)).to.deep.equal({
      documents: ["blue", "red"].map((documentId) => ({ uid: "api::tag.tag", documentId })),
      files: ["file"],
    });
    const { leaves } = version(data, { data: [{ ...link("blue"), title: "Blue" }], files: [] } as never);
    expect((leaves.get("tags") as { title: string }[]).map(({ title }) => title)).to.deep.equal(["Blue", "red"]);
    expect(leaves.get("cover")).to.equal(null);
  });
});

describe("people in a form", () => {
  const person = (field: string | null, locale: string | null = null) => ({
    ...{ id: 1, name: "Ada", account: "ada", tab: "t", locale, field },
  });

  it("are at the field that they are in, though its item has another key here", () => {
    const form = store();
    form.insert("sections", { key: "nabc", id: null, component: "sections.quote" }, 0);
    const [first] = form.itemsAt("sections");
    expect(ownPath(form.leaves, `sections.${first?.key}.text`)).to.equal(`sections.${first?.key}.text`);
    expect(ownPath(form.leaves, "sections.i999.text")).to.equal("sections");
    const leaves = new Map(form.leaves).set("sections", [{ key: "nabc", id: 7, component: "sections.quote" }]);
    expect(ownPath(leaves, "sections.i7.text")).to.equal("sections.nabc.text");
  });

  it("tell the fields that they enter and leave, and no others", () => {
    const people = new FormPeople();
    const told: string[] = [];
    for (const path of ["title", "count", ""]) people.subscribe(path, () => told.push(path));
    people.set([person("title")], new Map(), null);
    people.set([person("title")], new Map(), null);
    expect([told.splice(0), people.at("title").length, people.at("count").length]).to.deep.equal([["title", ""], 1, 0]);
    people.set([person("title", "fr")], new Map(), null);
    expect([people.at("title").length, people.all.length]).to.deep.equal([0, 1]);
    people.set([], new Map(), null);
    expect(people.all).to.deep.equal([]);
  });

  it("have initials in every writing", () => {
    expect(["Ada Lovelace", "editor", "  Jean  Paul Sartre ", "李 小龍", ""].map(initialsOf)).to.deep.equal([
      "AL",
      "E",
      "JS",
      "李小",
      "",
    ]);
  });
});

describe("a stream of events", () => {
  it("is read whole, however it is cut", async () => {
    const text = 'event: hello\ndata: {"a":1}\n\n:\n\nevent: change\ndata: {"title":"ä"}\n\nretry: 1200\n\n';
    const bytes = new TextEncoder().encode(text);
    for (const size of [1, 7, bytes.length]) {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let from = 0; from < bytes.length; from += size) controller.enqueue(bytes.slice(from, from + size));
          controller.close();
        },
      });
      const said: unknown[] = [];
      for await (const each of readEvents(body)) said.push(each);
      expect(said).to.deep.equal([
        { name: "hello", data: { a: 1 } },
        { name: "change", data: { title: "ä" } },
        { retry: 1200 },
      ]);
    }
  });
});
