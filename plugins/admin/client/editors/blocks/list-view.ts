import { DOMSerializer } from "prosemirror-model";
import type { NodeView, NodeViewConstructor } from "prosemirror-view";
import { schema } from "./schema.js";

/** Shows a list. One in another list stands in an item of it, as HTML wants it, which has no mark of its own. */
export const listView: NodeViewConstructor = (node, view, getPos): NodeView => {
  const { dom, contentDOM } = DOMSerializer.renderSpec(document, schema.nodes.list.spec.toDOM?.(node) ?? ["ul", 0]);
  const pos = getPos();
  const isNested = pos !== undefined && view.state.doc.resolve(pos).parent.type === schema.nodes.list;
  const around = isNested ? document.createElement("li") : undefined;
  around?.setAttribute("data-nested", "");
  around?.append(dom);
  return { dom: around ?? dom, ...(contentDOM && { contentDOM }) };
};
