import { EditorSelection, EditorState, type StateCommand } from "@codemirror/state";
import { expect } from "chai";
import fc from "fast-check";
import { changeBetween } from "#plugins/admin/client/editors/code/change-between.js";
import { formatJson, jsonProblem } from "#plugins/admin/client/editors/code/json-text.js";
import { lineBreakOf, withLineBreak } from "#plugins/admin/client/editors/code/line-breaks.js";
import {
  continueLine,
  insertImage,
  insertLink,
  nextHeading,
  toggleAround,
  toggleCode,
  toggleLines,
} from "#plugins/admin/client/editors/code/markdown-commands.js";

/** Runs commands on a text, in which `⟦` and `⟧` are the ends of the selection; so is what comes of it. */
function edited(marked: string, ...commands: readonly StateCommand[]): string {
  const [from, to] = [marked.indexOf("⟦"), marked.indexOf("⟧") - 1];
  let state = EditorState.create({
    doc: marked.replace(/[⟦⟧]/g, ""),
    selection: EditorSelection.single(from, to < 0 ? from : to),
  });
  for (const command of commands)
    command({
      state,
      dispatch: (tr) => {
        state = tr.state;
      },
    });
  const { from: start, to: end } = state.selection.main;
  const text = state.sliceDoc();
  return `${text.slice(0, start)}⟦${text.slice(start, end)}⟧${text.slice(end)}`;
}

describe("The bar of Markdown", () => {
  it("puts signs around what is selected, and takes them away again", () => {
    expect(edited("a ⟦b⟧ c", toggleAround("**"))).to.equal("a **⟦b⟧** c");
    expect(edited("a ⟦b⟧ c", toggleAround("**"), toggleAround("**"))).to.equal("a ⟦b⟧ c");
    expect(edited("a **⟦b⟧** c", toggleAround("*"))).to.equal("a ***⟦b⟧*** c");
    expect(edited("⟦⟧", toggleAround("*"))).to.equal("*⟦⟧*");
  });

  it("goes through the levels of a heading", () => {
    const steps = [1, 2, 3, 4, 5].map((count) => edited("a⟦⟧", ...Array.from({ length: count }, () => nextHeading)));
    expect(steps).to.deep.equal(["## a⟦⟧", "### a⟦⟧", "#### a⟦⟧", "# a⟦⟧", "a⟦⟧"]);
  });

  it("makes lists and quotes of lines, of one another, and lines again", () => {
    expect(edited("⟦a\nb⟧", toggleLines("- "))).to.equal("- ⟦a\n- b⟧");
    expect(edited("- ⟦a\n- b⟧", toggleLines("1. "))).to.equal("1. ⟦a\n2. b⟧");
    expect(edited("1. ⟦a\n2. b⟧", toggleLines("1. "))).to.equal("⟦a\nb⟧");
    expect(edited("⟦- a\n\n  b⟧", toggleLines("> "))).to.equal("> ⟦- a\n\n>   b⟧");
    expect(edited("> ⟦a⟧", toggleLines("> "))).to.equal("⟦a⟧");
  });

  it("marks code within a line and over lines, and writes links and pictures", () => {
    expect(edited("a ⟦b⟧", toggleCode)).to.equal("a `⟦b⟧`");
    expect(edited("⟦a\nb⟧", toggleCode)).to.equal("```\n⟦a\nb⟧\n```");
    expect(edited("⟦site⟧", insertLink)).to.equal("[site](⟦⟧)");
    expect(edited("⟦https://a.example⟧", insertLink)).to.equal("[⟦⟧](https://a.example)");
    expect(edited("⟦hill⟧", insertImage("/a b.png"))).to.equal("![⟦hill⟧](</a b.png>)");
  });

  it("by Enter goes on with a list or a quote, and ends it in an empty item", () => {
    expect(edited("- a⟦⟧", continueLine)).to.equal("- a\n- ⟦⟧");
    expect(edited("  9. a⟦⟧", continueLine)).to.equal("  9. a\n  10. ⟦⟧");
    expect(edited("> - [x] a⟦⟧", continueLine)).to.equal("> - [x] a\n> - [ ] ⟦⟧");
    expect(edited("x\n- ⟦⟧", continueLine)).to.equal("x\n⟦⟧");
    expect(edited("a⟦⟧", continueLine)).to.equal("a⟦⟧");
  });
});

describe("A text in the editor of code", () => {
  const text = fc
    .array(fc.constantFrom("a", "\n", "\r\n", "\r", "b", "😀", "\u2028"), { maxLength: 12 })
    .map((parts) => parts.join(""));

  it("stays as it is byte by byte, whatever line breaks it has", () => {
    fc.assert(
      fc.property(text, (value) => {
        const extensions = [EditorState.lineSeparator.of(lineBreakOf(value))];
        expect(EditorState.create({ doc: value, extensions }).sliceDoc()).to.equal(value);
      }),
      { numRuns: 1_000 },
    );
  });

  it("gets the line breaks that it has from what is pasted", () => {
    expect(lineBreakOf("a\r\nb")).to.equal("\r\n");
    expect([lineBreakOf("a\r\nb\nc"), lineBreakOf("a\rb\r\n"), lineBreakOf("a"), lineBreakOf("\n")]).to.deep.equal([
      "\n",
      "\n",
      "\n",
      "\n",
    ]);
    expect(withLineBreak("a\nb\r\nc\rd", "\r\n")).to.equal("a\r\nb\r\nc\r\nd");
  });

  it("that is set from outside replaces the part that differs", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const extensions = [EditorState.lineSeparator.of("\n")];
        const state = EditorState.create({ doc: before, extensions });
        expect(state.update({ changes: changeBetween(before, after) }).state.sliceDoc()).to.equal(after);
      }),
      { numRuns: 1_000 },
    );
    expect(changeBetween("one two three", "one 2 three")).to.deep.equal({ from: 4, to: 7, insert: "2" });
  });
});

describe("A text of JSON", () => {
  it("says the line and the column at which it is wrong", () => {
    const at = (value: string) => {
      const problem = jsonProblem(value);
      return problem && [problem.line, problem.column, problem.found];
    };
    expect(at('{"a": 1}')).to.equal(undefined);
    expect(at("  \n")).to.equal(undefined);
    expect(at('{\n  "a": 1,\n  b: 2\n}')).to.deep.equal([3, 3, "b:"]);
    expect(at('{"a": 1,}')).to.deep.equal([1, 9, "}"]);
    expect(at('{"a": [1, 2')).to.deep.equal([1, 12, ""]);
    expect(at("nope")).to.deep.equal([1, 1, "nope"]);
  });

  it("is laid out in lines without a change of its tokens", () => {
    const source =
      '{"big":12345678901234567890,"e":1.0E+2,"s":"a\\u00e9\\" {x: [1,2]}","l":[1,{"a":null}],"none":[],"no":{ }}';
    expect(formatJson(source, "\n").split("\n")).to.deep.equal([
      "{",
      '  "big": 12345678901234567890,',
      '  "e": 1.0E+2,',
      '  "s": "a\\u00e9\\" {x: [1,2]}",',
      '  "l": [',
      "    1,",
      "    {",
      '      "a": null',
      "    }",
      "  ],",
      '  "none": [],',
      '  "no": {}',
      "}",
    ]);
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        expect(formatJson(JSON.stringify(value), "\n")).to.equal(JSON.stringify(value, undefined, 2));
      }),
      { numRuns: 300 },
    );
  });
});
