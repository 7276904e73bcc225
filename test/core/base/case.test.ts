import { expect } from "chai";
import { camelCase, kebabCase, pascalCase, snakeCase } from "#core/base/case.js";

describe("letter case", () => {
  const cases = [
    ["articleTag", "article_tag", "article-tag", "ArticleTag", "articleTag"],
    ["article-tag", "article_tag", "article-tag", "ArticleTag", "articleTag"],
    ["Article Tag", "article_tag", "article-tag", "ArticleTag", "articleTag"],
    ["SEOTitle", "seo_title", "seo-title", "SeoTitle", "seoTitle"],
    ["createdAt", "created_at", "created-at", "CreatedAt", "createdAt"],
    ["h1Title", "h1_title", "h1-title", "H1Title", "h1Title"],
    ["größeÜber", "größe_über", "größe-über", "GrößeÜber", "größeÜber"],
    ["__", "", "", "", ""],
  ] as const;

  for (const [text, snake, kebab, pascal, camel] of cases) {
    it(`of ${text} is ${snake || "nothing"} and so on`, () => {
      expect([snakeCase(text), kebabCase(text), pascalCase(text), camelCase(text)]).to.deep.equal([
        snake,
        kebab,
        pascal,
        camel,
      ]);
    });
  }
});
