// What PostGraphile is asked for in place of the rows that speak our API: the same content where it has that, a write of
// one row where ours writes an article with all that belongs to it.
import { newArticle } from "../content.mjs";

const LIST = (fields) => `query Page($offset: Int) {
  allArticles(first: 25, offset: $offset, orderBy: PRIMARY_KEY_ASC) { nodes { ${fields} } }
}`;

const POPULATED = LIST(`
  documentId title slug summary body views rating featured kind pubDate eventAt createdAt updatedAt publishedAt
  authorByAuthorId { documentId name email bio }
  articlesCategoriesByArticleId(orderBy: POSITION_ASC) { nodes { categoryByCategoryId { documentId name slug } } }
  seoByArticleId { metaTitle metaDescription }`);

const CREATE = `mutation Create($article: ArticleInput!) {
  createArticle(input: { article: $article }) { article { id documentId title slug } }
}`;

const UPDATE = `mutation Update($id: BigInt!, $patch: ArticlePatch!) {
  updateArticleByRowId(input: { rowId: $id, articlePatch: $patch }) { article { id documentId title slug } }
}`;

/** @typedef {{ articleIds: string[], authorIds: string[] }} Rows - ids of rows. */

/** @type {Record<string, (rows: Rows, turn: number) => { query: string, variables: object }>} - by name of the row. */
const DOCUMENTS = {
  "graphql 25, author+categories+seo": page(POPULATED),
  "graphql 25, two fields": page(LIST("title slug")),
  create: ({ authorIds }, turn) => ({ query: CREATE, variables: { article: articleOf(turn, authorIds) } }),
  "update two fields": ({ articleIds }, turn) => {
    const patch = { title: `Another title ${turn}`, views: turn };
    return { query: UPDATE, variables: { id: articleIds[turn % articleIds.length], patch } };
  },
};

/** The request in place of a row's; undefined where there is none. */
export function requestInPlaceOf(name) {
  const documentOf = DOCUMENTS[name];
  return documentOf && ((rows, turn) => ({ method: "POST", path: "/graphql", body: documentOf(rows, turn) }));
}

function page(query) {
  return ({ articleIds }, turn) => {
    return { query, variables: { offset: 25 * (turn % Math.ceil(articleIds.length / 25)) } };
  };
}

function articleOf(turn, authorIds) {
  const {
    categories: _,
    seo: _seo,
    links: _links,
    sections: _sections,
    author: _author,
    ...fields
  } = newArticle(turn, {
    authorIds,
    categoryIds: [],
  });
  return { ...fields, authorId: authorIds[turn % authorIds.length] };
}
