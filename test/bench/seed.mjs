// Fills an empty server over its own REST API.
import { article, author, authorsFor, CATEGORIES, category } from "./content.mjs";

const PARALLEL = 20;

/** @typedef {{ authorIds: string[], categoryIds: string[], articleIds: string[] }} Seeded - document ids. */

/**
 * Writes authors, categories and published articles.
 *
 * @param {object} options
 * @param {{ name: string, url: string, token: string }} options.server - the token may write everything.
 * @param {number} options.articles
 * @param {(line: string) => void} options.say
 * @param {AbortSignal} options.signal - ends it between two requests.
 * @returns {Promise<Seeded>}
 */
export async function seed({ server, articles, say, signal }) {
  const since = performance.now();
  const secondsGone = () => (performance.now() - since) / 1000;
  const write = (path) => (data) => post(`${server.url}/api/${path}`, { token: server.token, data, signal });
  const authorIds = await inParallel(authorsFor(articles), (i) => write("authors")(author(i)));
  const top = await write("categories")(category(0));
  const below = await inParallel(CATEGORIES - 1, (i) => write("categories")(category(i + 1, i % 2 ? top : undefined)));
  const ids = { authorIds, categoryIds: [top, ...below] };
  const step = Math.max(1, Math.floor(articles / 10));
  const articleIds = await inParallel(articles, async (i, done) => {
    const id = await write("articles")(article(i, ids));
    if (done % step === 0)
      say(`${server.name}: ${done} of ${articles} articles over REST, ${secondsGone().toFixed(0)} s`);
    return id;
  });
  return { ...ids, articleIds };
}

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
