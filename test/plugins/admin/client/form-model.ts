import type { ComponentView } from "#plugins/admin/src/wire/model.js";
import type { AttributeView } from "@plinth/plugin-admin";
import type { Attributes, Shapes } from "#plugins/admin/client/form/shape.js";

/** An attribute of a form, with what a test says of it. */
export const attribute = (kind: AttributeView["kind"], more: Partial<AttributeView> = {}): AttributeView => ({
  kind,
  label: kind,
  hint: null,
  placeholder: null,
  width: 12,
  isRequired: false,
  isEditable: true,
  isVisible: true,
  isLocalized: true,
  isUnique: false,
  ...more,
});

const quote: ComponentView = {
  uid: "sections.quote",
  label: "Quote",
  category: "sections",
  icon: null,
  title: "text",
  layout: [["text"], ["stars"]],
  attributes: {
    text: attribute("text"),
    stars: attribute("integer"),
    source: attribute("component", { component: "shared.source" }),
  },
};

const source: ComponentView = {
  uid: "shared.source",
  label: "Source",
  category: "shared",
  icon: null,
  title: "name",
  layout: [["name"]],
  attributes: { name: attribute("string") },
};

/** The components of the tests. */
export const shapes: Shapes = {
  types: new Map(),
  components: new Map([quote, source].map((component) => [component.uid, component])),
};

/** A type with each way in which a form keeps values. */
export const attributes: Attributes = {
  title: attribute("string", { isRequired: true, maxLength: 20 }),
  body: attribute("blocks"),
  count: attribute("integer", { min: 1, max: 5 }),
  cover: attribute("media"),
  pictures: attribute("media", { isMultiple: true }),
  author: attribute("relation", { target: "api::author.author" }),
  tags: attribute("relation", { target: "api::tag.tag", isMultiple: true }),
  seo: attribute("component", { component: "shared.source" }),
  sections: attribute("dynamiczone", { components: ["sections.quote"], min: 1 }),
};

/** A linked document. */
export const link = (documentId: string, uid = "api::tag.tag") => ({
  uid,
  documentId,
  id: 1,
  locale: null,
  title: documentId,
  subtitle: null,
  picture: null,
  state: "published" as const,
});

/** A document as the server sends it. */
export const entry = (more: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> => ({
  title: "One",
  body: [paragraph("first"), paragraph("second"), paragraph("third")],
  count: 1,
  cover: null,
  pictures: [],
  author: { total: 0, items: [] },
  tags: { total: 3, items: [link("a"), link("b"), link("c")] },
  seo: null,
  sections: [
    { __component: "sections.quote", id: 1, text: "to be", stars: 3, source: { id: 9, name: "Hamlet" } },
    { __component: "sections.quote", id: 2, text: "or not", stars: 4, source: null },
  ],
  ...more,
});

/** A block of text. */
export const paragraph = (text: string) => ({ type: "paragraph", children: [{ type: "text", text }] });
