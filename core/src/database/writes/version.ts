import { rowStamp } from "../layout/layout.js";
import { identifier, literal } from "../sql/sql.js";
import type { Database, Statement } from "../driver/database.js";
import { isScalarKind, SCALAR_TRAITS } from "../../schema/attribute.js";
import type { Attribute, ContentType } from "../../schema/model.js";

/** One stored row of a document, as writes see it. */
export interface Version {
  /** Row id; int8 as text. */
  readonly id: string;
  readonly documentId: string;
  /** `""` on types that are not localised. */
  readonly locale: string;
  readonly isDraft: boolean;
  /** Changes with every write of the row. */
  readonly stamp: string;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  /**
   * By attribute name: scalars in wire form, components as stored, to-one relations as `{ documentId, type }` or null.
   * To-many relations have no entry.
   */
  readonly content: Readonly<Record<string, unknown>>;
}

/** SQL of one JSON text that holds a Version of the row `alias`; its column is `version`. */
export function versionColumn(type: ContentType, alias: string): string {
  const content = [...type.attributes.values()].flatMap((attribute) => {
    const value = contentOf(attribute, alias);
    return value === undefined ? [] : [`${value} as ${identifier(attribute.name)}`];
  });
  const fields = [
    `${alias}.id::text as "id"`,
    `${alias}.document_id as "documentId"`,
    `${alias}.locale as "locale"`,
    `${alias}.published_at is null as "isDraft"`,
    `${rowStamp(alias)} as "stamp"`,
    `(extract(epoch from ${alias}.updated_at) * 1000)::float8 as "updatedAt"`,
    `(select row_to_json(c) from (select ${content.join(", ")}) c) as "content"`,
  ];
  return `(select row_to_json(v)::text from (select ${fields.join(", ")}) v) as version`;
}

function contentOf(attribute: Attribute, alias: string): string | undefined {
  const column = attribute.column === undefined ? undefined : `${alias}.${identifier(attribute.column)}`;
  if (column === undefined) return undefined;
  if (isScalarKind(attribute.kind)) return SCALAR_TRAITS[attribute.kind].output(column);
  if (attribute.kind !== "relation" && attribute.kind !== "media") return column;
  const target = attribute.isPolymorphic ? `${alias}.${identifier(`${attribute.column}_type`)}` : literal("");
  return `case when ${column} is not null then json_build_object('documentId', ${column}, 'type', ${target}) end`;
}

/** Runs a statement whose rows have one column `version`. */
export async function readVersions(db: Database, { text, values }: Statement): Promise<Version[]> {
  return toVersions(await db.query<VersionRow>({ text, values, isPlan: true }));
}

/** A row that a statement with `versionColumn` returns. */
export interface VersionRow {
  readonly version: string;
}

/** What such a statement returned. */
export function toVersions(rows: readonly VersionRow[]): Version[] {
  return rows.map(({ version }) => JSON.parse(version) as Version);
}

/** A time as PostgreSQL takes it. */
export const timeText = (milliseconds: number): string => new Date(milliseconds).toISOString();
