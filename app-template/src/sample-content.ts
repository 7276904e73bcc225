import type { App } from "@plinth/core";

/** Writes a few articles, authors and categories into an empty database, so that the first request shows something. */
export async function writeSampleContent(app: App): Promise<void> {
  const authors = app.documents("api::author.author");
  if ((await authors.count()) > 0) return;
  await app.db.transaction(async () => {
    const ada = await authors.create({
      data: { name: "Ada Lovelace", email: "ada@example.org", bio: "Wrote the first program." },
    });
    const emmy = await authors.create({ data: { name: "Emmy Noether", bio: "Symmetry and conservation." } });
    const categories = app.documents("api::category.category");
    const science = await categories.create({ data: { name: "Science", slug: "science" } });
    await categories.update({ documentId: science.documentId, locale: "fr", data: { name: "Sciences" } });
    const software = await categories.create({
      data: { name: "Software", slug: "software", parent: science.documentId },
    });
    await writeArticles(app, {
      ada: ada.documentId,
      emmy: emmy.documentId,
      science: science.documentId,
      software: software.documentId,
    });
    await app.documents("api::global.global").create({
      data: { siteName: "Plinth sample", defaultSeo: { metaTitle: "Plinth", metaDescription: "A sample site." } },
    });
  });
}

type DocumentIds = Readonly<Record<"ada" | "emmy" | "science" | "software", string>>;

async function writeArticles(app: App, { ada, emmy, science, software }: DocumentIds): Promise<void> {
  const articles = app.documents("api::article.article");
  await articles.create({
    status: "published",
    data: {
      title: "Notes on the Analytical Engine",
      slug: "notes-on-the-analytical-engine",
      summary: "What a machine of brass could compute.",
      kind: "opinion",
      readingMinutes: 12,
      author: ada,
      categories: [science, software],
      seo: { metaTitle: "Analytical Engine", metaDescription: "Notes by the translator." },
      sections: [{ __component: "sections.quote", text: "It weaves algebraical patterns.", author: ada }],
    },
  });
  await articles.create({
    status: "published",
    data: {
      title: "Invariants for everybody",
      slug: "invariants-for-everybody",
      kind: "tutorial",
      readingMinutes: 7,
      author: emmy,
      categories: [science],
    },
  });
  await articles.create({ data: { title: "A draft nobody sees yet", kind: "news", author: emmy } });
}
