import type { RawContentType } from "@plinth/core";

const LOCALIZED = { i18n: { localized: true } };

const info = (singularName: string, displayName: string) => ({
  ...{ singularName, pluralName: `${singularName}s`, displayName },
});

/** The content-types of the magazine that the pictures of the guide show. */
export const contentTypes: Readonly<Record<string, Omit<RawContentType, "uid">>> = {
  "api::article.article": {
    kind: "collectionType",
    info: info("article", "Article"),
    options: { draftAndPublish: true },
    pluginOptions: { ...LOCALIZED, admin: { preview: "/articles/{slug}?id={documentId}&token={token}" } },
    attributes: {
      title: { type: "string", required: true, maxLength: 80, pluginOptions: LOCALIZED },
      slug: { type: "uid", targetField: "title", pluginOptions: LOCALIZED },
      summary: { type: "text", required: true, pluginOptions: LOCALIZED },
      body: { type: "blocks", pluginOptions: LOCALIZED },
      cover: { type: "media", allowedTypes: ["images"] },
      author: { type: "relation", relation: "manyToOne", target: "api::author.author", inversedBy: "articles" },
      tags: { type: "relation", relation: "manyToMany", target: "api::tag.tag" },
      kind: { type: "enumeration", enum: ["report", "interview", "recipe"] },
      issue: { type: "integer", min: 1 },
      sections: {
        type: "dynamiczone",
        components: ["story.quote", "story.tip", "story.route"],
        pluginOptions: LOCALIZED,
      },
    },
  },
  "api::author.author": {
    kind: "collectionType",
    info: info("author", "Author"),
    attributes: {
      name: { type: "string", required: true },
      articles: { type: "relation", relation: "oneToMany", target: "api::article.article", mappedBy: "author" },
    },
  },
  "api::tag.tag": {
    kind: "collectionType",
    info: info("tag", "Tag"),
    attributes: { name: { type: "string", required: true } },
  },
  "api::front-page.front-page": {
    kind: "singleType",
    info: info("front-page", "Front page"),
    attributes: { heading: { type: "string" } },
  },
};

/** The parts of an article. */
export const components = {
  "story.quote": {
    info: { displayName: "Quote" },
    attributes: { words: { type: "text", required: true }, speaker: { type: "string", required: true } },
  },
  "story.tip": { info: { displayName: "Tip" }, attributes: { text: { type: "text", required: true } } },
  "story.route": {
    info: { displayName: "Route" },
    attributes: { name: { type: "string", required: true }, kilometres: { type: "integer" } },
  },
};
