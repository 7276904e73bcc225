import type { App } from "@plinth/core";
import { isRelation } from "@plinth/core/schema";
import type { ExportedEntry } from "../source/export-format.js";

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
export async function takeOver(app: App, { uid, documentId, entry: { data } }: Counterpart): Promise<boolean> {
  const wanted = String(data["documentId"]);
  if (wanted === documentId) return true;
  const references = listReferences(app, uid);
  if (references === undefined) return false;
  const times = { created_at: data["createdAt"], updated_at: data["updatedAt"], published_at: data["publishedAt"] };
  const given = Object.fromEntries(Object.entries(times).filter(([, time]) => time != null));
  const table = app.model.contentTypes.get(uid)?.table ?? "";
  await app.db.transaction(async () => {
    const tables = app.db.builder();
    await tables(table)
      .where({ document_id: documentId })
      .update({ document_id: wanted, ...given });
    for (const { table: referring, column } of references)
      await tables(referring).where(column, documentId).update(column, wanted);
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
