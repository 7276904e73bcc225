import type { Database } from "../../database/driver/database.js";
import type { AdoptPlan } from "../../database/writes/adopt-plan.js";
import { isScalarKind } from "../../schema/attribute.js";
import type { ContentType, RelationAttribute, ScalarAttribute } from "../../schema/model.js";
import type { LoadedVersion } from "./loaded-version.js";

/** Documents that are to get other document ids; see `DocumentLoader.adopt`. */
export interface Adoption {
  readonly key: readonly string[];
  readonly versions: readonly LoadedVersion[];
}

interface Counterpart {
  readonly document_id: string;
  readonly is_as_made: boolean;
}

/** See `DocumentLoader.adopt`. */
export function adoptDocuments(
  db: Database,
  plan: AdoptPlan,
  { key, versions }: Adoption,
): Promise<readonly LoadedVersion[]> {
  return db.transaction(async () => {
    const untouched: LoadedVersion[] = [];
    for (const version of versions) {
      const own = await findCounterpart(db, plan, { key, version });
      if (!own) continue;
      for (const text of plan.rename) await db.query({ text, values: [version.documentId, own.document_id] });
      if (own.is_as_made) untouched.push(version);
    }
    return untouched;
  });
}

/** The document that has the same key, unless one has the wanted id already. */
async function findCounterpart(
  db: Database,
  { type, find }: AdoptPlan,
  { key, version }: { readonly key: readonly string[]; readonly version: LoadedVersion },
): Promise<Counterpart | undefined> {
  const parts = key.map((name) => keyPart(type, name, version));
  if (parts.some(({ value }) => value === undefined || value === null)) return undefined;
  const values = [version.documentId, ...parts.map(({ value }) => String(value))];
  const [row] = await db.query<Counterpart>({ text: find(parts.map(({ column }) => column)), values });
  return row;
}

function keyPart(type: ContentType, name: string, { values, links }: LoadedVersion) {
  const attribute = type.attributes.get(name) as ScalarAttribute | RelationAttribute | undefined;
  const isScalar = attribute !== undefined && isScalarKind(attribute.kind);
  return { column: attribute?.column ?? name, value: isScalar ? values[name] : links[name]?.[0]?.documentId };
}
