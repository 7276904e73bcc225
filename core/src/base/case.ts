/** `articleTag` in lower case with underscores: `article_tag`, `SEOTitle` is `seo_title`. */
export function snakeCase(text: string): string {
  return wordsOf(text).join("_");
}

/** `articleTag` in lower case with hyphens: `article-tag`. */
export function kebabCase(text: string): string {
  return wordsOf(text).join("-");
}

/** `article-tag` with a capital per word: `ArticleTag`. */
export function pascalCase(text: string): string {
  return wordsOf(text).map(capitalise).join("");
}

/** `article-tag` with a capital per word but the first: `articleTag`. */
export function camelCase(text: string): string {
  return wordsOf(text)
    .map((word, index) => (index === 0 ? word : capitalise(word)))
    .join("");
}

/** Words begin at capitals, at the last capital of a run of them, and after anything that is not a letter or digit. */
function wordsOf(text: string): readonly string[] {
  return text
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
}

function capitalise(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
