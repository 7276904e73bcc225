import { DOMParser, Fragment, type ParseOptions, Slice } from "prosemirror-model";
import { nodeFrom } from "./convert.js";
import { blocksOfHtml, type HtmlNode } from "./pasted-html.js";
import { schema } from "./schema.js";

/** Reads what is pasted or dropped: our own HTML and plain text by the schema, that of others cleaned. */
class PastedParser extends DOMParser {
  override parseSlice(dom: Node, options?: ParseOptions): Slice {
    if (options?.preserveWhitespace) return super.parseSlice(dom, options);
    const blocks = blocksOfHtml(dom as unknown as HtmlNode);
    return new Slice(Fragment.fromArray(blocks.map(nodeFrom)), 0, 0);
  }
}

/** The parser of the clipboard. */
export const pastedParser = new PastedParser(schema, DOMParser.fromSchema(schema).rules);
