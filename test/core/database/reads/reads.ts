import { factReads } from "./fact-reads.js";
import { fallbackReads } from "./fallback-reads.js";
import { listReads } from "./list-reads.js";
import { longReads } from "./long-reads.js";
import { namedReads } from "./named-reads.js";
import { watchedReads } from "./watched-reads.js";
import { books, notNamed, type Read, shelves, writers } from "./queries.js";

const basicReads: readonly Read[] = [
  {
    title: "a page with its total cuts the rows before they become JSON",
    query: { ...books, page: { start: 1, limit: 2 }, count: true, sort: [{ path: ["title"], direction: "desc" }] },
    values: ["en", 0, 2],
  },
  {
    title: "one document is found by its id, in its version",
    query: { ...books, isOne: true, documentId: 1, locale: 2, status: "draft" },
    values: ["en", "dune", "en"],
  },
  { title: "all locales are read where the locale is a star", query: { ...books, locale: "*" }, values: ["en"] },
  {
    title: "a date is printed with milliseconds and Z",
    query: { ...books, selection: { fields: ["id", "documentId", "printedAt"], populate: [] } },
    values: ["en"],
  },
  {
    title: "text is compared by position, so no character of a value is special",
    query: {
      ...books,
      filter: {
        op: "or",
        items: [
          { op: "compare", field: "title", operator: "$containsi", value: 1 },
          { op: "compare", field: "title", operator: "$endsWith", value: 1 },
        ],
      },
    },
    values: ["en", "%"],
  },
  {
    title: "a list of values is one parameter",
    query: {
      ...books,
      filter: {
        op: "and",
        items: [
          { op: "compare", field: "pages", operator: "$in", value: 1 },
          { op: "compare", field: "pages", operator: "$notIn", value: 2 },
        ],
      },
    },
    values: ["en", [1, 412], [7]],
  },
  {
    title: "a negated relation asks for some related document that differs",
    query: {
      ...books,
      filter: {
        op: "not",
        item: { op: "related", field: "shelves", where: { op: "compare", field: "code", operator: "$eq", value: 1 } },
      },
    },
    values: ["en", "a1"],
  },
  {
    title: "a row without related documents counts as one whose fields are null",
    query: {
      ...books,
      status: "draft",
      filter: { op: "related", field: "writer", where: { op: "null", field: "id", isNull: true } },
    },
    values: ["en"],
  },
  {
    title: "a relation is empty when nothing visible is linked",
    query: { ...writers, filter: { op: "null", field: "books", isNull: true } },
    values: ["en"],
  },
  {
    title: "a condition from a type without drafts looks at drafts and all locales, too",
    query: {
      ...writers,
      filter: { op: "related", field: "books", where: { op: "compare", field: "title", operator: "$in", value: 1 } },
    },
    values: ["en", ["Dune, new", "Dune (fr)"]],
  },
  {
    title: "a condition that came through such a type stays in the version it found",
    query: {
      ...writers,
      filter: {
        op: "related",
        field: "books",
        where: { op: "related", field: "sequels", where: { op: "compare", field: "title", operator: "$eq", value: 1 } },
      },
    },
    values: ["en", "ÉMMA"],
  },
  {
    title: "fields of components are typed from the schema",
    query: {
      ...books,
      filter: {
        op: "and",
        items: [
          {
            op: "related",
            field: "blurb",
            where: { op: "related", field: "by", where: { op: "compare", field: "name", operator: "$eq", value: 1 } },
          },
          { op: "related", field: "notes", where: { op: "compare", field: "weight", operator: "$gt", value: 2 } },
        ],
      },
    },
    values: ["en", "Frank", 1],
  },
  {
    title: "a sort through several rows takes the smallest or the greatest value",
    query: {
      ...books,
      sort: [
        { path: ["shelves", "code"], direction: "desc" },
        { path: ["writer", "name"], direction: "asc" },
      ],
    },
    values: ["en"],
  },
  {
    title: "a search looks into texts and numbers that are not private",
    query: { ...books, search: 1 },
    values: ["en", "dune"],
  },
  {
    title: "a modified draft is one that is newer than what is published",
    query: { ...books, status: "draft", publication: "modified" },
    values: ["en"],
  },
  {
    title: "an owned relation is read in the row's own locale",
    query: {
      ...books,
      selection: {
        fields: ["id"],
        populate: [
          { kind: "relation", field: "writer", sort: [], selection: { fields: ["name"], populate: [] } },
          { kind: "relation", field: "sequels", sort: [], selection: { fields: ["title"], populate: [] } },
        ],
      },
    },
    values: ["en"],
  },
  {
    title: "an inverse relation of a type without locales is read in all of them",
    query: {
      ...writers,
      selection: {
        fields: ["name"],
        populate: [{ kind: "relation", field: "books", sort: [], selection: { fields: ["title"], populate: [] } }],
      },
    },
    values: ["en"],
  },
  {
    title: "a populated list has its own filter, order and page",
    query: {
      ...shelves,
      selection: {
        fields: ["code"],
        populate: [
          {
            kind: "relation",
            field: "books",
            filter: { op: "compare", field: "pages", operator: "$gte", value: 1 },
            sort: [{ path: ["title"], direction: "asc" }],
            page: { start: 2, limit: 3 },
            selection: { fields: ["title"], populate: [] },
          },
        ],
      },
    },
    values: ["en", 1, 0, 5],
  },
  {
    title: "a count stands in for the entries",
    query: { ...shelves, selection: { fields: ["code"], populate: [{ kind: "count", field: "books" }] } },
    values: ["en"],
  },
  {
    title: "components come out of the row's own JSON, by the schema",
    query: {
      ...books,
      selection: {
        fields: ["id"],
        populate: [
          {
            kind: "component",
            field: "blurb",
            sort: [],
            selection: {
              fields: ["id", "text"],
              populate: [{ kind: "relation", field: "by", sort: [], selection: { fields: ["name"], populate: [] } }],
            },
          },
          {
            kind: "component",
            field: "notes",
            sort: [{ path: ["weight"], direction: "desc" }],
            selection: { fields: ["label"], populate: [] },
          },
        ],
      },
    },
    values: ["en"],
  },
  {
    title: "a zone gives the items of the components that are listed",
    query: {
      ...books,
      selection: {
        fields: ["id"],
        populate: [
          {
            kind: "zone",
            field: "parts",
            items: [{ component: "shared.note", selection: { fields: ["id", "label"], populate: [] } }],
          },
        ],
      },
    },
    values: ["en"],
  },
  {
    title: "media are empty as long as there is no file type",
    query: {
      ...books,
      selection: {
        fields: ["id"],
        populate: [{ kind: "relation", field: "cover", sort: [], selection: { fields: ["id"], populate: [] } }],
      },
    },
    values: ["en"],
  },
  {
    title: "polymorphic targets are first read as references",
    query: {
      ...shelves,
      selection: {
        fields: ["code"],
        populate: [
          {
            kind: "morph",
            field: "holds",
            items: [
              { type: "api::book.book", selection: { fields: ["documentId", "title"], populate: [] } },
              { type: "api::writer.writer", selection: { fields: ["documentId", "name"], populate: [] } },
            ],
          },
          {
            kind: "morph",
            field: "highlight",
            items: [{ type: "api::writer.writer", selection: { fields: ["documentId", "name"], populate: [] } }],
          },
        ],
      },
    },
    values: ["en"],
  },
  {
    title: "a related row that is not visible counts as none",
    query: {
      ...books,
      visible: notNamed("title", 1),
      filter: {
        op: "or",
        items: [
          { op: "null", field: "writer", isNull: true, visible: notNamed("name", 2) },
          {
            op: "not",
            item: {
              op: "related",
              field: "writer",
              where: { op: "null", field: "id", isNull: false },
              visible: notNamed("name", 2),
            },
          },
        ],
      },
    },
    values: ["en", "Dune 50%", "Jane"],
  },
  {
    title: "an order passes over rows that are not visible",
    query: {
      ...shelves,
      sort: [{ path: ["books", "writer", "name"], direction: "asc", visible: { 1: notNamed("name", 1) } }],
    },
    values: ["en", "Frank"],
  },
  {
    title: "a version that is not visible is no other version",
    query: { ...books, status: "draft", publication: "has-published-version", visible: notNamed("title", 1) },
    values: ["en", "Dune 50%"],
  },
  {
    title: "a search looks into the attributes that are named",
    query: { ...books, search: 1, searched: ["pages"] },
    values: ["en", "emma"],
  },
  {
    title: "polymorphic targets that are not visible are left out, and questions inside of them keep their values",
    query: {
      ...shelves,
      selection: {
        fields: ["code"],
        populate: [
          {
            kind: "morph",
            field: "holds",
            items: [
              {
                type: "api::writer.writer",
                visible: notNamed("name", 1),
                selection: {
                  fields: ["documentId", "name"],
                  populate: [
                    {
                      kind: "count",
                      field: "books",
                      filter: { op: "compare", field: "pages", operator: "$eq", value: 2 },
                    },
                  ],
                },
              },
            ],
          },
        ],
      },
    },
    values: ["en", "Jane", 412],
  },
  {
    title: "a deep page looks for row ids, and with its total also from the other end",
    query: {
      ...books,
      page: { start: 1, limit: 2, isDeep: true },
      count: true,
      sort: [{ path: ["title"], direction: "desc" }],
    },
    values: ["en", 0, 1],
  },
  {
    title: "a deep page past the middle is the same page",
    query: {
      ...books,
      page: { start: 1, limit: 2, isDeep: true },
      count: true,
      sort: [{ path: ["title"], direction: "desc" }],
    },
    values: ["en", 1, 1],
  },
  {
    title: "a page after a cursor is a union of ranges, nulls in one of their own",
    query: {
      ...books,
      locale: "*",
      page: { after: [1, 2, 3], limit: 4 },
      sort: [
        { path: ["pages"], direction: "asc" },
        { path: ["writer", "name"], direction: "desc" },
      ],
    },
    values: ["en", 412, "Frank", 1, 1],
  },
];

/** The reads, and by which file their statements are. */
export const readsByFile: ReadonlyMap<string, readonly Read[]> = new Map([
  ["reads", basicReads],
  ["named-reads", namedReads],
  ["fallback-reads", fallbackReads],
  ["long-reads", longReads],
  ["watched-reads", watchedReads],
  ["fact-reads", factReads],
  ["list-reads", listReads],
]);

/** One read a construct of the compiler. */
export const reads: readonly Read[] = [...readsByFile.values()].flat();
