import { expect } from "chai";
import { documentOf } from "#plugins/admin/client/editors/blocks/convert.js";
import { blocksOfHtml } from "#plugins/admin/client/editors/blocks/pasted-html.js";
import { treeOf } from "./html-nodes.js";

const text = (words: string, ...marks: readonly string[]) => ({
  type: "text",
  text: words,
  ...Object.fromEntries(marks.map((mark) => [mark, true])),
});
const paragraph = (...children: readonly object[]) => ({ type: "paragraph", children });
const item = (...children: readonly object[]) => ({ type: "list-item", children });

function pasted(html: string): readonly object[] {
  const blocks = blocksOfHtml(treeOf(html));
  const doc = documentOf(blocks);
  doc.check();
  expect(doc.children.map(({ type }) => type.name)).to.not.include("unknownBlock");
  return blocks;
}

describe("Pasted HTML", () => {
  it("of Word: styles become blocks, its lists become lists, what is hidden is left out", () => {
    const bullet = (level: number, mark: string, words: string) =>
      `<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><!--[if !supportLists]--><span style='font-family:Symbol'><span style='mso-list:Ignore'>${mark}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><!--[endif]-->${words}<o:p></o:p></p>`;
    const html = `<style>p { color: red }</style><p class="MsoTitle">The
      title</p><h2><b>Part</b></h2><p class="MsoNormal">Some <b>bold</b>
      and <i>slanted</i> words.<o:p></o:p></p><p class="MsoNormal"><o:p>&nbsp;</o:p></p>
      ${bullet(1, "&middot;", "one")}${bullet(2, "o", "deep")}${bullet(1, "&middot;", "two")}${bullet(1, "1.", "first")}
      <p class="MsoQuote">Said</p>`;
    expect(pasted(html)).to.deep.equal([
      { type: "heading", level: 1, children: [text("The title")] },
      { type: "heading", level: 2, children: [text("Part")] },
      paragraph(text("Some "), text("bold", "bold"), text(" and "), text("slanted", "italic"), text(" words.")),
      {
        type: "list",
        format: "unordered",
        children: [
          item(text("one")),
          { type: "list", format: "unordered", indentLevel: 1, children: [item(text("deep"))] },
          item(text("two")),
        ],
      },
      { type: "list", format: "ordered", children: [item(text("first"))] },
      { type: "quote", children: [text("Said")] },
    ]);
  });

  it("of Google Docs: its outer <b> is none, styles of spans are marks, lists in lists stay", () => {
    const html = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr"><span style="font-weight:400;font-style:normal">plain </span><span style="font-weight:700;text-decoration:line-through">both</span></p><br><ul><li dir="ltr"><p role="presentation"><span style="font-weight:400">a</span></p></li><ul><li><p><span>b</span></p></li></ul></ul><p><a href="https://a.example/"><span style="text-decoration:underline;font-weight:700">go</span><span> there</span></a></p></b>`;
    expect(pasted(html)).to.deep.equal([
      paragraph(text("plain "), text("both", "bold", "strikethrough")),
      {
        type: "list",
        format: "unordered",
        children: [item(text("a")), { type: "list", format: "unordered", indentLevel: 1, children: [item(text("b"))] }],
      },
      paragraph({
        type: "link",
        url: "https://a.example/",
        children: [text("go", "bold"), text(" there")],
      }),
    ]);
  });

  it("of a page: blanks are those that one sees, and paragraphs of an item or a quote are its lines", () => {
    const html = `<div>
        one <span> two</span>
        <br> three
        <p>four</p> five
      </div><ol><li><p>a</p><p>b</p></li><li>c<ul><li>d</li></ul></li></ol><blockquote><p>q</p><p>r</p></blockquote>`;
    expect(pasted(html)).to.deep.equal([
      paragraph(text("one "), text("two"), text("\n"), text("three")),
      paragraph(text("four")),
      paragraph(text("five")),
      {
        type: "list",
        format: "ordered",
        children: [
          item(text("a"), text("\n"), text("b")),
          item(text("c")),
          { type: "list", format: "unordered", indentLevel: 1, children: [item(text("d"))] },
        ],
      },
      { type: "quote", children: [text("q"), text("\n"), text("r")] },
    ]);
  });

  it("of code keeps its lines and its language, and a table is a line for each row", () => {
    const html = `<pre><code class="language-js">a {
  b
}
</code></pre><table><tr><th>x</th><th>y</th></tr><tr><td>1</td><td>2</td></tr></table>`;
    expect(pasted(html)).to.deep.equal([
      { type: "code", language: "js", children: [text("a {\n  b\n}")] },
      paragraph(text("x"), text("\t"), text("y")),
      paragraph(text("1"), text("\t"), text("2")),
    ]);
  });

  it("brings no script along, nor an address that is one", () => {
    const html = `<script>alert(1)</script><p onclick="x()"><a href=" javascript:alert(1)">a</a><a href="JavaScript:alert(1)">b</a><a href="\u0001data:text/html,x">c</a><a href="java\tscript:alert(1)">d</a><a href="vb\nscript:x">e</a><img src="x"></p>`;
    expect(pasted(html)).to.deep.equal([paragraph(...["a", "b", "c", "d", "e"].map((letter) => text(letter)))]);
  });
});
