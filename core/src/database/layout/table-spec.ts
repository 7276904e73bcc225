import type { ContentModel, ContentType } from "../../schema/model.js";
import { identifier } from "../sql/sql.js";
import { type IndexSpec, linkIndexes, objectName, tableIndexes } from "./index-spec.js";
import { linkKeys } from "./link-keys.js";
import { type StoredAttribute, storedForm } from "./stored-form.js";

/** How a content-type is to be stored. */
export interface TableSpec {
  readonly type: ContentType;
  readonly table: string;
  readonly attributes: ReadonlyMap<string, StoredAttribute>;
  /** Name of the link table; undefined when nothing needs one. */
  readonly links: string | undefined;
  readonly linkKeys: readonly string[];
  readonly indexes: readonly IndexSpec[];
}

/** The tables that a content model asks for, in its order. */
export function buildTables(model: ContentModel): readonly TableSpec[] {
  return [...model.contentTypes.values()].map((type) => {
    const keys = linkKeys(model, type);
    const links = keys.length > 0 ? linkTableName(type.table) : undefined;
    const forms = [...type.attributes.values()].map((attribute) => [attribute.name, storedForm(attribute)] as const);
    return {
      type,
      table: type.table,
      attributes: new Map(forms.filter((entry): entry is [string, StoredAttribute] => entry[1] !== undefined)),
      links,
      linkKeys: keys,
      indexes: [...tableIndexes(model, type), ...(links ? linkIndexes(links) : [])],
    };
  });
}

/** `articles_links`. */
const linkTableName = (table: string): string => objectName(table, "links");

/**
 * The statement that makes a content-type's table, without its indexes.
 *
 * @source core/decisions/0001-relations-by-document-id.md
 */
export function createTableSql({ table, attributes }: TableSpec): string {
  const columns = [
    "id bigint generated always as identity primary key",
    "document_id text not null",
    "locale text not null default ''",
    "published_at timestamptz(3)",
    "created_at timestamptz(3) not null default current_timestamp",
    "updated_at timestamptz(3) not null default current_timestamp",
    "created_by_id bigint",
    "updated_by_id bigint",
    ...[...attributes.values()]
      .flatMap(({ columns }) => columns)
      .map(({ name, type }) => `${identifier(name)} ${type}`),
  ];
  return `create table ${identifier(table)} (${columns.join(", ")})`;
}

/** The statement that makes a link table, without its indexes. @source core/src/database/layout/layout.ts */
export function createLinksSql(links: string, table: string): string {
  const columns = [
    `source bigint not null references ${identifier(table)} (id) on delete cascade`,
    "attribute smallint not null",
    "target text not null",
    "target_type text not null default ''",
    "position double precision not null",
    "inverse_position double precision",
  ];
  return `create table ${identifier(links)} (${columns.join(", ")})`;
}

/** The statement that makes an index of a table. */
export function createIndexSql(table: string, { name, isUnique, on }: IndexSpec): string {
  return `create ${isUnique ? "unique " : ""}index ${identifier(name)} on ${identifier(table)} ${on}`;
}
