import type { AppSetup } from "@plinth/core";

const info = (singularName: string, displayName: string) => ({
  singularName,
  pluralName: `${singularName}s`,
  displayName,
});

const contentTypes = {
  "api::article.article": {
    kind: "collectionType",
    info: info("article", "Article"),
    options: { draftAndPublish: true },
    pluginOptions: { admin: { preview: "/articles/{slug}?id={documentId}&token={token}" } },
    attributes: {
      title: { type: "string", required: true },
      slug: { type: "uid", targetField: "title" },
      summary: { type: "text" },
      author: { type: "relation", relation: "manyToOne", target: "api::author.author" },
      sections: { type: "dynamiczone", components: ["sections.quote"] },
    },
  },
  "api::author.author": {
    kind: "collectionType",
    info: info("author", "Author"),
    attributes: { name: { type: "string" } },
  },
};

const components = {
  "sections.quote": { info: { displayName: "Quote" }, attributes: { text: { type: "text" } } },
};

/** An app with the articles of the guide on previews. @param origin - of the front end */
export const previewModel = (origin: string): Partial<AppSetup> => ({
  app: { contentTypes, components } as never,
  pluginConfigs: { admin: { preview: { origins: [origin] } } },
  config: {
    server: { port: 0 },
    database: { client: "pglite", directory: ":memory:" },
    // Anyone reads what is published, as the front end does without a token.
    access: { public: ["api::*.find", "api::*.findOne"] },
  },
});
