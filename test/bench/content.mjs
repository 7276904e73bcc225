// What is written into every server of a run: the same content each time.

/** How many categories there are. */
export const CATEGORIES = 50;

const ARTICLES_PER_AUTHOR = 50;
const KINDS = ["news", "opinion", "tutorial"];
const WORDS = "river stone morning paper harbour signal orchard winter engine letter garden window".split(" ");

/** @param {number} articles @returns {number} how many authors there are for so many articles. */
export const authorsFor = (articles) => Math.ceil(articles / ARTICLES_PER_AUTHOR);

/** The author of a number. */
export const author = (i) => ({ name: `Author ${i}`, email: `author${i}@example.com`, bio: text(i, 30) });

/** The category of a number; some are below another one. @param {string} [parent] - its document id. */
export const category = (i, parent) => ({
  name: `Category ${i}`,
  slug: `category-${i}`,
  ...(parent ? { parent } : {}),
});

/**
 * The article of a number: with an author, one to four categories, a component, a list of them, and a zone of three.
 *
 * @param {number} i
 * @param {{ authorIds: string[], categoryIds: string[] }} ids - document ids.
 */
export function article(i, ids) {
  return fullArticle(i, `article-${i}`, ids);
}

/** The article of a number as a client writes it under load. */
export function newArticle(i, ids) {
  return fullArticle(i, `new-article-${i}`, ids);
}

function fullArticle(i, slug, { authorIds, categoryIds }) {
  const authorId = authorIds[i % authorIds.length];
  const categoryId = (n) => categoryIds[(i + n * 17) % CATEGORIES];
  return {
    ...fields(i, slug),
    author: authorId,
    categories: Array.from({ length: 1 + (i % 4) }, (_, n) => categoryId(n)),
    seo: { ...seo(i), meta: [{ property: "og:type", content: "article" }] },
    links: [{ label: `Link ${i}`, url: "https://example.com/", category: categoryId(0) }],
    sections: [
      { __component: "sections.hero", title: text(i, 4), cta: { label: "Read on", url: "https://example.com/more" } },
      { __component: "sections.quote", text: text(i, 12), author: authorId },
      { __component: "sections.gallery", caption: text(i, 6) },
    ],
  };
}

const seo = (i) => ({ metaTitle: `Article ${i}`, metaDescription: text(i + 3, 15) });

const fields = (i, slug) => ({
  title: `${text(i, 5)} ${i}`,
  slug,
  summary: text(i + 1, 20),
  body: text(i + 2, 60),
  views: (i * 7919) % 10_007,
  rating: (i % 50) / 10,
  featured: i % 10 === 0,
  kind: KINDS[i % KINDS.length],
  pubDate: new Date(Date.UTC(2020, 0, 1 + (i % 2000))).toISOString().slice(0, 10),
  eventAt: new Date(Date.UTC(2024, 0, 1, 0, i)).toISOString(),
});

/** Words that differ from one number to the next. */
const text = (seed, length) =>
  Array.from({ length }, (_, n) => WORDS[(seed * 13 + n * n * 7 + n) % WORDS.length]).join(" ");
