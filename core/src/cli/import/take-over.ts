import { identifier } from "../../database/compiler/sql.js";
import { isRelation } from "../../database/sync/link-keys.js";
import type { App } from "../../kernel/app.js";
import type { ExportedEntry } from "./export-format.js";

/** A document that the app made itself, and the entry of the export that it stands for. */
export interface Counterpart {
  readonly uid: string;
  /** Document id here. */
  readonly documentId: string;
  readonly entry: ExportedEntry;
}

/**
 * Gives a document that the app made at its first start, such as the role `public`, the document id and the times of the
 * export. One that has that id already was taken over by an earlier run, and stays as it is.
 *
 * @returns whether it has the id of the export now; false where relations lead to the type by links, which hold the id.
 */
export async function takeOver(app: App, { uid, documentId, entry }: Counterpart): Promise<boolean> {
  const wanted = String(entry.data["documentId"]);
  if (wanted === documentId) return true;
  const references = listReferences(app, uid);
  if (references === undefined) return false;
  const table = identifier(app.model.contentTypes.get(uid)?.table ?? "");
  const times = ["created_at", "updated_at", "published_at"].map(
    (column, index) => `${column} = coalesce($${index + 3}::timestamptz, ${column})`,
  );
  const given = ["createdAt", "updatedAt", "publishedAt"].map((name) => entry.data[name] ?? null);
  await app.db.transaction(async () => {
    const text = `update ${table} set document_id = $2, ${times.join(", ")} where document_id = $1`;
    await app.db.query({ text, values: [documentId, wanted, ...given] });
    for (const { table: referring, column } of references)
      await app.db.query({
        text: `update ${identifier(referring)} set ${identifier(column)} = $2 where ${identifier(column)} = $1`,
        values: [documentId, wanted],
      });
  });
  return true;
}

interface Reference {
  readonly table: string;
  readonly column: string;
}

/** The columns that hold document ids of a type; undefined where something else does, too. */
function listReferences(app: App, uid: string): readonly Reference[] | undefined {
  const shapes = [...app.model.contentTypes.values(), ...app.model.components.values()];
  const relations = shapes.flatMap((shape) =>
    [...shape.attributes.values()].filter(isRelation).map((attribute) => ({ shape, attribute })),
  );
  const found: Reference[] = [];
  for (const { shape, attribute } of relations) {
    if (attribute.target !== uid || !["column", "links", "embedded"].includes(attribute.storage)) continue;
    const table = app.model.contentTypes.get(shape.uid)?.table;
    if (attribute.storage !== "column" || attribute.column === undefined || table === undefined) return undefined;
    found.push({ table, column: attribute.column });
  }
  return found;
}
