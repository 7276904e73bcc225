import type { CorpusApp } from "./corpus-app.js";

/** One written document, as its answer has it. */
export interface Written {
  readonly id: number;
  readonly documentId: string;
}

/** What `seedCorpusApp` wrote. */
export interface CorpusContent {
  readonly ada: Written;
  readonly grace: Written;
  /** The parent of hardware and software. */
  readonly technology: Written;
  readonly hardware: Written;
  readonly software: Written;
  readonly science: Written;
  /** Published, `article-01` to `article-04`, with 10, 20, 30, 40 views; Ada's, but the last, which is Grace's. */
  readonly articles: readonly Written[];
  /** Never published: `article-draft`. */
  readonly draft: Written;
}

/** Writes a few documents of every content-type over REST before the suite. */
export function seedCorpusApp(app: () => CorpusApp): () => CorpusContent {
  let content: CorpusContent | undefined;
  before("write content", async () => {
    content = await writeContent(app());
  });
  return () => {
    if (!content) throw new TypeError("The content has not been written.");
    return content;
  };
}

async function writeContent(app: CorpusApp): Promise<CorpusContent> {
  const ada = await writeDocument(app, "/api/authors", { name: "Ada", email: "ada@example.com" });
  const grace = await writeDocument(app, "/api/authors", { name: "Grace" });
  const technology = await writeCategory(app, "Technology");
  const hardware = await writeCategory(app, "Hardware", technology);
  const software = await writeCategory(app, "Software", technology);
  const science = await writeCategory(app, "Science");
  const articles: Written[] = [];
  for (const number of [1, 2, 3, 4]) {
    const author = number === 4 ? grace.documentId : ada.documentId;
    const data = { ...articleData(number), author, categories: [science.documentId] };
    articles.push(await writeDocument(app, "/api/articles", data));
  }
  const draft = await writeDocument(app, "/api/articles?status=draft", { title: "Draft", slug: "article-draft" });
  await app.request("PUT", "/api/global", { body: { data: { siteName: "Corpus" } } });
  await app.request("PUT", "/api/homepage", { body: { data: { heading: "Home" } } });
  return { ada, grace, technology, hardware, software, science, articles, draft };
}

/** Creates a document; fails with the server's words when it is refused. */
export async function writeDocument(app: CorpusApp, path: string, data: object): Promise<Written> {
  const { status, body } = await app.request("POST", path, { body: { data } });
  if (status !== 201) throw new TypeError(`POST ${path} was answered ${status}: ${JSON.stringify(body)}`);
  return body.data;
}

function writeCategory(app: CorpusApp, name: string, parent?: Written): Promise<Written> {
  return writeDocument(app, "/api/categories", {
    name,
    slug: name.toLowerCase(),
    ...(parent ? { parent: parent.documentId } : {}),
  });
}

function articleData(number: number) {
  return {
    title: `Article ${number}`,
    slug: `article-0${number}`,
    views: number * 10,
    extra: { nested: number },
    privateNote: `private ${number}`,
    seo: { metaTitle: `Title ${number}`, meta: [{ property: "a", content: "1" }] },
    links: [{ label: "First", url: "/1" }],
    sections: [{ __component: "sections.hero", title: "Hero" }],
  };
}
