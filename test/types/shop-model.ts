import type { RawContentType } from "@plinth/core";
import type { RawAttribute, RawComponent } from "@plinth/core/schema";
import { buildModel, type ContentModel } from "@plinth/core/schema";

/** Every kind of scalar attribute, under its own name. */
const EVERY_KIND: Readonly<Record<string, RawAttribute>> = Object.fromEntries(
  [
    ...["string", "text", "richtext", "email", "password", "date", "time", "datetime", "timestamp", "integer"],
    ...["biginteger", "float", "decimal", "boolean", "json", "blocks"],
  ].map((type) => [type, { type }]),
);

const contentTypes: readonly RawContentType[] = [
  {
    ...namesOf("product"),
    uid: "api::product.product",
    options: { draftAndPublish: true },
    pluginOptions: { i18n: { localized: true } },
    attributes: {
      ...EVERY_KIND,
      title: { type: "string", required: true },
      slug: { type: "uid", targetField: "title" },
      state: { type: "enumeration", enum: ["new", "used"], required: true },
      maker: { type: "relation", relation: "manyToOne", target: "api::maker.maker", inversedBy: "products" },
      related: { type: "relation", relation: "manyToMany", target: "api::product.product" },
      subject: { type: "relation", relation: "morphToOne" },
      picture: { type: "media" },
      size: { type: "component", component: "shop.size", required: true },
      sizes: { type: "component", component: "shop.size", repeatable: true },
      sections: { type: "dynamiczone", components: ["shop.quote", "shop.size"] },
    },
  },
  {
    ...namesOf("maker"),
    uid: "api::maker.maker",
    attributes: {
      name: { type: "string", required: true },
      rank: { type: "integer", required: true, default: 1 },
      secret: { type: "password" },
      margin: { type: "integer", private: true },
      products: { type: "relation", relation: "oneToMany", target: "api::product.product", mappedBy: "maker" },
      home: { type: "relation", relation: "oneToOne", target: "api::home.home" },
    },
  },
  {
    ...namesOf("home"),
    uid: "api::home.home",
    kind: "singleType",
    attributes: { headline: { type: "string" } },
  },
];

const components: readonly RawComponent[] = [
  { uid: "shop.size", attributes: { width: { type: "integer", required: true }, unit: { type: "string" } } },
  {
    uid: "shop.quote",
    attributes: {
      text: { type: "text", required: true },
      by: { type: "relation", relation: "oneToOne", target: "api::maker.maker" },
    },
  },
];

/** The content of the app that the fixtures are written for. */
export function shopModel(): ContentModel {
  return buildModel({ contentTypes, components, locales: ["en", "fr"] });
}

/** So many content-types that lead to each other, each with a dozen attributes. */
export function largeModel(count: number): ContentModel {
  const uidOf = (index: number) => `api::thing-${index % count}.thing-${index % count}`;
  const types = Array.from(
    { length: count },
    (_, index): RawContentType => ({
      ...namesOf(`thing-${index}`),
      uid: uidOf(index),
      options: { draftAndPublish: index % 2 === 0 },
      attributes: {
        title: { type: "string", required: true },
        slug: { type: "uid", targetField: "title" },
        body: { type: "richtext" },
        views: { type: "integer" },
        price: { type: "decimal" },
        due: { type: "datetime" },
        state: { type: "enumeration", enum: ["new", "open", "done"] },
        isOpen: { type: "boolean" },
        extra: { type: "json" },
        next: { type: "relation", relation: "manyToOne", target: uidOf(index + 1) },
        others: { type: "relation", relation: "manyToMany", target: uidOf(index + 7) },
        size: { type: "component", component: "shop.size" },
        sections: { type: "dynamiczone", components: ["shop.quote", "shop.size"] },
      },
    }),
  );
  return buildModel({ contentTypes: [...types, ...contentTypes], components });
}

function namesOf(name: string): Pick<RawContentType, "kind" | "info"> {
  return {
    kind: "collectionType",
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
  };
}
