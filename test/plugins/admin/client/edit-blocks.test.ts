import { expect } from "chai";
import fc from "fast-check";
import { type Command, EditorState, TextSelection } from "prosemirror-state";
import { parseBlocks } from "#core/schema/parse-blocks.js";
import { moveBlock, setKind } from "#plugins/admin/client/editors/blocks/block-commands.js";
import { blocksOf, documentOf } from "#plugins/admin/client/editors/blocks/convert.js";
import { completeUrl, linkRange, removeLink, setLink } from "#plugins/admin/client/editors/blocks/link-commands.js";
import {
  indent,
  leaveList,
  outdent,
  splitItem,
  toggleList,
} from "#plugins/admin/client/editors/blocks/list-commands.js";
import { replaceDocument } from "#plugins/admin/client/editors/blocks/replace-document.js";
import { isLinkUrl, isSafeUrl } from "#plugins/admin/client/editors/blocks/schema.js";
import { blocks } from "./blocks.js";

const text = (words: string) => ({ type: "text", text: words });
const paragraph = (words: string) => ({ type: "paragraph", children: [text(words)] });
const item = (words: string) => ({ type: "list-item", children: [text(words)] });
const list = (format: string, ...children: readonly object[]) => ({ type: "list", format, children });
const nested = (format: string, ...children: readonly object[]) => ({ type: "list", format, indentLevel: 1, children });

/** A state with a selection from a text to another one, or the cursor at the end of a text. */
function stateOf(value: readonly unknown[], from: string, to = from): EditorState {
  const doc = documentOf(value);
  const ends = [from, to].map((words) => {
    let at = -1;
    doc.descendants((node, pos) => {
      if (node.text?.includes(words)) at = pos + node.text.indexOf(words) + words.length;
    });
    return at;
  }) as [number, number];
  return EditorState.create({ doc, selection: TextSelection.create(doc, ...ends) });
}

function run(state: EditorState, ...commands: readonly Command[]): EditorState {
  let current = state;
  for (const command of commands)
    command(current, (tr) => {
      current = current.apply(tr);
    });
  current.doc.check();
  return current;
}

const after = (state: EditorState, ...commands: readonly Command[]) => blocksOf(run(state, ...commands).doc, null);

/** The text before the cursor, in its block. */
const before = ({ selection: { $head } }: EditorState) => $head.parent.textBetween(0, $head.parentOffset);

describe("An edit of blocks", () => {
  it("by Tab puts an item below the one before it, and by Shift-Tab takes it out again", () => {
    const value = [list("ordered", item("a"), item("b"), nested("ordered", item("c")), item("d"))];
    const deeper = run(stateOf(value, "b"), indent);
    expect(blocksOf(deeper.doc, null)).to.deep.equal([
      list("ordered", item("a"), nested("ordered", item("b"), item("c")), item("d")),
    ]);
    expect(before(deeper)).to.equal("b");
    expect(after(deeper, outdent)).to.deep.equal(value);
    expect(after(stateOf(value, "a"), indent)).to.deep.equal(value);
    expect(after(stateOf(value, "d"), outdent)).to.deep.equal(value);
  });

  it("takes an item out of its lists, which fall apart around it", () => {
    const value = [list("unordered", item("a"), nested("ordered", item("b"), item("c")), item("d"))];
    const left = run(stateOf(value, "b"), leaveList);
    expect(blocksOf(left.doc, null)).to.deep.equal([
      list("unordered", item("a")),
      paragraph("b"),
      list("unordered", nested("ordered", item("c")), item("d")),
    ]);
    expect(before(left)).to.equal("b");
  });

  it("makes a list of paragraphs, another list of that, and paragraphs again, with the selection where it was", () => {
    const value = [paragraph("a"), paragraph("b"), paragraph("c")];
    const made = run(stateOf(value, "a", "b"), toggleList("ordered"));
    expect(blocksOf(made.doc, null)).to.deep.equal([list("ordered", item("a"), item("b")), paragraph("c")]);
    expect(after(made, toggleList("unordered"))).to.deep.equal([
      list("unordered", item("a"), item("b")),
      paragraph("c"),
    ]);
    const back = run(made, toggleList("ordered"));
    expect(blocksOf(back.doc, null)).to.deep.equal(value);
    expect([back.selection.$from.parent.textContent, back.selection.$to.parent.textContent]).to.deep.equal(["a", "b"]);
  });

  it("by Enter makes another item, and in an empty one leaves the list", () => {
    const split = run(stateOf([list("ordered", item("a"))], "a"), splitItem);
    expect(blocksOf(split.doc, null)).to.deep.equal([list("ordered", item("a"), item(""))]);
    expect(after(split, splitItem)).to.deep.equal([list("ordered", item("a")), paragraph("")]);
  });

  it("to another kind keeps the keys of the block, and takes an item out of its list", () => {
    const value = [{ ...paragraph("a"), id: 7 }, list("ordered", item("b"))];
    expect(after(stateOf(value, "a"), setKind("heading3"))).to.deep.equal([
      { type: "heading", level: 3, id: 7, children: [text("a")] },
      value[1],
    ]);
    expect(after(stateOf(value, "b"), setKind("quote"))).to.deep.equal([
      value[0],
      { type: "quote", children: [text("b")] },
    ]);
  });

  it("moves blocks, and items of a list, whose objects stay the same", () => {
    const value = [paragraph("a"), list("ordered", item("b"), item("c")), paragraph("d")] as const;
    const moved = after(stateOf(value, "a"), moveBlock(1)) as readonly unknown[];
    for (const [index, block] of [value[1], value[0], value[2]].entries()) expect(moved[index]).to.equal(block);
    expect(after(stateOf(value, "c"), moveBlock(-1))).to.deep.equal([
      value[0],
      list("ordered", item("c"), item("b")),
      value[2],
    ]);
    expect(after(stateOf(value, "b"), moveBlock(-1))).to.deep.equal([value[1], value[0], value[2]]);
    expect(after(stateOf(value, "d"), moveBlock(1))).to.deep.equal(value);
  });

  it("sets and takes away the whole link around the cursor, with its keys", () => {
    const link = { type: "link", url: "/a", rel: "nofollow", children: [text("go "), { ...text("now"), bold: true }] };
    const state = stateOf([{ type: "paragraph", children: [text("x "), link, text(" y")] }], "g");
    expect(after(state, setLink("example.com", linkRange(state)))).to.deep.equal([
      { type: "paragraph", children: [text("x "), { ...link, url: "https://example.com" }, text(" y")] },
    ]);
    expect(after(state, removeLink(linkRange(state)))).to.deep.equal([
      { type: "paragraph", children: [text("x go "), { ...text("now"), bold: true }, text(" y")] },
    ]);
  });

  it("shows no link of stored blocks that a browser would run as a script", () => {
    const scripts = [
      "javascript:x",
      "java\tscript:x",
      "java\nscript:x",
      "\u0001 JavaScript:x",
      "vb\rscript:x",
      "data:,x",
    ];
    expect(scripts.filter(isSafeUrl)).to.deep.equal([]);
    const links = ["https://a.example", "/javascript:x", "#data:x", "about", "mailto:a@b.example", "https://"];
    expect(links.filter(isSafeUrl)).to.deep.equal(links);
  });

  it("refuses addresses that are scripts, and completes those that lack a scheme", () => {
    const urls = [
      "javascript:alert(1)",
      " JAVA\u0000SCRIPT:x",
      "data:text/html,x",
      "",
      "a@b.example",
      "b.example/c",
      "/d",
      "#e",
      "mailto:x",
    ];
    expect(urls.slice(0, 1).concat(urls.slice(2, 4)).map(completeUrl)).to.deep.equal([undefined, undefined, undefined]);
    expect(urls.slice(4).map(completeUrl)).to.deep.equal([
      "mailto:a@b.example",
      "https://b.example/c",
      "/d",
      "#e",
      "mailto:x",
    ]);
  });
});

describe("An address of a link", () => {
  it("is taken by the editor where the server takes it, and by no other", () => {
    const urls = [
      ...[
        "https://a.example",
        "HTTP://a.example/b?c#d",
        "ftp://a.example",
        "mailto:a@b.example",
        "tel:+123",
        "/d",
        "#e",
      ],
      ...["about", "page.html", "../up", "?q=1", "https:", "https://", "sms:1", "javascript:alert(1)", "data:,x", " "],
    ];
    const takenByServer = (url: string) => {
      const block = { type: "paragraph", children: [{ type: "link", url, children: [{ type: "text", text: "x" }] }] };
      return !parseBlocks([block], { path: [], use: "body" }).problems;
    };
    for (const url of urls) expect(isLinkUrl(url), url).to.equal(takenByServer(url));
    expect(urls.filter(isLinkUrl)).to.have.length(7);
  });
});

describe("A value of blocks that is set from outside", () => {
  it("is what the editor shows then, whatever was there before", () => {
    fc.assert(
      fc.property(blocks, blocks, blocks, (shared, one, two) => {
        const [old, next] = [
          [...shared, ...one, ...shared],
          [...shared, ...two, ...shared],
        ];
        const state = EditorState.create({ doc: documentOf(old) });
        const tr = replaceDocument(state, documentOf(next));
        const doc = tr?.doc ?? state.doc;
        doc.check();
        expect(blocksOf(doc, null)).to.deep.equal(next);
      }),
      { numRuns: 300 },
    );
  });

  it("keeps the cursor in its block, also where that stands elsewhere now", () => {
    const value = [paragraph("alpha"), paragraph("beta"), paragraph("gamma")] as const;
    const state = stateOf(value, "bet");
    const tr = replaceDocument(state, documentOf([paragraph("new"), value[0], value[1], paragraph("other")]));
    expect(before(state.apply(tr!))).to.equal("bet");
    expect(replaceDocument(state, documentOf([...value]))).to.equal(undefined);
  });
});
