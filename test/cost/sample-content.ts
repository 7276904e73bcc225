import type { App } from "@plinth/core";

/** How much there is in the sample app when its reads are measured. */
export interface ContentSize {
  readonly articles: number;
  /** Characters of the body of each article. */
  readonly body: number;
}

/** As many articles as the ceilings of a read are meant for. */
export const ARTICLES: ContentSize = { articles: 2000, body: 6000 };

const AUTHORS = 50;
const CATEGORIES = 20;
const CATEGORIES_OF_ARTICLE = 3;
/** Versions that are loaded by one statement. */
const CHUNK = 500;
const WRITTEN = "2026-01-01T00:00:00.000Z";

const idOf = (kind: string, index: number): string => `${kind}${index}`.padEnd(24, "0");
const titleOf = (index: number): string => `Article ${index} of the collection`;

/** Fills an empty sample app: published articles with their drafts, each with an author and three categories. */
export async function writeContent(
  { loader, db }: Pick<App, "loader" | "db">,
  { articles, body }: ContentSize,
): Promise<void> {
  const common = { createdAt: WRITTEN, updatedAt: WRITTEN, publishedAt: WRITTEN, locale: "", links: {} };
  const numbers = (length: number) => Array.from({ length }, (_, index) => index);
  await loader.load(
    "api::author.author",
    numbers(AUTHORS).map((i) => ({
      ...common,
      id: i + 1,
      documentId: idOf("author", i),
      values: { name: `Author ${i}`, bio: "x".repeat(200) },
    })),
  );
  await loader.load(
    "api::category.category",
    numbers(CATEGORIES).map((i) => {
      const parent = i === 0 ? {} : { parent: [linkTo(idOf("category", Math.floor(i / 2)), i)] };
      return {
        ...common,
        id: i + 1,
        locale: "en",
        documentId: idOf("category", i),
        values: { name: `Category ${i}`, slug: `c-${i}` },
        links: parent,
      };
    }),
  );
  for (let first = 0; first < articles; first += CHUNK) {
    const versions = numbers(Math.min(CHUNK, articles - first)).flatMap((at) => versionsOf(first + at, articles, body));
    await loader.load("api::article.article", versions);
  }
  await db.query({ text: "analyze", values: [] });
}

/** The draft and the published version of an article. */
function versionsOf(index: number, articles: number, body: number) {
  const values = {
    title: titleOf(index),
    slug: `article-${index}`,
    summary: "A summary in some words. ".repeat(4),
    body: [{ type: "paragraph", children: [{ type: "text", text: textOf(index, body) }] }],
    kind: index % 2 === 0 ? "news" : "opinion",
    readingMinutes: 1 + (index % 30),
  };
  const categories = Array.from({ length: CATEGORIES_OF_ARTICLE }, (_, i) =>
    linkTo(idOf("category", (index + i * 7) % CATEGORIES), i, index),
  );
  const links = { author: [linkTo(idOf("author", index % AUTHORS), 0, index)], categories };
  const version = {
    documentId: idOf("article", index),
    locale: "",
    createdAt: WRITTEN,
    updatedAt: WRITTEN,
    values,
    links,
  };
  return [
    { ...version, id: index + 1, publishedAt: null },
    { ...version, id: articles + index + 1, publishedAt: WRITTEN },
  ];
}

const linkTo = (documentId: string, position: number, inversePosition: number = position) => ({
  documentId,
  type: "",
  position,
  inversePosition,
});

/** A text that PostgreSQL cannot make much shorter. */
function textOf(seed: number, length: number): string {
  let state = seed + 1;
  const words: string[] = [];
  for (let size = 0; size < length; size += words.at(-1)?.length ?? 0) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    words.push(`${state.toString(36)} `);
  }
  return words.join("").slice(0, length);
}
