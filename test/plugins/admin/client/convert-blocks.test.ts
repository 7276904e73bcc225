import { expect } from "chai";
import fc from "fast-check";
import { EditorState } from "prosemirror-state";
import { documentOf, isEmpty, blocksOf } from "#plugins/admin/client/editors/blocks/convert.js";
import { schema } from "#plugins/admin/client/editors/blocks/schema.js";
import { blocks } from "./blocks.js";

const RUNS = 3_000;

/** The same document, of nodes that nothing is remembered of. */
const forgotten = (value: readonly unknown[]) => schema.nodeFromJSON(documentOf(value).toJSON());

describe("Blocks in the editor", () => {
  it("come out as the identical objects when nothing was changed", () => {
    fc.assert(
      fc.property(blocks, (value) => {
        const result = blocksOf(documentOf(value), null);
        expect(result).to.have.length(value.length);
        for (const [index, block] of value.entries()) expect(result?.[index]).to.equal(block);
      }),
      { numRuns: RUNS },
    );
  });

  it("keep every key and every unknown node when they are written anew", () => {
    fc.assert(
      fc.property(blocks, (value) => {
        const doc = forgotten(value);
        doc.check();
        expect(blocksOf(doc, null)).to.deep.equal(isEmpty(doc) ? null : value);
      }),
      { numRuns: RUNS },
    );
  });

  it("keep all other blocks as they are when one is changed", () => {
    fc.assert(
      fc.property(blocks, blocks, fc.nat(), (before, after, at) => {
        const value = [...before, { type: "paragraph", id: 7, children: [{ type: "text", text: "old" }] }, ...after];
        const start = documentOf(before).content.size + 1;
        const changed = EditorState.create({ doc: documentOf(value) }).tr.insertText("new", start + (at % 4));
        const result = blocksOf(changed.doc, null) as readonly unknown[];
        for (const [index, block] of value.entries())
          if (index !== before.length) expect(result[index]).to.equal(block);
        const text = [..."old"].toSpliced(at % 4, 0, "new").join("");
        expect(result[before.length]).to.deep.equal({ type: "paragraph", id: 7, children: [{ type: "text", text }] });
      }),
      { numRuns: 300 },
    );
  });

  it("of a changed list keep the items that were not changed", () => {
    const item = (text: string) => ({ type: "list-item", children: [{ type: "text", text }] });
    const nested = { type: "list", format: "ordered", indentLevel: 1, children: [item("b")] };
    const list = { type: "list", format: "unordered", children: [item("a"), nested, item("c")] };
    const changed = EditorState.create({ doc: documentOf([list]) }).tr.insertText("!", 3);
    const [result] = blocksOf(changed.doc, null) as [typeof list];
    expect(result.children[0]).to.deep.equal(item("a!"));
    expect(result.children[1]).to.equal(nested);
    expect(result.children[2]).to.equal(list.children[2]);
  });

  it("that were read a second time are the same nodes, so that the screen keeps them", () => {
    const value = [{ type: "paragraph", children: [{ type: "text", text: "a" }] }];
    expect(documentOf([...value]).child(0)).to.equal(documentOf(value).child(0));
  });

  it("stay null, or no blocks, where nothing was typed", () => {
    expect(isEmpty(documentOf(null))).to.equal(true);
    expect(blocksOf(documentOf(null), null)).to.equal(null);
    expect(blocksOf(documentOf([]), [])).to.deep.equal([]);
    const empty = [{ type: "paragraph", children: [{ type: "text", text: "" }] }];
    expect(blocksOf(documentOf(empty), null)).to.deep.equal(empty);
  });

  it("with a text between two links lose neither the links nor their keys", () => {
    const text = (words: string) => ({ type: "text", text: words });
    const link = (url: string) => ({
      type: "link",
      url,
      rel: "nofollow",
      children: [text("go"), { ...text("!"), bold: true }],
    });
    const value = [{ type: "paragraph", children: [link("/a"), link("/b"), text(" and "), link("/a")] }];
    expect(blocksOf(forgotten(value), null)).to.deep.equal(value);
  });
});
