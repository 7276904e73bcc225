/** Headers of a request. */
export type Headers = Readonly<Record<string, string>>;

/** A request about an article, a file and a session of a super administrator. */
export interface Asked {
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Headers;
}

/** What there is to ask about. */
export interface Kept {
  readonly article: string;
  readonly file: string;
  readonly session: string;
}

/** How an endpoint answers an author who made none of it, and an editor. */
export interface Row {
  readonly ask: (kept: Kept) => Asked;
  /** Statuses; undefined: the endpoint is open to everybody who has the page. */
  readonly author?: number;
  readonly editor?: number;
}

/** The articles of the app. */
export const ARTICLES = "/content/api::article.article";
/** What an intruder would write. */
export const DATA = { title: "Intruded" };
/** Of a write, whoever wrote before. */
export const ANY = { "if-match": "*" };

/** A request to a path below /admin/api. */
export const at =
  (path: string, more: Omit<Asked, "path"> = {}) =>
  ({ article, file, session }: Kept): Asked => ({
    ...more,
    path: path.replace("<article>", article).replace("<file>", file).replace("<session>", session),
  });
/** A row of what every administrator may. */
export const all = (path: string, more: Omit<Asked, "path"> = {}) => ({
  ask: at(path, more),
  author: 200,
  editor: 200,
});
