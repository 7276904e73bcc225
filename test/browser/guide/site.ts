import { createServer, type Server } from "node:http";

interface Article {
  readonly title: string;
  readonly summary: string | null;
  readonly cover: { readonly url: string } | null;
  readonly author: { readonly name: string } | null;
  readonly sections: readonly { readonly words?: string; readonly text?: string; readonly name?: string }[];
}

const STYLE = `body { margin: 0; font: 18px/1.5 Georgia, serif; color: #23303a; background: #fbf8f2 }
header { padding: 14px 24px; font: 700 15px system-ui; letter-spacing: .08em; text-transform: uppercase; color: #27667b }
img { display: block; width: 100%; aspect-ratio: 16/9; object-fit: cover } main { padding: 20px 24px; max-width: 40rem }
h1 { font-size: 30px; line-height: 1.15; margin: 0 0 8px } address { color: #6b7a83; font-size: 15px }
blockquote { margin: 20px 0; padding-left: 16px; border-left: 3px solid #27667b; font-style: italic }`;

async function pageOf(plinth: string, query: URLSearchParams): Promise<string> {
  const path = `/api/preview/api::article.article/${query.get("id")}?populate=*`;
  const answer = await fetch(plinth + path, { headers: { Authorization: `Bearer ${query.get("token")}` } });
  const { title, summary, cover, author, sections } = ((await answer.json()) as { data: Article }).data;
  const parts = sections.map(({ words, text, name }) => `<blockquote>${words ?? text ?? name ?? ""}</blockquote>`);
  const picture = cover ? `<img src="${new URL(cover.url, plinth).href}" alt="">` : "";
  return `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><style>${STYLE}</style>
<header>Brannock Magazine</header>${picture}<main><h1>${title}</h1><p>${summary ?? ""}</p>
<address>By ${author?.name ?? "nobody yet"}</address>${parts.join("")}</main>`;
}

/** The site of the magazine, as the preview shows it. @param plinth - origin of the server, once it is known */
export const createSite = (plinth: () => string): Server =>
  createServer(async (request, response) => {
    const { searchParams } = new URL(request.url ?? "/", "http://site");
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(searchParams.has("token") ? await pageOf(plinth(), searchParams) : "");
  });
