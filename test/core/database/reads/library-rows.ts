import type { Database } from "#core/database/driver/database.js";
import { type Layout, linkCode, tableOf } from "#core/database/layout/layout.js";

const DAY = "2024-01-01T10:00:00.8Z";

/**
 * Fills the library by SQL, so that the compiler is tested without what writes documents: two writers, two shelves,
 * and three books, of which "dune" is published and has a newer draft and a French version, "emma" is published, and
 * "ubik" is a draft.
 */
export async function fillLibrary(db: Database, layout: Layout): Promise<void> {
  await insert(
    db,
    "writers",
    ["document_id", "name", "teacher", "published_at"],
    [
      ["frank", "Frank", "jane", DAY],
      ["jane", "Jane", null, DAY],
      ["nobody", "Nobody", "jane", DAY],
    ],
  );
  await insert(
    db,
    "shelves",
    ["document_id", "code", "published_at", "highlight", "highlight_type"],
    [
      ["a", "a1", DAY, "jane", "api::writer.writer"],
      ["b", "b2", DAY, null, null],
    ],
  );
  const blurb = JSON.stringify({ id: 7, text: "Sand", by: "frank" });
  const notes = JSON.stringify([
    { id: 8, label: "light", weight: 1 },
    { id: 9, label: "heavy", weight: 5 },
  ]);
  const parts = JSON.stringify([
    { __component: "shared.note", id: 10, label: "n", weight: null },
    { __component: "shared.blurb", id: 11, text: "b" },
  ]);
  const columns = [
    "document_id",
    "locale",
    "published_at",
    "updated_at",
    "title",
    "pages",
    "printed_at",
    "secret",
    "writer",
    "writer_position",
    "blurb",
    "notes",
    "parts",
    "created_by_id",
  ];
  await insert(db, "books", columns, [
    ["dune", "en", DAY, "2024-01-02", "Dune 50%", 412, DAY, "dune", "frank", 2, blurb, notes, parts, 2],
    ["dune", "en", null, "2024-01-03", "Dune, new", 412, DAY, "dune", "frank", 2, blurb, notes, parts, 2],
    ["dune", "fr", DAY, "2024-01-02", "Dune (fr)", 412, DAY, null, "frank", 1, null, null, null, 2],
    ["emma", "en", DAY, "2024-01-02", "ÉMMA", 474, null, null, "jane", 1, null, "[]", "[]", 1],
    ["emma", "en", null, "2024-01-01", "ÉMMA", 474, null, null, "jane", 1, null, "[]", "[]", 1],
    ["ubik", "en", null, "2024-01-01", "Ubik", null, null, null, null, null, null, null, null, null],
  ]);
  const books = tableOf(layout, "api::book.book");
  const link = (attribute: string, target: string, position: number) => [
    linkCode(books, attribute),
    target,
    "",
    position,
    position,
  ];
  // Row ids follow the order of the inserts: 1 is dune in English, published.
  await insert(
    db,
    "books_links",
    ["source", "attribute", "target", "target_type", "position", "inverse_position"],
    [
      [1, ...link("shelves", "b", 1)],
      [1, ...link("shelves", "a", 2)],
      [4, ...link("shelves", "a", 1)],
      [1, ...link("sequels", "ubik", 1)],
      [1, ...link("sequels", "emma", 2)],
    ],
  );
  const holds = linkCode(tableOf(layout, "api::shelf.shelf"), "holds");
  await insert(
    db,
    "shelves_links",
    ["source", "attribute", "target", "target_type", "position"],
    [
      [1, holds, "frank", "api::writer.writer", 1],
      [1, holds, "dune", "api::book.book", 2],
      [1, holds, "ubik", "api::book.book", 3],
    ],
  );
}

async function insert(
  db: Database,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  for (const values of rows) {
    const parameters = values.map((_value, index) => `$${index + 1}`).join(", ");
    await db.query({ text: `insert into ${table} (${columns.join(", ")}) values (${parameters})`, values });
  }
}
