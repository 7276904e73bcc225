// Fills an empty server over its own REST API. The content is the same in every run.

const ARTICLES_PER_AUTHOR = 50;
const CATEGORIES = 50;
const PARALLEL = 20;
const KINDS = ["news", "opinion", "tutorial"];
const WORDS = "river stone morning paper harbour signal orchard winter engine letter garden window".split(" ");

/**
 * Writes authors, categories and published articles, each with an author, one to three categories and a seo component.
 *
 * @param {object} options
 * @param {string} options.base - address of the server.
 * @param {string} options.token - may write everything.
 * @param {number} options.articles
 * @param {(line: string) => void} options.say
 * @param {AbortSignal} options.signal - ends it between two requests.
 * @returns {Promise<{ articleId: string, seconds: number }>} the document id of an article in the middle.
 */
export async function seed({ base, token, articles, say, signal }) {
  const since = performance.now();
  const secondsGone = () => (performance.now() - since) / 1000;
  const write = (path) => (data) => post(`${base}/api/${path}`, { token, data, signal });
  const authors = Math.ceil(articles / ARTICLES_PER_AUTHOR);
  const authorIds = await inParallel(authors, (i) => write("authors")(author(i)));
  const categoryIds = await inParallel(CATEGORIES, (i) => write("categories")(category(i)));
  const step = Math.max(1, Math.floor(articles / 10));
  const ids = await inParallel(articles, async (i, done) => {
    const id = await write("articles")(article(i, authorIds, categoryIds));
    if (done % step === 0) say(`seeded ${done} of ${articles} articles over REST, ${secondsGone().toFixed(0)} s`);
    return id;
  });
  return { articleId: ids[Math.floor(articles / 2)], seconds: secondsGone() };
}

const author = (i) => ({ name: `Author ${i}`, email: `author${i}@example.com`, bio: text(i, 30) });

const category = (i) => ({ name: `Category ${i}`, slug: `category-${i}` });

function article(i, authorIds, categoryIds) {
  return {
    title: `${text(i, 5)} ${i}`,
    slug: `article-${i}`,
    summary: text(i + 1, 20),
    body: text(i + 2, 60),
    views: (i * 7919) % 10_007,
    rating: (i % 50) / 10,
    featured: i % 10 === 0,
    kind: KINDS[i % KINDS.length],
    pubDate: new Date(Date.UTC(2020, 0, 1 + (i % 2000))).toISOString().slice(0, 10),
    eventAt: new Date(Date.UTC(2024, 0, 1, 0, i)).toISOString(),
    author: authorIds[i % authorIds.length],
    categories: Array.from({ length: 1 + (i % 3) }, (_, n) => categoryIds[(i + n * 17) % CATEGORIES]),
    seo: {
      metaTitle: `Article ${i}`,
      metaDescription: text(i + 3, 15),
      meta: [{ property: "og:type", content: "article" }],
    },
  };
}

/** Words that differ from one number to the next. */
const text = (seed, length) =>
  Array.from({ length }, (_, n) => WORDS[(seed * 13 + n * n * 7 + n) % WORDS.length]).join(" ");

async function post(url, { token, data, signal }) {
  signal.throwIfAborted();
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ data }),
  });
  const body = await response.text();
  if (response.status !== 201) throw new Error(`POST ${url} answered ${response.status}: ${body.slice(0, 2000)}`);
  return JSON.parse(body).data.documentId;
}

/** Runs `work(index, finished)` for each number below `count`, a few at a time; ends at the first failure. */
async function inParallel(count, work) {
  const results = Array.from({ length: count });
  let next = 0;
  let finished = 0;
  let hasFailed = false;
  const lane = async () => {
    while (next < count && !hasFailed) {
      const index = next++;
      results[index] = await work(index, ++finished);
    }
  };
  const lanes = Array.from({ length: Math.min(PARALLEL, count) }, () =>
    lane().catch((error) => {
      hasFailed = true;
      throw error;
    }),
  );
  const failure = (await Promise.allSettled(lanes)).find(({ status }) => status === "rejected");
  if (failure) throw failure.reason;
  return results;
}
