import { join } from "node:path";
import type { App } from "@plinth/core";
import { files } from "@plinth/plugin-upload";

/** Writes a few articles, authors and categories into an empty database, so that the first request shows something. */
export async function writeSampleContent(app: App): Promise<void> {
  const authors = app.documents("api::author.author");
  await app.db.transaction(async () => {
    // Several processes may start at once: the first one writes.
    await app.db.lock("sample content");
    if ((await authors.count()) > 0) return;
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
    const cover = await app.service(files).add(join(app.root, "sample", "analytical-engine.png"), {
      alternativeText: "Rows of brass wheels",
      caption: "A machine that weaves algebraical patterns",
    });
    await writeArticles(app, {
      cover: cover.documentId,
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

type DocumentIds = Readonly<Record<"ada" | "cover" | "emmy" | "science" | "software", string>>;

async function writeArticles(app: App, { ada, cover, emmy, science, software }: DocumentIds): Promise<void> {
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
      cover,
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
